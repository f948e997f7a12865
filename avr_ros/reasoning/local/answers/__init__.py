"""How the local backend answers the stages, one file a stage."""
