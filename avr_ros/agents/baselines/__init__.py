"""Baselines of JRDB-AVR (section C): one model at work, without graph, world model or solver."""
