"""Ways to spoil bytes: what bad disks, cut transfers, careless programs and careful attackers leave."""

from __future__ import annotations

import random

__all__ = ["mangle", "mangle_array"]

_ODD = (
    b"\x00",
    b"\xff",
    b"\xff" * 8,
    b"\x80\x04\x95",
    b'"',
    b"'",
    b"\n",
    b"\r\n",
    b",",
    b"[",
    b"]",
    b"{",
    b"}",
    b"[" * 2000,
    b'{"a":' * 500,
    b"\\u0000",
    b"\\ud800",
    b"1e999",
    b"-1",
    b"99999999999999999999999",
    b"NaN",
    b"null",
    b"true",
    b"\xef\xbb\xbf",
    b"\xed\xa0\x80",
    b"\xc3\x28",
    b"<!DOCTYPE x [<!ENTITY a 'b'>]>",
    b"&a;",
    b"<![CDATA[",
    b"=1+1",
    b"../../../etc/passwd",
    b"%s%n",
    b"\x1b]0;x\x07",
    b"\x7f" * 40,
)


def mangle(data: bytes, rng: random.Random) -> bytes:
    """Return bytes with one to four faults."""
    made = bytearray(data)
    for _ in range(rng.choice((1, 1, 1, 2, 4))):
        _fault(made, rng)
    return bytes(made)


def _fault(made: bytearray, rng: random.Random) -> None:
    size = len(made)
    at = rng.randrange(size + 1)
    far = min(size, at + rng.choice((1, 4, 16, 200, 5000)))
    kind = rng.randrange(9)
    if kind == 0 and size:
        made[min(at, size - 1)] ^= 1 << rng.randrange(8)
    elif kind == 1:
        del made[at:]
    elif kind == 2:
        del made[at:far]
    elif kind == 3:
        made[at:at] = made[at:far] * rng.choice((1, 3, 50))
    elif kind == 4:
        made[at:at] = rng.choice(_ODD)
    elif kind == 5:
        made[at:far] = bytes(rng.randrange(256) for _ in range(far - at))
    elif kind == 6:
        made[at:far] = rng.choice((b"\x00", b"\xff", b" ")) * (far - at)
    elif kind == 7:
        made[at : at + len(_ODD[0])] = rng.choice(_ODD)
    else:
        other = rng.randrange(size + 1)
        made[at:at] = made[other : other + 300]


def mangle_array(data: bytes, rng: random.Random) -> bytes:
    """Return a .npy file whose numbers, not its head, are out of range."""
    start = data.find(b"\n") + 1
    made = bytearray(data)
    wide = rng.choice((4, 8))
    if len(made) - start < wide:
        return mangle(data, rng)
    for _ in range(rng.choice((1, 5))):
        at = start + wide * rng.randrange((len(made) - start) // wide)
        value = rng.choice((-1, -(2**31), 2**31 - 1, 10**6, 2**30, rng.randrange(-300, 300)))
        made[at : at + wide] = value.to_bytes(wide, "little", signed=True)
    return bytes(made)
