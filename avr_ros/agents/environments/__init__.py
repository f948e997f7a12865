"""Environments an agent acts in, and the acquisition intents that compile into their actions."""
