r"""The name of a format → an ECMA-262 pattern that matches exactly the texts of that format.

Must not approximate: a format that no pattern says exactly is not in the table (``email``, ``hostname``, ``regex`` and the
international ones), so that asking for it is a problem and never a guess. Formats: JSON Schema 2020-12 validation, 7.3.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

ALL = "all"
"""In place of names: every format of the table."""


def _either(parts: Iterable[str]) -> str:
    return f"(?:{'|'.join(parts)})"


# --- dates and times: RFC 3339, 5.6 and appendix A ----------------------------------------------------------------------

_DATE = _either(
    [
        r"\d{4}-(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])",
        r"\d{4}-(?:0[469]|11)-(?:0[1-9]|[12]\d|30)",
        r"\d{4}-02-(?:0[1-9]|1\d|2[0-8])",
        r"(?:\d\d(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)-02-29",
    ]
)


def _leap_second() -> str:
    """Second 60 is the last of a day of universal time: what the clock shows then, by offset, is 23:59 and the offset."""
    clock = r"(?=\d\d:\d\d:60(?:\.\d+)?[+-](?:[01]\d|2[0-3]):[0-5]\d$)"
    on_the_hour = _either(rf"{(23 + h) % 24:02}:59:60[^+]*\+{h:02}:00" for h in range(24))
    east_hour = _either(rf"{h:02}[^+]*\+{h:02}" for h in range(24))
    east_minute = _either(f"{m - 1:02}:60[^:]*:{m:02}" for m in range(1, 60))
    west_hour = _either(f"{23 - h:02}[^-]*-{h:02}" for h in range(24))
    west_minute = _either(f"{59 - m:02}:60[^:]*:{m:02}" for m in range(60))
    east = rf"(?={east_hour}:)\d\d:{east_minute}"
    west = rf"(?={west_hour}:)\d\d:{west_minute}"
    return _either([r"23:59:60(?:\.\d+)?[Zz]", clock + _either([on_the_hour, east, west])])


_TIME = _either([r"(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)", _leap_second()])
_OF_DAY = r"T(?:\d+H(?:\d+M(?:\d+S)?)?|\d+M(?:\d+S)?|\d+S)"
_OF_YEARS = r"(?:\d+Y(?:\d+M(?:\d+D)?)?|\d+M(?:\d+D)?|\d+D)"

# --- addresses: RFC 2673, 3.2 and RFC 4291, 2.2; identifiers: RFC 3986, appendix A --------------------------------------

_IPV4 = r"(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)\.){3}(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)"
_HEX = "[0-9A-Fa-f]{1,4}"
_LAST = f"(?:{_HEX}:{_HEX}|{_IPV4})"
_IPV6 = _either(
    [
        f"(?:{_HEX}:){{6}}{_LAST}",
        f"::(?:{_HEX}:){{5}}{_LAST}",
        f"(?:{_HEX})?::(?:{_HEX}:){{4}}{_LAST}",
        *(f"(?:(?:{_HEX}:){{0,{n}}}{_HEX})?::(?:{_HEX}:){{{4 - n}}}{_LAST}" for n in (1, 2, 3)),
        f"(?:(?:{_HEX}:){{0,4}}{_HEX})?::{_LAST}",
        f"(?:(?:{_HEX}:){{0,5}}{_HEX})?::{_HEX}",
        f"(?:(?:{_HEX}:){{0,6}}{_HEX})?::",
    ]
)
_PLAIN = r"A-Za-z0-9._~!$&'()*+,;=\-"
_PERCENT = "%[0-9A-Fa-f]{2}"
_SEGMENT = f"(?:[{_PLAIN}:@]|{_PERCENT})"
_HOST = rf"(?:\[(?:{_IPV6}|[Vv][0-9A-Fa-f]+\.[{_PLAIN}:]+)\]|(?:[{_PLAIN}]|{_PERCENT})*)"
_AUTHORITY = rf"//(?:(?:[{_PLAIN}:]|{_PERCENT})*@)?{_HOST}(?::\d*)?(?:/{_SEGMENT}*)*"
_ABSOLUTE = f"/(?:{_SEGMENT}+(?:/{_SEGMENT}*)*)?"
_END = rf"(?:\?(?:{_SEGMENT}|[/?])*)?(?:#(?:{_SEGMENT}|[/?])*)?"
_URI = rf"[A-Za-z][A-Za-z0-9+.\-]*:(?:{_AUTHORITY}|{_ABSOLUTE}|{_SEGMENT}+(?:/{_SEGMENT}*)*)?{_END}"
_BESIDE = f"(?:[{_PLAIN}@]|{_PERCENT})+(?:/{_SEGMENT}*)*"
_RELATIVE = f"(?:{_AUTHORITY}|{_ABSOLUTE}|{_BESIDE})?{_END}"

# --- pointers: RFC 6901, 3; relative ones: draft-handrews-relative-json-pointer-01, 3 -----------------------------------

_POINTER = "(?:/(?:[^~/]|~[01])*)*"

FORMATS: Mapping[str, str] = {
    name: f"^(?:{pattern})$"
    for name, pattern in {
        "date": _DATE,
        "time": _TIME,
        "date-time": f"{_DATE}[Tt]{_TIME}",
        "duration": rf"P(?:\d+W|{_OF_DAY}|{_OF_YEARS}(?:{_OF_DAY})?)",
        "ipv4": _IPV4,
        "ipv6": _IPV6,
        "uri": _URI,
        "uri-reference": f"{_URI}|{_RELATIVE}",
        "uuid": "[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}",
        "json-pointer": _POINTER,
        "relative-json-pointer": f"(?:0|[1-9][0-9]*)(?:#|{_POINTER})",
    }.items()
}
"""The formats that can be asserted."""


def unknown(names: Iterable[str]) -> list[str]:
    """Those of ``names`` that cannot be asserted."""
    return [name for name in names if name != ALL and name not in FORMATS]


def chosen(names: Iterable[str]) -> frozenset[str]:
    """The formats that ``names`` means."""
    listed = frozenset(names)
    return frozenset(FORMATS) if ALL in listed else listed
