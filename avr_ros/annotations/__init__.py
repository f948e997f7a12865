"""JRDB's label files, and the temporal scene graph made of them."""
