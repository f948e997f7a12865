"""Reasoning without a server: a grammar of questions about people, actions, relations and time."""
