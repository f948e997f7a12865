"""Runs: frozen specification, folder and journal, driver, statistics, bag reader."""
