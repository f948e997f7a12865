"""The synthetic world: simulation, renderer and writer of recordings in JRDB's formats."""
