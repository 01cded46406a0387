"""LibreOffice as a converter: a file in, the file in a new format out, within a time.

It runs with a profile of its own in a temporary folder, so that it meets no other LibreOffice and changes
nothing of the user's; macros are off and links of a document are not followed.
"""

from __future__ import annotations

import logging
import os
import shutil
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from prism.errors import TooLargeError, UnreadableError
from prism.ingest.readers.protocol import SourceFile

logger = logging.getLogger(__name__)

_NAMES = ("soffice", "libreoffice", "/Applications/LibreOffice.app/Contents/MacOS/soffice")

TIME_SHARE: Final = 0.8
"""Of `read.timeout_s`: the rest is for reading what comes out."""

_PROFILE = """<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry">
<item oor:path="/org.openoffice.Office.Common/Security/Scripting">
<prop oor:name="DisableMacrosExecution" oor:op="fuse"><value>true</value></prop>
<prop oor:name="MacroSecurityLevel" oor:op="fuse"><value>3</value></prop>
<prop oor:name="BlockUntrustedRefererLinks" oor:op="fuse"><value>true</value></prop></item>
<item oor:path="/org.openoffice.Office.Writer/Content/Update">
<prop oor:name="Link" oor:op="fuse"><value>0</value></prop></item>
<item oor:path="/org.openoffice.Office.Calc/Content/Update">
<prop oor:name="Link" oor:op="fuse"><value>2</value></prop></item>
</oor:items>
"""


def program() -> str | None:
    """Where LibreOffice is, None where it is not installed."""
    return next((found for name in _NAMES if (found := shutil.which(name))), None)


def converted(file: SourceFile, office: str, ending: str, new_ending: str) -> bytes:
    """The file in the format of `new_ending`.

    Raises:
        UnreadableError: LibreOffice cannot open it.
        TooLargeError: it takes longer than `TIME_SHARE` of `read.timeout_s`.
    """
    with TemporaryDirectory(prefix="prism-office-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        settings = folder / "profile" / "user" / "registrymodifications.xcu"
        settings.parent.mkdir(parents=True)
        settings.write_text(_PROFILE, encoding="utf-8")
        # A name of ours: those of documents may begin with a dash, or hold what a shell script minds.
        (folder / f"document{ending}").write_bytes(file.data)
        said = _run(file, office, folder, f"document{ending}", new_ending)
        made = folder / "new" / f"document{new_ending}"
        if not made.is_file():
            logger.debug("%s: LibreOffice said: %s", file.name, said)
            raise UnreadableError(
                f"{file.name}: damaged, or password protected (LibreOffice cannot open it). "
                f"Save it as {new_ending}."
            )
        return made.read_bytes()


def _run(file: SourceFile, office: str, folder: Path, document: str, new_ending: str) -> str:
    """Run LibreOffice to its end; what it said."""
    seconds = file.settings.timeout_s * TIME_SHARE
    command = [
        office, f"-env:UserInstallation={(folder / 'profile').as_uri()}", "--headless", "--norestore",
        "--nolockcheck", "--convert-to", new_ending.lstrip("."), "--outdir", str(folder / "new"), document,
    ]  # fmt: skip
    # A proxy that is not there: what a document links to is not fetched, whatever the settings say.
    nowhere = dict.fromkeys(("http_proxy", "https_proxy", "ftp_proxy", "all_proxy"), "http://127.0.0.1:9")
    kept = {key: os.environ[key] for key in ("PATH", "LANG", "LC_ALL", "SYSTEMROOT") if key in os.environ}
    with subprocess.Popen(  # noqa: S603 - a program of the machine's, and names of our own
        command,
        cwd=folder,
        env={**kept, **nowhere, "HOME": str(folder), "TMPDIR": str(folder)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    ) as running:
        try:
            said, _ = running.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            raise TooLargeError(
                f"{file.name}: given up, since LibreOffice took longer than {seconds:g} s to open it. "
                f"Raise read.timeout_s, or save it as {new_ending}."
            ) from None
        finally:
            # `soffice` is a script that starts others; they stay in our own group of processes, so that who
            # ends us ends them.
            if running.poll() is None:
                for process in [*_descendants(running.pid), running.pid]:
                    _kill(process)
    return said.decode("utf-8", "replace")


def _descendants(pid: int) -> Iterator[int]:
    """The processes a process has started, and those they have; where the system lists them as Linux does."""
    children: dict[int, list[int]] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
            children.setdefault(int(fields[1]), []).append(int(stat.parent.name))
        except (OSError, IndexError, ValueError):
            continue  # It has ended meanwhile.
    waiting = [pid]
    while waiting:
        found = children.get(waiting.pop(), [])
        waiting.extend(found)
        yield from found


def _kill(pid: int) -> None:
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        logger.debug("process %d had ended", pid)
