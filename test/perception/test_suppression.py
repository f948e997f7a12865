import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from avr_ros.geometry import boxes
from avr_ros.perception.suppression import suppress

WIDTH = 3760


def test_the_better_of_two_stays_across_the_seam() -> None:
    box = np.array([[3740.0, 100, 40, 100], [0.0, 100, 22, 100], [3738.0, 100, 40, 100]])
    score = np.array([0.6, 0.9, 0.8])
    # The second lies half in the third, whose IoU with the first is 38 / 42.
    assert suppress(box, score, WIDTH, 0.6).tolist() == [1, 2]
    assert suppress(box, score, WIDTH, 0.3).tolist() == [1]


def test_a_cut_rest_goes_where_the_whole_is_known() -> None:
    box = np.array([[100.0, 100, 100, 200], [100.0, 100, 40, 200]])
    score = np.array([0.9, 0.8])
    assert suppress(box, score, WIDTH, 0.6).tolist() == [0, 1]
    cut = np.array([False, True])
    assert suppress(box, score, WIDTH, 0.6, cut).tolist() == [0]


def test_nothing_in_nothing_out() -> None:
    assert suppress(np.zeros((0, 4)), np.zeros(0), WIDTH, 0.5).tolist() == []


@given(
    st.lists(
        st.tuples(
            st.floats(0, 3759),
            st.floats(0, 300),
            st.floats(5, 200),
            st.floats(5, 170),
            st.floats(0, 1),
        ),
        max_size=12,
    ),
)
def test_kept_boxes_are_apart_and_the_others_near_a_better_one(
    rows: list[tuple[float, float, float, float, float]],
) -> None:
    values = np.array(rows, np.float64).reshape(-1, 5)
    box, score = values[:, :4], values[:, 4]
    kept = suppress(box, score, WIDTH, 0.5)
    overlaps = boxes.iou_matrix(box, box, WIDTH)
    for one in kept:
        assert all(overlaps[one, other] < 0.5 for other in kept if other != one)
    for row in set(range(len(rows))) - set(kept.tolist()):
        assert any(overlaps[row, one] >= 0.5 and score[one] >= score[row] for one in kept)
    order = np.argsort(-np.arange(len(rows)))
    again = suppress(box[order], score[order], WIDTH, 0.5)
    assert sorted(map(tuple, box[order][again])) == sorted(map(tuple, box[kept]))
