"""Panoramas by frame or by time, from JRDB folders, ROS 1 and ROS 2 bags, and live streams."""
