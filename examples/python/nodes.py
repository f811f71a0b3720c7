"""One node: its connection, what its server has to say, its scripts, and this client's part in its quarantine."""

import asyncio
import collections
import contextlib
import hashlib
import random
import re
import secrets
import time

GRANTED = ("granted",)
NO_VOTE = ("quarantined", "conflict", "none")
NOT_KNOWN = ("", "", "")
RUN = object()  # An argument that stands for the run id of the connection over which it is sent.


def _number(mark):
    return int(re.match(r"\d*", mark)[0] or 0)


class ServerError(Exception):
    """The server has replied with an error."""


class Unfit(Exception):
    """The server must not be a node; the message says why."""


class Connection:
    """A connection to one process of a server. A command is sent once; without a reply its outcome is unknown."""

    MOST_PENDING, SILENT_AFTER = 10_000, 10.0

    def __init__(self, reader, writer):
        self._writer, self._pending, self.is_open = writer, collections.deque(), True
        self._asked = time.monotonic()
        self._reading = asyncio.ensure_future(self._read(reader))

    @classmethod
    async def to(cls, host, port):
        return cls(*await asyncio.open_connection(host, port, limit=1 << 20))

    async def command(self, *words):
        if not self.is_open or len(self._pending) >= self.MOST_PENDING:
            raise ConnectionError("no connection")
        if not self._pending:
            self._asked = time.monotonic()
        elif time.monotonic() - self._asked > self.SILENT_AFTER:
            self.close()
            raise ConnectionError("no reply for 10 s")
        reply = asyncio.get_running_loop().create_future()
        self._pending.append(reply)
        encoded = [str(word).encode() for word in words]
        self._writer.write(b"*%d\r\n" % len(words) + b"".join(b"$%d\r\n%s\r\n" % (len(w), w) for w in encoded))
        return await asyncio.shield(reply)

    async def _read(self, reader):
        try:
            while True:
                reply = await self._reply(reader)
                self._asked = time.monotonic()
                waiting = self._pending.popleft()
                if isinstance(reply, ServerError):
                    waiting.set_exception(reply)
                    waiting.exception()
                else:
                    waiting.set_result(reply)
        except (OSError, EOFError, ValueError, IndexError, asyncio.LimitOverrunError, asyncio.CancelledError):
            self.close()

    async def _reply(self, reader):
        """RESP2. A foreign client may have stored any bytes, which the mark of a holder shows."""
        line = (await reader.readuntil(b"\r\n"))[:-2].decode()
        kind, rest = line[:1], line[1:]
        if kind == "+":
            return rest
        if kind == "-":
            return ServerError(rest)
        if kind == ":":
            return int(rest)
        if kind == "$":
            return None if rest == "-1" else (await reader.readexactly(int(rest) + 2))[:-2].decode(errors="replace")
        if kind == "*":
            return [await self._reply(reader) for _ in range(int(rest))]
        raise ValueError(f"unexpected reply {line!r}")

    def close(self):
        self.is_open = False
        self._writer.close()
        self._reading.cancel()
        while self._pending:
            waiting = self._pending.popleft()
            if not waiting.done():
                waiting.set_exception(ConnectionError("the connection has ended"))
                waiting.exception()


class Node:
    """One vote."""

    def __init__(self, address, config, durable, runs, scripts):
        self.host, _, port = address.removeprefix("redis://").rpartition(":")
        self.port, self.config, self.durable = int(port), config, durable
        self._runs, self._scripts, self._texts = runs, scripts, {}
        self._opening, self._failures, self._not_before = None, 0, 0.0
        self._watch = None

    # The connection

    async def settled(self):
        try:
            await self._connection()
        except (OSError, EOFError, ServerError, Unfit, ValueError):
            pass

    async def _connection(self):
        """Returns the present connection and the run id of the server that it leads to."""
        opening = self._opening
        if opening is not None and opening.done():
            failed = opening.cancelled() or opening.exception() is not None
            if failed or not opening.result()[0].is_open:
                opening = None
        if opening is None:
            if time.monotonic() < self._not_before:
                raise ConnectionError("no connection")
            opening = self._opening = asyncio.ensure_future(self._open())
        return await asyncio.shield(opening)

    async def _open(self):
        try:
            connection = await Connection.to(self.host, self.port)
            try:
                identity = await self._identify(connection)
            except BaseException:
                connection.close()
                raise
            self._failures = 0
            return connection, "" if self.durable else identity[0], identity
        except BaseException:
            self._failures += 1
            self._not_before = time.monotonic() + random.uniform(0, min(2.0, 0.05 * 2 ** min(self._failures, 6)))
            raise

    async def _identify(self, connection):
        """Section A connection: only such a server may be a node."""
        lines = (line.partition(":") for line in (await connection.command("INFO")).splitlines())
        info = {name: value for name, _, value in lines}
        if info.get("role") != "master":
            raise Unfit("it is not a master, or does not say")
        evicts = info.get("maxmemory_policy") != "noeviction"
        if "maxmemory_policy" not in info or (evicts and info.get("maxmemory") != "0"):
            raise Unfit("it may evict keys")
        if info.get("cluster_enabled") != "0":
            raise Unfit("it may keep only a part of the keys")
        run, history = info.get("run_id", ""), info.get("master_replid2", "")
        is_known = re.fullmatch("[0-9a-fA-F]{40}", run) and run.strip("0")
        if not is_known and not (self.durable and self.config.startswith("1/")):
            raise Unfit("it has no run_id")
        if not self.durable and not re.fullmatch("[0-9a-f]{40}", history):
            raise Unfit("it has no master_replid2")
        if is_known and self._runs.setdefault(run, self) is not self:
            raise Unfit("it is the server of another node")
        for other in [other for other, node in self._runs.items() if node is self and other != run]:
            del self._runs[other]
        return run, history

    async def _check(self):
        """Leaves a server that has changed."""
        connection, _, identity = await self._connection()
        try:
            if await self._identify(connection) != identity:
                connection.close()
        except (Unfit, ServerError):
            connection.close()

    # Scripts

    def _text(self, name):
        """Section Scripts."""
        return re.sub(r"(?m)^-- @include (\S+)\n", lambda line: self._text(line[1]), self._scripts[name])

    async def command(self, *words):
        """Sends a command whose outcome does not matter."""
        with contextlib.suppress(OSError, EOFError, ServerError, Unfit, ValueError):
            await (await self._connection())[0].command(*words)

    async def call(self, script, keys, *arguments):
        """Runs a script. Returns its reply as words, or a vote 'none' with the reason."""
        try:
            connection, run, _ = await self._connection()
            if script not in self._texts:
                text = self._text(script)
                self._texts[script] = text, hashlib.sha1(text.encode()).hexdigest()
            text, digest = self._texts[script]
            rest = [len(keys), *keys, *(run if word is RUN else word for word in arguments)]
            try:
                reply = await connection.command("EVALSHA", digest, *rest)
            except ServerError as error:
                if str(error).startswith(("READONLY", "MOVED")):
                    connection.close()
                if not str(error).startswith("NOSCRIPT"):
                    raise
                reply = await connection.command("EVAL", text, *rest)
            words = [str(word) for word in ([reply] if isinstance(reply, str) else reply)]
            if words[0] == "quarantined":
                self._wanted.set()
            return words
        except (OSError, EOFError, ServerError, Unfit, ValueError, TypeError, IndexError) as failure:
            return ["none", f"{self.host}:{self.port}: {failure}"]

    # The quarantine

    def start(self, nodes, client, longest_lease):
        self._others = [node for node in nodes if node is not self]
        self._majority, self._needed = len(nodes) // 2 + 1, int(longest_lease * 1100)
        self._name, self._probes, self._wanted = f"{client}-{secrets.token_hex(8)}", 0, asyncio.Event()
        self._watch = asyncio.ensure_future(self._patrol())

    async def _patrol(self):
        while True:
            try:
                await self._check()
                if not self.durable:
                    await self._observe()
            except (OSError, EOFError, ServerError, Unfit, ValueError):
                pass
            self._wanted.clear()
            with contextlib.suppress(asyncio.TimeoutError):
                await asyncio.wait_for(self._wanted.wait(), 0.5 if self._failures else 5.0)

    async def _probe(self, observed=0, take_over=False, past=NOT_KNOWN, quarantine=""):
        self._probes += 1
        return await self.call(
            "probe", ["holdfast:marker"] * 3, RUN, f"{self._name}:{self._probes - 1}", f"{self._name}:{self._probes}",
            "1" if take_over else "0", observed, self._needed, past[0], self.config, quarantine, "", "", *past[1:])

    async def _look(self):
        """A probe that only reads."""
        name = f"{self._name}:floor"
        return await self.call("probe", ["holdfast:marker"] * 3, RUN, name, name, "0", 0, self._needed, "",
                               self.config, "", "", "", "", "")

    async def _observe(self):
        """Probes until the node votes; section probe."""
        pause = min(0.1, self._needed / 100_000)
        replied, last, idle, past, name = None, "", 0, NOT_KNOWN, ""
        while True:
            observed = 0 if replied is None else int((time.monotonic() - replied) * 1000)
            vote = await self._probe(observed, idle >= 3, past, name)
            if vote[0] != "quarantined":
                return
            is_observer, complete, name = vote[2] == "1", int(vote[1]) >= self._needed, vote[3]
            replied = time.monotonic() if is_observer else None
            idle = 0 if is_observer or (vote[1] != last and not complete) else idle + 1
            last = vote[1]
            past = await self._past() if complete and is_observer else NOT_KNOWN
            if past is NOT_KNOWN:
                await asyncio.sleep(pause)

    async def _past(self):
        """What the node may have forgotten: the floor, whether its set is closed, and the last mark."""
        looks = [asyncio.ensure_future(node._look()) for node in self._others]
        done, pending = await asyncio.wait(looks, timeout=1.0) if looks else ((), ())
        for one in pending:
            one.cancel()
        replies = [one.result() for one in done]
        enough = len(self._others) + 1 - self._majority + 1
        known = [reply for reply in replies if reply[0] == "admitted"]
        is_open = sum(reply[2] != "1" for reply in known) >= enough
        rejections = [reply[1] for reply in replies if reply[0] == "conflict"]
        if any(not is_open or config.split("+")[0] != self.config for config in rejections):
            return NOT_KNOWN  # A client that the set rejects admits none of its nodes.
        bounds = [int(reply[1]) for reply in known]
        if len(bounds) < enough:
            bounds.append(int((time.time() + 5) * 1_000_000))
        mark = max((reply[3] for reply in known), key=_number, default="")
        return str(max(bounds)), "0" if is_open else "", mark

    def close(self):
        if self._watch is not None:
            self._watch.cancel()
        opening = self._opening
        if opening is not None and opening.done() and not opening.cancelled() and opening.exception() is None:
            opening.result()[0].close()
        elif opening is not None:
            opening.cancel()
