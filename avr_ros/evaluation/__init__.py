"""Runs: their frozen specification, folder and journal, the driver, statistics and the bag reader."""
