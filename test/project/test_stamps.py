"""Stamps tell a finished step from an unfinished or an outdated one."""

from __future__ import annotations

from pathlib import Path

from avr_setup.overlay import remove_dangling_links
from avr_setup.stamp import digest_of_files, digest_of_names, read_stamp, write_stamp


def test_a_stamp_is_read_as_it_was_written(tmp_path: Path) -> None:
    write_stamp(tmp_path / "stamp.json", {"lock": "ab", "python": "3.11.2"})
    assert read_stamp(tmp_path / "stamp.json") == {"lock": "ab", "python": "3.11.2"}
    assert [path.name for path in tmp_path.iterdir()] == ["stamp.json"]


def test_what_is_no_whole_stamp_counts_as_none(tmp_path: Path) -> None:
    stamp = tmp_path / "stamp.json"
    assert read_stamp(stamp) is None
    for content in (b"", b'{"lock": "a', b"[1]", b"\xff"):
        stamp.write_bytes(content)
        assert read_stamp(stamp) is None


def test_content_digests_see_names_contents_and_where_one_file_ends(tmp_path: Path) -> None:
    first, second = tmp_path / "a", tmp_path / "b"
    first.write_bytes(b"xy")
    second.write_bytes(b"z")
    digest = digest_of_files([first, second], tmp_path)
    assert digest == digest_of_files([second, first], tmp_path)
    assert digest != digest_of_files([first], tmp_path)
    first.write_bytes(b"x")
    second.write_bytes(b"yz")
    assert digest != digest_of_files([first, second], tmp_path)


def test_name_digests_see_names_alone(tmp_path: Path) -> None:
    first, second = tmp_path / "a", tmp_path / "b"
    assert digest_of_names([first, second], tmp_path) == digest_of_names([second, first], tmp_path)
    assert digest_of_names([first], tmp_path) != digest_of_names([second], tmp_path)


def test_links_to_deleted_modules_go_with_their_folders(tmp_path: Path) -> None:
    source, overlay = tmp_path / "source", tmp_path / "overlay"
    for folder in (source, overlay / "kept", overlay / "gone" / "__pycache__"):
        folder.mkdir(parents=True)
    (source / "module.py").touch()
    (overlay / "kept" / "module.py").symlink_to(source / "module.py")
    (overlay / "kept" / "other.py").symlink_to(source / "other.py")
    (overlay / "gone" / "other.py").symlink_to(source / "other.py")
    (overlay / "gone" / "__pycache__" / "other.pyc").touch()
    remove_dangling_links(overlay)
    assert sorted(path.name for path in overlay.rglob("*")) == ["kept", "module.py"]
