"""Types that pass between rooms; every module here imports nothing of avr_ros but geometry."""
