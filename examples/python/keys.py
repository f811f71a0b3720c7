"""The keys of a lock; section Keys of the protocol. Lengths are in units of UTF-16."""

import hashlib

LONGEST = 512
UNESCAPED = set("-._~/@+=,;!*'()&$?#")
RESERVED, ESCAPED, DIGEST = "holdfast:", "holdfast:name:", "holdfast:digest:"


def _length(text):
    return len(text.encode("utf-16-le")) // 2


def _is_control(c):
    return ord(c) < 0x20 or 0x7F <= ord(c) < 0xA0


def _escaped(text):
    def one(c):
        stays = not _is_control(c) and (ord(c) >= 0x80 or c.isalnum() or c in UNESCAPED)
        return c if stays else "".join(f"%{byte:02X}" for byte in c.encode())

    return "".join(map(one, text))


def key_of(name):
    """Returns the key of the lock with this name. Raises ValueError for a name that has none."""
    if not name or name.startswith((ESCAPED, DIGEST)):
        raise ValueError(f"{name!r} is empty, or may be the key of another name")
    encoded = name.encode()  # A UnicodeEncodeError is a ValueError: half of a character has no key.
    has_controls = any(map(_is_control, name))
    if not has_controls and not name.startswith(RESERVED) and ":" + RESERVED not in name and _length(name) <= LONGEST:
        return name
    if _length(_escaped(name)) <= LONGEST:
        return ESCAPED + _escaped(name)
    first = name.encode("utf-16-le")[:80].decode("utf-16-le", "ignore")
    return f"{DIGEST}{hashlib.sha256(encoded).hexdigest().upper()}:{_escaped(first)}"


def keys_of(key):
    """Returns the keys of most scripts, in their order; the first three are those of extend and repair."""
    stem = (key + ":" if "{" in key or "}" in key else "{" + key + "}") + ":holdfast:"
    return [key, stem + "fence", "holdfast:marker", *(stem + x for x in ("queue", "reserved", "holders", "claims"))]
