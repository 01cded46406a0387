import os
import unicodedata
from pathlib import Path

import pytest

from prism.errors import NotFoundError
from prism.ingest.discover import discover, safe_name, source_key
from prism.settings import ReadSettings
from prism.types import Source

SETTINGS = ReadSettings()


@pytest.fixture
def tree(tmp_path, monkeypatch):
    for name in ("a/policy.txt", "b/policy.txt", "b/other.txt", "a/sub/deep.md"):
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(name, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def names(*given, settings=SETTINGS):
    return [source.name for source in discover(given, settings)[0]]


def reasons(*given, settings=SETTINGS):
    return {item.path.name: item.reason for item in discover(given, settings)[1]}


def test_keys_are_paths_below_the_folder_given(tree):
    assert names("a") == ["policy.txt", "sub/deep.md"]
    assert names(tree) == ["a/policy.txt", "a/sub/deep.md", "b/other.txt", "b/policy.txt"]


def test_a_file_given_by_itself_has_its_name_as_key(tree):
    assert names("a/policy.txt") == ["policy.txt"]


@pytest.mark.parametrize("order", [("a/policy.txt", "b/policy.txt"), ("b/policy.txt", "a/policy.txt")])
def test_ing_26_the_same_name_in_two_folders_gives_two_documents(tree, order):
    assert names(*order) == list(order)


def test_ing_26_two_folders_with_a_name_in_common_keep_it_apart(tree):
    assert names("a", "b") == ["a/policy.txt", "sub/deep.md", "other.txt", "b/policy.txt"]
    assert sorted(names("b", "a")) == sorted(names("a", "b"))


def test_ing_26_equal_folder_names_are_told_apart_by_their_parents(tree):
    for top in ("x", "y"):
        (tree / top / "same").mkdir(parents=True)
        (tree / top / "same" / "f.txt").write_text("f", encoding="utf-8")
    assert names("x/same/f.txt", "y/same/f.txt") == ["x/same/f.txt", "y/same/f.txt"]


def test_a_file_reached_twice_is_read_once_and_reported(tree):
    assert names("a", "a/sub/deep.md") == ["policy.txt", "sub/deep.md"]
    assert reasons("a", "a/sub/deep.md") == {"deep.md": "given more than once; read as sub/deep.md"}


def test_names_equal_after_normalization_are_reported_not_merged(tmp_path):
    for form in ("NFC", "NFD"):
        (tmp_path / unicodedata.normalize(form, "Zürich.txt")).write_text("x", encoding="utf-8")
    if len(list(tmp_path.iterdir())) < 2:
        pytest.skip("this file system normalizes names itself")
    sources, skipped = discover([tmp_path], SETTINGS)
    assert [source.name for source in sources] == ["Zürich.txt"]
    assert "has the same name" in skipped[0].reason


@pytest.mark.parametrize(
    ("given", "base"),
    [
        ("../../x.txt", "x.txt"),
        ("..\\x.txt", "x.txt"),
        ("/etc/passwd", "passwd"),
        ("a/../../b.txt", "b.txt"),
        ("C:\\Users\\me\\x.txt", "x.txt"),
        ("..", "unnamed"),
        ("", "unnamed"),
        ("a\x00b\n.txt", "ab.txt"),
        ("विधि दस्तावेज़ [final] (1).pdf", unicodedata.normalize("NFC", "विधि दस्तावेज़ [final] (1).pdf")),
        ("报告【2024】.pdf", "报告【2024】.pdf"),
        ("n" * 300 + ".txt", "n" * 300 + ".txt"),
    ],
)
def test_ing_39_an_upload_keeps_its_base_name_only(given, base):
    assert safe_name(given) == base
    assert source_key(given) == base


def test_a_plain_relative_name_of_a_source_stays(tmp_path):
    source = Source(tmp_path / "blob", "a/policy.txt")
    assert discover([source], SETTINGS)[0] == [source]


def test_ing_40_a_link_that_leads_out_of_the_folder_is_not_followed(tree):
    (tree / "a" / "out.txt").symlink_to(tree / "b" / "other.txt")
    (tree / "a" / "outer").symlink_to(tree / "b")
    assert names("a") == ["policy.txt", "sub/deep.md"]
    assert reasons("a")["out.txt"] == "a link that leads out of the folder"
    assert reasons("a")["outer"] == "a link that leads out of the folder"


def test_links_inside_the_folder_do_not_read_a_file_twice_or_loop(tree):
    (tree / "a" / "again.txt").symlink_to("policy.txt")
    (tree / "a" / "loop").symlink_to(".")
    (tree / "a" / "gone.txt").symlink_to("missing.txt")
    assert names("a") == ["policy.txt", "sub/deep.md"]
    assert set(reasons("a")) == {"again.txt", "loop", "gone.txt"}


def test_hidden_files_and_junk_are_skipped_with_a_reason(tree):
    for name in (".secret.txt", ".DS_Store", "Thumbs.db", "~$x.docx"):
        (tree / "a" / name).write_text("x", encoding="utf-8")
    (tree / "a" / "__MACOSX").mkdir()
    found = reasons("a")
    assert found[".secret.txt"].startswith("hidden")
    assert all(
        found[name].startswith("ignored") for name in (".DS_Store", "Thumbs.db", "~$x.docx", "__MACOSX")
    )


def test_hidden_files_are_read_when_the_setting_says_so(tree):
    (tree / "a" / ".secret.txt").write_text("x", encoding="utf-8")
    (tree / "a" / ".DS_Store").write_text("x", encoding="utf-8")
    assert ".secret.txt" in names("a", settings=ReadSettings(include_hidden=True))
    assert ".DS_Store" not in names("a", settings=ReadSettings(include_hidden=True))


def test_pipes_are_never_opened(tree):
    os.mkfifo(tree / "a" / "pipe.txt")
    assert reasons("a")["pipe.txt"].startswith("not a regular file")
    assert reasons("a/pipe.txt") == {"pipe.txt": "not a regular file"}


def test_an_empty_folder_is_reported(tmp_path):
    assert discover([tmp_path], SETTINGS)[1][0].reason == "an empty folder"


def test_a_missing_path_is_named():
    with pytest.raises(NotFoundError, match="no-such-file"):
        discover([Path("no-such-file.txt")], SETTINGS)


def test_prisms_own_storage_folder_is_never_read(tmp_path: Path) -> None:
    own = tmp_path / "storage" / "data"
    (own / "originals" / "d").mkdir(parents=True)
    (own / "originals" / "d" / "0a1b").write_text("kept copy")
    (tmp_path / "a.txt").write_text("words")
    sources, skipped = discover([tmp_path], ReadSettings(), own)
    assert [source.name for source in sources] == ["a.txt"]
    assert [(item.path, item.reason) for item in skipped] == [(own, "Prism's own storage folder")]


def test_of_a_folder_only_what_is_included_is_read_and_the_rest_is_told(tree):
    settings = ReadSettings(include=("*.MD", "b/**"), exclude=("other.*",))
    assert names(tree, settings=settings) == ["a/sub/deep.md", "b/policy.txt"]
    assert reasons(tree, settings=settings) == {
        "policy.txt": "not included (read.include: *.MD, b/**)",
        "other.txt": "excluded (read.exclude: other.*)",
    }
    assert names("b/other.txt", settings=settings) == ["other.txt"]


def test_an_excluded_folder_is_not_entered_and_told_once(tree):
    settings = ReadSettings(exclude=("sub", "b/"))
    assert names(tree, settings=settings) == ["a/policy.txt"]
    assert reasons(tree, settings=settings) == {
        "sub": "excluded (read.exclude: sub)",
        "b": "excluded (read.exclude: b/)",
    }


def test_a_pattern_is_looked_for_below_the_folder_it_begins_with(tree):
    assert names("*/policy.txt") == ["a/policy.txt", "b/policy.txt"]
    assert names("a/**/*.md") == ["sub/deep.md"]
    assert names("**/*.md") == ["a/sub/deep.md"]
    assert names("a/*") == ["policy.txt", "sub/deep.md"]
    assert names("b/[o]*.txt") == ["other.txt"]
    assert names("a/*.txt") == ["policy.txt"]
    assert names(f"{tree}/?/*.txt") == ["a/policy.txt", "b/other.txt", "b/policy.txt"]


def test_what_fits_a_pattern_but_is_not_read_is_told_and_the_rest_is_not(tree):
    (tree / "a" / ".secret.txt").write_text("hidden", encoding="utf-8")
    (tree / "a" / ".secret.md").write_text("hidden", encoding="utf-8")
    assert reasons("a/*.txt") == {".secret.txt": "hidden (set read.include_hidden to read it)"}


def test_a_pattern_that_nothing_fits_ends_the_command(tree):
    with pytest.raises(NotFoundError, match=r"a/\*\.pdf: no file fits this pattern"):
        discover(["a", "a/*.pdf"], SETTINGS)
    with pytest.raises(NotFoundError, match="nowhere: no such folder"):
        discover(["nowhere/*.pdf"], SETTINGS)


def test_a_name_that_looks_like_a_pattern_is_a_name_where_there_is_such_a_file(tree):
    (tree / "a" / "report [final] (1).txt").write_text("x", encoding="utf-8")
    (tree / "a" / "report f (1).txt").write_text("x", encoding="utf-8")
    assert names("a/report [final] (1).txt") == ["report [final] (1).txt"]


def test_a_folder_named_like_a_file_is_a_folder(tree):
    (tree / "a" / "old.pdf").mkdir()
    (tree / "a" / "old.pdf" / "x.txt").write_text("x", encoding="utf-8")
    assert names("a") == ["old.pdf/x.txt", "policy.txt", "sub/deep.md"]


def test_a_link_as_the_folder_given_is_followed_and_one_that_leads_round_is_not(tree):
    (tree / "way").symlink_to(tree / "a")
    (tree / "a" / "sub" / "round").symlink_to(tree / "a")
    assert names("way") == ["policy.txt", "sub/deep.md"]
    assert reasons("way") == {"round": "a link to . in the same folder"}


def test_names_of_255_bytes_and_of_no_encoding_are_read(tree):
    long = "ü" * 125 + ".text"
    (tree / "b" / long).write_text("x", encoding="utf-8")
    Path(os.fsdecode(os.fsencode(tree) + b"/b/caf\xe9.txt")).write_text("x", encoding="utf-8")
    assert names("b") == ["caf\ufffd.txt", "other.txt", "policy.txt", long]
