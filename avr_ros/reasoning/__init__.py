"""Reasoning: what questions mean, and what is asked of models."""
