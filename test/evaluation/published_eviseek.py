"""Figures that EviSeek's paper publishes (arXiv:2611.06434v1), the reference of its tables' tests.

Columns of the accuracies: Qwen passive, single-model, EviSeek; Gemini passive, single-model,
EviSeek. Columns of the supported accuracies C: Qwen single-model, EviSeek; Gemini single-model,
EviSeek.
"""

QUESTIONS = 3436
SEED = 20261012
RESAMPLES = 200_000

# Table 9: n+, n−, difference, lower and upper end.
COMPARISONS = {
    "qwen passive": (783, 364, 12.19, 10.30, 14.09),
    "qwen single-model": (673, 429, 7.10, 5.24, 8.99),
    "gemini passive": (742, 296, 12.98, 11.20, 14.78),
    "gemini single-model": (496, 370, 3.67, 2.01, 5.36),
}

# Table 1: questions, then accuracies.
CATEGORIES = {
    "Perceptual Grounding": (750, 58.0, 62.3, 78.5, 75.9, 80.0, 84.9),
    "Physical Structure": (254, 55.9, 52.4, 50.4, 62.2, 69.3, 70.5),
    "Physical Dynamics": (150, 32.7, 65.3, 53.3, 40.0, 64.0, 68.0),
    "Specular Reflection": (300, 49.3, 44.0, 44.3, 47.7, 54.0, 49.7),
    "Spatial Relations": (781, 27.9, 28.3, 46.2, 27.8, 36.9, 46.6),
    "Metric Comparison": (319, 30.4, 42.0, 33.5, 44.5, 52.7, 44.5),
    "Cognitive Mapping": (260, 54.6, 53.5, 56.2, 61.9, 57.7, 59.6),
    "Enumerative Perception": (270, 1.5, 3.0, 7.4, 4.1, 14.8, 14.4),
    "Temporal Understanding": (275, 38.2, 65.1, 67.6, 38.9, 63.6, 72.7),
    "Action Sequencing": (77, 67.5, 72.7, 79.2, 32.5, 75.3, 93.5),
}
OVERALL = (40.5, 45.6, 52.7, 46.4, 55.7, 59.3)

# Tables 5 and 6: questions, accuracies, then supported accuracies.
SUBCATEGORIES = {
    "View Hallucination": (437, (55.8, 59.5, 78.9, 77.6, 82.8, 88.1), (52.86, 67.16, 75.51, 79.18)),
    "Partial Occlusion": (95, (22.1, 50.5, 86.3, 54.7, 74.7, 85.3), (37.89, 35.26, 64.21, 60.53)),
    "Material Transparency": (
        218,
        (78.0, 72.9, 74.3, 81.7, 76.6, 78.4),
        (56.19, 69.72, 65.60, 69.72),
    ),
    "Rigid Containment": (20, (55.0, 50.0, 45.0, 70.0, 80.0, 60.0), (30.00, 32.50, 47.50, 45.00)),
    "Liquid Volume": (136, (69.1, 61.0, 57.4, 75.7, 75.7, 73.5), (59.93, 55.88, 74.26, 72.06)),
    "Deformable": (98, (37.8, 40.8, 41.8, 41.8, 58.2, 68.4), (33.16, 32.14, 44.39, 54.08)),
    "Inclined Plane": (61, (52.5, 80.3, 73.8, 59.0, 75.4, 85.2), (78.69, 60.66, 74.59, 84.43)),
    "Stacking & Stability": (
        89,
        (19.1, 55.1, 39.3, 27.0, 56.2, 56.2),
        (30.90, 23.60, 30.34, 33.15),
    ),
    "Reflection Authoring": (
        99,
        (50.5, 50.5, 50.5, 53.5, 71.7, 65.7),
        (43.43, 40.40, 61.62, 46.97),
    ),
    "Spatial Relations": (113, (50.4, 43.4, 46.9, 39.8, 46.0, 35.4), (26.55, 32.30, 34.51, 25.66)),
    "Correspondence": (88, (46.6, 37.5, 34.1, 51.1, 44.3, 50.0), (17.61, 23.30, 24.43, 38.07)),
    "Linear Alignment": (94, (53.2, 56.4, 38.3, 37.2, 68.1, 79.8), (35.11, 36.17, 64.89, 78.19)),
    "Geometric Configuration": (
        568,
        (14.8, 17.6, 43.7, 16.2, 23.6, 36.1),
        (6.16, 18.22, 15.58, 23.06),
    ),
    "Physical Contact": (119, (70.6, 57.1, 64.7, 75.6, 75.6, 70.6), (34.45, 44.96, 40.76, 45.80)),
    "Dimensional Size": (167, (10.8, 26.9, 6.6, 23.4, 39.5, 22.2), (15.57, 4.19, 25.75, 16.47)),
    "Spatial Distance": (152, (52.0, 58.6, 63.2, 67.8, 67.1, 69.1), (30.26, 45.39, 46.71, 54.28)),
    "Connectivity": (60, (58.3, 55.0, 66.7, 63.3, 50.0, 65.0), (18.33, 30.00, 22.50, 37.50)),
    "Traversable Passage": (60, (70.0, 75.0, 60.0, 71.7, 66.7, 63.3), (17.50, 23.33, 15.00, 19.17)),
    "Regional Boundary": (80, (50.0, 52.5, 52.5, 63.8, 58.8, 56.2), (33.12, 35.62, 40.62, 44.38)),
    "Long-Term Navigation": (
        60,
        (41.7, 31.7, 46.7, 48.3, 55.0, 55.0),
        (10.83, 23.33, 20.00, 25.83),
    ),
    "Counting w Occlusion": (30, (6.7, 16.7, 13.3, 13.3, 23.3, 10.0), (16.67, 11.67, 13.33, 8.33)),
    "Spatial Segmentation": (30, (3.3, 6.7, 10.0, 13.3, 40.0, 26.7), (5.00, 10.00, 26.67, 20.00)),
    "Merged Observation": (60, (0.0, 0.0, 1.7, 0.0, 10.0, 3.3), (0.00, 0.00, 7.50, 2.50)),
    "Category Ambiguity": (60, (0.0, 0.0, 13.3, 3.3, 13.3, 16.7), (0.00, 10.00, 12.50, 15.00)),
    "Structural Enclosure": (40, (2.5, 2.5, 2.5, 2.5, 7.5, 10.0), (1.25, 2.50, 3.75, 7.50)),
    "Illumination Variability": (50, (0.0, 0.0, 6.0, 0.0, 8.0, 24.0), (0.00, 6.00, 7.00, 23.00)),
    "Unobserved Change": (142, (39.4, 85.9, 93.0, 40.1, 81.0, 96.5), (84.15, 91.55, 76.06, 94.01)),
    "Agent Observation": (133, (36.8, 42.9, 40.6, 37.6, 45.1, 47.4), (36.47, 27.82, 28.57, 39.85)),
    "Action Order Inference": (
        77,
        (67.5, 72.7, 79.2, 32.5, 75.3, 93.5),
        (15.58, 74.03, 62.34, 83.12),
    ),
}
SUPPORTED_OVERALL = (31.90, 38.71, 43.19, 47.83)

# Figure 2: C, GW, P, N of Qwen single-model, EviSeek, Gemini single-model, EviSeek. The text of
# the second P is cut after 14.0.
PARTS = (
    (31.90, 21.64, 13.71, 32.76),
    (38.71, 26.56, 14.0, 20.74),
    (43.19, 20.31, 12.49, 24.01),
    (47.83, 21.39, 11.51, 19.27),
)

# Table 3: accuracy and difference of each ablation; the reference is 52.7.
ABLATIONS = {"demands": (46.6, -6.1), "board": (47.6, -5.1), "retention": (47.4, -5.3)}
