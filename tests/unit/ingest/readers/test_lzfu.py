import struct

import pytest

from prism.ingest.readers.lzfu import decompressed


def test_the_example_of_the_specification():
    """[MS-OXRTFCP] section 4.1.1."""
    packed = bytes.fromhex(
        "2d0000002b0000004c5a4675f1c5c7a703000a007263706731323542320af32068656c090020627705b06c647d0a800fa0"
    )
    assert decompressed(packed) == b"{\\rtf1\\ansi\\ansicpg1252\\pard hello world}\r\n"


def test_a_run_may_reach_into_what_it_writes():
    """[MS-OXRTFCP] section 4.1.2."""
    packed = bytes.fromhex("1a0000001c0000004c5a4675e2d44b51410004205758595a0d6e7d010eb0")
    assert decompressed(packed) == b"{\\rtf1 WXYZWXYZWXYZWXYZWXYZ}"


@pytest.mark.parametrize("data", [b"", b"x" * 15, struct.pack("<II4sI", 9, 9, b"none", 0)])
def test_what_is_not_in_this_form_gives_nothing(data):
    assert decompressed(data) == b""
