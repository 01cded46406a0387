"""Write an OLE compound file ([MS-CFB]) for tests: nested dicts are storages, bytes are streams."""

import struct
from itertools import pairwise

SECTOR, MINI, CUTOFF = 512, 64, 4096
END, FREE, NONE = 0xFFFFFFFE, 0xFFFFFFFF, 0xFFFFFFFF


def compound_file(tree: dict) -> bytes:
    """The bytes of a compound file that holds `tree`."""
    entries: list[list] = []  # name, kind, right, child, start, size
    mini, minifat = bytearray(), []
    sectors, fat = bytearray(), []

    def stored(content: bytes) -> int:
        if not content:
            return END
        unit, data, table = (MINI, mini, minifat) if len(content) < CUTOFF else (SECTOR, sectors, fat)
        first, count = len(table), -(-len(content) // unit)
        data += content.ljust(count * unit, b"\0")
        table += [*range(first + 1, first + count), END]
        return first

    def add(name: str, node: dict | bytes) -> int:
        place = len(entries)
        if isinstance(node, bytes):
            entries.append([name, 2, NONE, NONE, stored(node), len(node)])
            return place
        entries.append([name, 5 if not place else 1, NONE, NONE, 0, 0])
        children = [add(child, inner) for child, inner in node.items()]
        for child, after in pairwise(children):
            entries[child][2] = after
        entries[place][3] = children[0] if children else NONE
        return place

    def chained(content: bytes, fill: bytes = b"\0") -> int:
        first, count = len(fat), max(1, -(-len(content) // SECTOR))
        sectors.extend(content.ljust(count * SECTOR, fill))
        fat.extend([*range(first + 1, first + count), END])
        return first

    add("Root Entry", tree)
    entries[0][4:] = [chained(bytes(mini)) if mini else END, len(mini)]
    minifat_start = chained(struct.pack(f"<{len(minifat)}I", *minifat), b"\xff") if minifat else END
    directory = b"".join(
        name.encode("utf-16-le").ljust(64, b"\0")
        + struct.pack("<HBBIII16sI", 2 * len(name) + 2, kind, 1, NONE, right, child, b"", 0)
        + struct.pack("<QQIQ", 0, 0, start, size)
        for name, kind, right, child, start, size in entries
    )
    directory_start = chained(directory)
    fat_start = len(fat)
    fat_sectors = 1 + (fat_start + 8) // (SECTOR // 4)
    fat.extend([0xFFFFFFFD] * fat_sectors)
    sectors.extend(struct.pack(f"<{len(fat)}I", *fat).ljust(fat_sectors * SECTOR, b"\xff"))
    minifat_count = -(-len(minifat) * 4 // SECTOR)
    header = struct.pack(
        "<8s16sHHHHH6xIIIIIIIIII", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", b"", 0x3E, 3, 0xFFFE, 9, 6, 0,
        fat_sectors, directory_start, 0, CUTOFF, minifat_start, minifat_count, END, 0, fat_start,
    )  # fmt: skip
    more = [fat_start + place for place in range(1, fat_sectors)]
    header += struct.pack(f"<{len(more)}I", *more)
    return header.ljust(SECTOR, b"\xff") + bytes(sectors)
