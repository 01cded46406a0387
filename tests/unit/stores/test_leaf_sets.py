from prism.stores.leaf_sets import leaf_set


def test_the_order_of_the_ids_does_not_matter_and_one_given_twice_counts_once() -> None:
    assert leaf_set(["b", "a"]) == leaf_set(iter(["a", "b", "a"]))
    assert leaf_set(["b", "a"]).count == 2


def test_as_many_other_ids_are_another_set() -> None:
    assert leaf_set(["a", "b"]) != leaf_set(["a", "c"])
    assert leaf_set(["ab", "c"]) != leaf_set(["a", "bc"])


def test_no_leaves_are_a_set_too() -> None:
    assert leaf_set([]).count == 0
