from prism.ingest.readers.slide_order import Frame, reading_order


def frame(left, top, width=30, height=10) -> Frame:
    return Frame(left, top, left + width, top + height)


def test_columns_are_read_one_after_the_other():
    right_top, left_bottom, left_top, right_bottom = frame(50, 0), frame(0, 12), frame(0, 0), frame(50, 12)
    assert reading_order([right_top, left_bottom, left_top, right_bottom]) == [2, 1, 0, 3]


def test_a_wide_box_above_and_one_below_come_first_and_last():
    below, right, left, above = frame(0, 40, 90), frame(50, 20), frame(0, 20), frame(0, 0, 90)
    assert reading_order([below, right, left, above]) == [3, 2, 1, 0]


def test_boxes_drawn_as_a_table_are_read_row_by_row():
    labels = [frame(0, 20 * row, 20) for row in range(3)]
    values = [frame(60, 20 * row + 1, 20) for row in range(3)]
    assert reading_order([*labels, *values]) == [0, 3, 1, 4, 2, 5]


def test_boxes_may_overlap_a_little():
    assert reading_order([frame(28, 0), frame(0, 0)]) == [1, 0]


def test_boxes_on_top_of_each_other_go_from_the_top():
    assert reading_order([frame(5, 5, 50, 50), frame(0, 0, 50, 50)]) == [1, 0]


def test_where_a_frame_is_unknown_the_order_of_the_file_stands():
    assert reading_order([frame(50, 0), None, frame(0, 0)]) == [0, 1, 2]
    assert reading_order([]) == []
