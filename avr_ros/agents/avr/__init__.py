"""The graph agent: it looks, keeps what it saw in the world model, and answers from there."""
