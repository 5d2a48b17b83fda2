"""A Spark session for a master; what can be checked before Java starts is checked first."""

from __future__ import annotations

import importlib.util
import os
import shutil
import socket
from typing import Any
from urllib.parse import urlsplit

from hin.engines.base import EngineError
from hin.errors import BadUsage

_TIMEOUT = 10


def start_session(location: str) -> Any:
    """Return a session on the master of that name; Spark's own configuration files are respected.

    >>> start_session("spark://nowhere")
    Traceback (most recent call last):
    hin.errors.BadUsage: spark://nowhere names no port
    """
    master = location.removeprefix("spark:") if not location.startswith("spark://") else location
    if master.startswith("spark://"):
        _check_reachable(master)
    elif not master:
        raise BadUsage(f"{location} names no master", hint="write spark://host:7077")
    if importlib.util.find_spec("pyspark") is None:
        raise EngineError("the Spark engine is not installed", hint="install it with `pip install hin-toolkit[spark]`")
    if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
        raise EngineError("Spark needs Java, and there is none here", hint="install Java 17 or newer")
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.master(master).appName("hin")
    # Blocks come back whole and are taken one at a time, so Spark's own limit on them is not needed.
    for name, value in {"spark.driver.maxResultSize": "0", "spark.ui.showConsoleProgress": "false"}.items():
        builder = builder.config(name, value)
    try:
        return builder.getOrCreate()
    except Exception as error:
        reason = next(iter(str(error).splitlines()), type(error).__name__)[:300]
        raise EngineError(f"cannot start Spark on {master}: {reason}", hint="see Spark's log above") from None


def _check_reachable(master: str) -> None:
    """Raise when nothing listens at any of the masters: Spark itself would try for a minute."""
    for part in master.removeprefix("spark://").split(","):
        try:
            url = urlsplit(f"spark://{part}")
            host, port = url.hostname, url.port
        except ValueError:
            host, port = None, None
        if host is None or port is None:
            raise BadUsage(f"spark://{part} names no port", hint="write spark://host:7077")
        try:
            socket.create_connection((host, port), _TIMEOUT).close()
            return
        except OSError as error:
            reason = error.strerror or str(error)
    raise EngineError(f"no Spark master answers at {master} ({reason})", hint="check the address, or start the master")
