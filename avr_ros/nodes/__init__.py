"""ROS 2 nodes: each declares, converts and delegates; the only room that imports rclpy."""
