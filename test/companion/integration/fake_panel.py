"""A panel over a real socket: the panel's side of the wire, written from its contract, with a Noise of its own."""

import asyncio
from collections.abc import Callable, Mapping
import hashlib
import json
import os
from typing import Any

from aiohttp import WSMsgType, web
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from noise.connection import NoiseConnection
from noise.exceptions import NoiseInvalidMessage

PROTOCOL = "Noise_NNpsk0_25519_ChaChaPoly_SHA256"


def prologue_of(greeting: str, answer: str) -> bytes:
    """Both greetings, each behind its length."""
    parts = [part.encode() for part in (greeting, answer)]
    return b"sconce-companion-1" + b"".join(len(part).to_bytes(4, "big") + part for part in parts)


def derived(secret: bytes, transcript: bytes) -> tuple[str, bytes, str]:
    """Digits, key and key id."""
    material = HKDF(hashes.SHA256(), 44, transcript, b"sconce pairing").derive(secret)
    digits = str(int.from_bytes(material[32:40], "big") % 1_000_000).zfill(6)
    return digits, material[:32], material[40:].hex() + hashlib.sha256(material[:32]).hexdigest()[:8]


class Session:
    """One connection of a Home Assistant that proved its key."""

    def __init__(self, socket: web.WebSocketResponse, request: web.Request, noise: NoiseConnection) -> None:
        self.socket = socket
        self.request = request
        self.noise = noise
        self.received: list[dict[str, Any]] = []

    async def send(self, message: Mapping[str, Any]) -> None:
        """Seal a message and send it."""
        await self.socket.send_bytes(self.noise.encrypt(b"\0" + json.dumps(message).encode()))

    def cut(self) -> None:
        """End the connection without a word, as a dead panel does."""
        if self.request.transport is not None:
            self.request.transport.abort()


class FakePanel:
    """What a test says of the panel, and what Home Assistant said to it."""

    def __init__(self, panel_id: str = "hall") -> None:
        self.id = panel_id
        self.port = 0
        self.protocol: Any = 1
        self.refused: dict[str, Any] | None = None
        self.status = 101
        self.silent = False
        self.keys: dict[str, bytes] = {}
        self.panel: dict[str, Any] = {
            "id": panel_id,
            "name": "Hall",
            "manufacturer": "Sconce",
            "model": "Simulated panel",
            "version": "0.2.0",
            "configuration_url": "http://127.0.0.1:8888/",
        }
        # The way in which it reaches Home Assistant; None says nothing of it.
        self.surface: str | None = None
        # Whether it still looks at its parts.
        self.checking = False
        self.items: list[dict[str, Any]] = []
        self.states: dict[str, dict[str, Any]] = {}
        # How a command ends, by row; None answers nothing.
        self.outcomes: dict[str, dict[str, Any] | None] = {}
        self.session: Session | None = None
        self.sessions: list[Session] = []
        self.hellos: list[dict[str, Any]] = []
        self.headers: list[Mapping[str, str]] = []
        self.digits: list[str] = []
        # What the question at the panel ends with; "paired" once a test has touched Allow.
        self.touched = asyncio.Event()
        self.answer = "paired"
        self.at_once: str | None = None
        self.pairings = 0
        self.pictures = 0
        self.changed = asyncio.Condition()
        self._runner: web.AppRunner | None = None
        self._released = asyncio.Event()

    async def start(self) -> None:
        """Listen, at the same port as before if there was one."""
        app = web.Application()
        app.router.add_get("/api/v1/companion/socket", self._socket)
        app.router.add_get("/api/v1/picture", self._picture)
        self._runner = web.AppRunner(app, shutdown_timeout=0.1)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", self.port, reuse_address=True)
        await site.start()
        self.port = self._runner.addresses[0][1]

    async def stop(self) -> None:
        """Die: connections are cut, and nothing listens."""
        self._released.set()
        for session in self.sessions:
            session.cut()
        if self._runner is not None:
            await self._runner.cleanup()
            self._runner = None

    def with_key(self, key_id: str = "00112233aabbccdd") -> dict[str, Any]:
        """Let the panel know a Home Assistant; return the data of its config entry."""
        self.keys[key_id] = os.urandom(32)
        return {"host": "127.0.0.1", "port": self.port, "key_id": key_id, "key": self.keys[key_id].hex()}

    async def until(self, condition: Callable[[], Any]) -> Any:
        """Wait for what Home Assistant says or does."""
        async with asyncio.timeout(5), self.changed:
            return await self.changed.wait_for(condition)

    async def heard(self, **wanted: Any) -> dict[str, Any]:
        """Wait for a message with these fields, in any session."""

        def found() -> dict[str, Any] | None:
            messages = [message for session in self.sessions for message in session.received]
            return next((m for m in messages if wanted.items() <= m.items()), None)

        return await self.until(found)

    def heard_all(self, kind: str) -> list[dict[str, Any]]:
        """Every message of a kind so far."""
        return [m for session in self.sessions for m in session.received if m["type"] == kind]

    async def send(self, **message: Any) -> None:
        """Send a message to the session in use."""
        assert self.session is not None
        await self.session.send(message)

    async def state(self, k: str, shown: Any, available: bool = True, **attributes: Any) -> None:
        """Change a state, and send it."""
        self.states[k] = {"available": available, "v": shown, "attributes": attributes}
        await self.send(type="state", k=k, **self.states[k])

    async def catalogue(self) -> None:
        """Send all rows and states."""
        said = {"surface": self.surface} if self.surface else {}
        await self.send(type="catalogue", rev=len(self.sessions), panel=self.panel, items=self.items, **said)
        for item in (item for item in self.items if isinstance(item, dict)):
            state = self.states.get(item["k"], {"available": True, "v": None})
            await self.send(type="state", k=item["k"], **state)
        await self.send(type="synced", **({"checking": True} if self.checking else {}))

    async def move(self, to: str, step: str, answer: str) -> dict[str, Any]:
        """Have Home Assistant take a step of a move; return its answer."""
        before = len(self.heard_all("moved"))
        await self.send(type="move", to=to, step=step)
        moved = await self.until(lambda: self.heard_all("moved")[before:])
        assert (moved[0]["to"], moved[0]["step"]) == (to, answer), moved[0]
        return moved[0]

    async def _note(self) -> None:
        async with self.changed:
            self.changed.notify_all()

    async def _picture(self, _request: web.Request) -> web.Response:
        self.pictures += 1
        return web.Response(body=b"\xff\xd8\xff\xe0picture", content_type="image/jpeg")

    async def _socket(self, request: web.Request) -> web.StreamResponse:
        self.headers.append(dict(request.headers))
        if self.status != 101:
            return web.Response(status=self.status)
        socket = web.WebSocketResponse(compress=False, autoping=False)
        await socket.prepare(request)
        try:
            await self._greet(request, socket)
        except ConnectionError, RuntimeError:
            pass  # Home Assistant went away.
        finally:
            await self._note()
        return socket

    async def _text(self, socket: web.WebSocketResponse) -> str | None:
        while True:
            frame = await socket.receive()
            if frame.type is WSMsgType.TEXT:
                return frame.data
            if frame.type is WSMsgType.PING:
                await socket.pong(frame.data)
            elif frame.type is not WSMsgType.PONG:
                return None

    async def _refuse(self, socket: web.WebSocketResponse, code: str, message: str = "No.", **more: Any) -> None:
        refusal = {"type": "refused", "code": code, "message": message, "protocol": [1, 1], **more}
        await socket.send_str(json.dumps(refusal))
        await socket.close(code=1008)

    async def _greet(self, request: web.Request, socket: web.WebSocketResponse) -> None:
        greeting = await self._text(socket)
        if greeting is None:
            return
        hello = json.loads(greeting)
        self.hellos.append(hello)
        await self._note()
        if self.refused is not None:
            await self._refuse(socket, **self.refused)
            return
        if "key_id" in hello and hello["key_id"] not in self.keys:
            await self._refuse(socket, "unknown-key", "This key is not known here.")
            return
        answer = {"type": "hello", "protocol": self.protocol, "id": self.id, "name": self.panel["name"], "model": "S"}
        text = json.dumps(answer, indent=1)
        await socket.send_str(text)
        bound_to = prologue_of(greeting, text)
        if "key_id" in hello:
            await self._prove(request, socket, bound_to, self.keys[hello["key_id"]])
        else:
            await self._pair(socket, bound_to)

    async def _prove(self, request: web.Request, socket: web.WebSocketResponse, bound_to: bytes, key: bytes) -> None:
        noise = NoiseConnection.from_name(PROTOCOL.encode())
        noise.set_psks(key)
        noise.set_as_responder()
        noise.set_prologue(bound_to)
        noise.start_handshake()
        frame = await socket.receive()
        if frame.type is not WSMsgType.BINARY:
            return
        try:
            noise.read_message(frame.data)
            await socket.send_bytes(noise.write_message())
            await self._serve(Session(socket, request, noise))
        except InvalidTag, NoiseInvalidMessage, ValueError:
            await socket.close(code=1008)

    async def _serve(self, session: Session) -> None:
        while True:
            frame = await session.socket.receive()
            if self.silent:
                await self._released.wait()
                return
            if frame.type is WSMsgType.PING:
                await session.socket.pong(frame.data)
            if frame.type is WSMsgType.BINARY:
                await self._opened(session, json.loads(session.noise.decrypt(frame.data)[1:]))
            elif frame.type not in (WSMsgType.PING, WSMsgType.PONG):
                if self.session is session:
                    self.session = None
                return

    async def _opened(self, session: Session, message: dict[str, Any]) -> None:
        session.received.append(message)
        if len(session.received) == 1:
            # Only now does it count.
            self.session = session
            self.sessions.append(session)
            await self.catalogue()
        if message["type"] == "set":
            outcome = self.outcomes.get(message["k"], {"ok": True})
            if outcome is not None:
                await session.send({"type": "result", "id": message["id"], **outcome})
        await self._note()

    async def _pair(self, socket: web.WebSocketResponse, bound_to: bytes) -> None:
        self.pairings += 1
        first = json.loads(await self._text(socket) or "{}")
        if first.get("type") != "pair":
            return
        private, nonce = X25519PrivateKey.generate(), os.urandom(16)
        public = private.public_key().public_bytes_raw()
        await socket.send_str(json.dumps({"type": "pair", "key": public.hex(), "nonce": nonce.hex()}))
        reveal = json.loads(await self._text(socket) or "{}")
        peer, peer_nonce = bytes.fromhex(reveal["key"]), bytes.fromhex(reveal["nonce"])
        if hashlib.sha256(peer + peer_nonce).hexdigest() != first["commit"]:
            await self._refuse(socket, "malformed")
            return
        if self.at_once is not None:
            await self._refuse(socket, self.at_once)
            return
        secret = private.exchange(X25519PublicKey.from_public_bytes(peer))
        transcript = hashlib.sha256(bound_to + public + nonce + peer + peer_nonce).digest()
        digits, key, key_id = derived(secret, transcript)
        self.digits.append(digits)
        await self._note()
        confirmed = asyncio.create_task(self._text(socket))
        touched = asyncio.create_task(self.touched.wait())
        try:
            await asyncio.wait({confirmed, touched}, return_when=asyncio.FIRST_COMPLETED)
            if confirmed.done() and json.loads(confirmed.result() or "{}").get("type") != "confirm":
                return
            await touched
            if self.answer != "paired":
                await self._refuse(socket, self.answer)
                return
            if json.loads(await confirmed or "{}").get("type") != "confirm":
                return
            self.keys[key_id] = key
            await socket.send_str(json.dumps({"type": "paired", "key_id": key_id}))
            await socket.close(code=1000)
        finally:
            confirmed.cancel()
            touched.cancel()
            await asyncio.gather(confirmed, touched, return_exceptions=True)
