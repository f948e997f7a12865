"""Agents: what they are handed, and the agents themselves."""
