"""Python runs this when it starts: every connection and name look-up but for loopback is written down and
refused. Audit events come before the act and cannot be taken back by a library."""

import ipaddress
import os
import sys

_LOG = os.environ["NETWORK_ATTEMPTS"]
_NAMES = ("socket.getaddrinfo", "socket.gethostbyname", "socket.gethostbyaddr")
_ADDRESSES = ("socket.connect", "socket.sendto", "socket.sendmsg")


def _is_here(host: object) -> bool:
    if host in (None, "", "localhost", b"localhost"):
        return True
    try:
        return ipaddress.ip_address(host.decode() if isinstance(host, bytes) else str(host)).is_loopback
    except ValueError:
        return False


def _watch(event: str, arguments: tuple) -> None:
    if event in _NAMES:
        host = arguments[0]
    elif event in _ADDRESSES and isinstance(arguments[1], tuple):  # a path is a socket on this machine
        host = arguments[1][0]
    else:
        return
    if not _is_here(host):
        with open(_LOG, "a", encoding="utf-8") as log:  # noqa: PTH123
            log.write(f"{event} {host}\n")
        raise OSError(f"blocked: {event} {host}")


sys.addaudithook(_watch)
