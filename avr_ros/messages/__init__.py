"""Types of the schema to and from message objects of any ROS library; nothing here imports one."""
