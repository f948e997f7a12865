"""Active visual reasoning for ROS 2."""
