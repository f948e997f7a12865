"""The panorama's cylinder, crops, boxes on the cylinder, the label frame, and spatial relations."""
