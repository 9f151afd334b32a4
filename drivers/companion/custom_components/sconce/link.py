"""The WebSocket to a panel: dial, greet, prove the key, then sealed frames; or pair in its place."""

import asyncio
from collections.abc import Mapping
import contextlib
import json
from typing import Any

from aiohttp import (
    ClientError,
    ClientSession,
    ClientWebSocketResponse,
    WSCloseCode,
    WSMessage,
    WSMsgType,
    WSServerHandshakeError,
)
from yarl import URL

from .const import (
    MESSAGE_BYTES,
    PING_SECONDS,
    PROOF_SECONDS,
    PROTOCOL,
    SOCKET_PATH,
    STEP_SECONDS,
    WAITING_MESSAGES,
)
from .crypto import Cipher, CryptoError, Handshake, Paired, PairingSecret, prologue

_JSON_CHANNEL = 0


class LinkError(Exception):
    """The panel cannot be used just now; `code` is a key of the translations."""

    def __init__(self, code: str, message: str = "") -> None:
        """Keep the panel's own words, if it sent any."""
        super().__init__(message or code)
        self.code = code
        self.message = message


class Refused(LinkError):
    """The panel said no and why: `code` is its word, such as `unknown-key`."""


class NotProved(LinkError):
    """The other end greets like the panel, but does not have its key."""

    def __init__(self) -> None:
        """Without words: it sends none."""
        super().__init__("not_proved")


class Lost(LinkError):
    """The connection ended."""

    def __init__(self) -> None:
        """Without words: a cut has none."""
        super().__init__("lost")


def _object(text: str | bytes) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise LinkError("not_a_panel") from error
    if not isinstance(value, dict):
        raise LinkError("not_a_panel")
    return value


def _hex(message: Mapping[str, Any], name: str, size: int) -> bytes:
    value = message.get(name)
    if not isinstance(value, str) or len(value) != 2 * size:
        raise LinkError("not_a_panel")
    try:
        return bytes.fromhex(value)
    except ValueError as error:
        raise LinkError("not_a_panel") from error


def _text(message: Mapping[str, Any], name: str) -> str:
    value = message.get(name)
    return value if isinstance(value, str) else ""


def _side_to_update(panel_speaks: Any) -> str:
    """Name the side that is too old: the one whose newest protocol the other does not speak any more."""
    newest = panel_speaks[1] if isinstance(panel_speaks, list) and len(panel_speaks) == 2 else panel_speaks
    return "update_panel" if isinstance(newest, int) and newest < PROTOCOL[0] else "update_integration"


def _refusal(message: Mapping[str, Any]) -> LinkError:
    if message.get("code") == "protocol":
        return LinkError(_side_to_update(message.get("protocol")), _text(message, "message"))
    return Refused(_text(message, "code"), _text(message, "message"))


class Greeted:
    """A socket on which both ends have greeted each other; nothing is proved yet."""

    def __init__(self, socket: ClientWebSocketResponse, bound_to: bytes, panel: Mapping[str, Any]) -> None:
        """Begin with what the panel says of itself before proof."""
        self._socket = socket
        self.bound_to = bound_to
        self.panel_id = _text(panel, "id")
        self.name = _text(panel, "name") or self.panel_id
        self.model = _text(panel, "model")

    async def send(self, message: Mapping[str, Any]) -> None:
        """Send a plain message."""
        with _cut_as_loss():
            await self._socket.send_str(json.dumps(message))

    async def send_bytes(self, message: bytes) -> None:
        """Send a step of the handshake."""
        with _cut_as_loss():
            await self._socket.send_bytes(message)

    async def receive(self) -> dict[str, Any]:
        """Return the next plain message."""
        frame = await self._socket.receive()
        if frame.type is not WSMsgType.TEXT:
            raise Lost
        message = _object(frame.data)
        if message.get("type") == "refused":
            raise _refusal(message)
        return message

    async def receive_bytes(self) -> bytes:
        """Return the next step of the handshake."""
        frame = await self._socket.receive()
        if frame.type is WSMsgType.TEXT:
            raise _refusal(_object(frame.data))
        if frame.type is not WSMsgType.BINARY:
            # What does not prove the key is closed without a word; anything else is a cut.
            raise NotProved if frame.data == WSCloseCode.POLICY_VIOLATION else Lost
        return bytes(frame.data)

    async def close(self) -> None:
        """Leave without a word."""
        await _close(self._socket, WSCloseCode.OK)

    def socket(self) -> ClientWebSocketResponse:
        """Return the socket for what comes after the proof."""
        return self._socket


@contextlib.contextmanager
def _cut_as_loss() -> Any:
    try:
        yield
    except (ClientError, ConnectionError, RuntimeError) as error:  # RuntimeError: aiohttp, of a socket that is closing.
        raise Lost from error


async def _close(socket: ClientWebSocketResponse, code: int) -> None:
    # A panel that does not answer must not hold up its caller.
    with contextlib.suppress(ClientError, ConnectionError, TimeoutError):
        async with asyncio.timeout(1):
            await socket.close(code=code)


async def _dial(session: ClientSession, host: str, port: int) -> ClientWebSocketResponse:
    try:
        url = URL.build(scheme="http", host=host, port=port, path=SOCKET_PATH)
        return await session.ws_connect(url, compress=0, max_msg_size=MESSAGE_BYTES, heartbeat=PING_SECONDS)
    except WSServerHandshakeError as error:
        # 403: the panel knows itself by other names (or takes this for a browser); 404: an older panel, or none.
        code = {403: "host_refused", 404: "no_socket", 503: "cannot_connect"}.get(error.status, "not_a_panel")
        raise LinkError(code) from error
    except (ClientError, OSError, ValueError) as error:  # ValueError: a host that is no host.
        raise LinkError("cannot_connect") from error


async def greet(
    session: ClientSession, host: str, port: int, client: Mapping[str, str], key_id: str | None = None
) -> Greeted:
    """Dial a panel and exchange greetings, the first step of everything."""
    socket: ClientWebSocketResponse | None = None
    try:
        async with asyncio.timeout(PROOF_SECONDS):
            socket = await _dial(session, host, port)
            hello: dict[str, Any] = {"type": "hello", "protocol": list(PROTOCOL), "client": dict(client)}
            if key_id is not None:
                hello["key_id"] = key_id
            greeting = json.dumps(hello)
            with _cut_as_loss():
                await socket.send_str(greeting)
            frame = await socket.receive()
            if frame.type is not WSMsgType.TEXT:
                raise LinkError("not_a_panel")
            answer = _object(frame.data)
            if answer.get("type") == "refused":
                raise _refusal(answer)
            speaks = answer.get("protocol")
            if answer.get("type") != "hello" or not _text(answer, "id") or not isinstance(speaks, int):
                raise LinkError("not_a_panel")
            if not PROTOCOL[0] <= speaks <= PROTOCOL[1]:
                raise LinkError(_side_to_update(speaks))
            return Greeted(socket, prologue(greeting.encode(), frame.data.encode()), answer)
    except BaseException as error:
        if socket is not None:
            await _close(socket, WSCloseCode.OK)
        if isinstance(error, TimeoutError):
            raise LinkError("cannot_connect") from error
        raise


async def prove(
    session: ClientSession, host: str, port: int, client: Mapping[str, str], key_id: str, key: bytes
) -> Connection:
    """Dial a panel and prove the key, both ways; the panel counts the connection from its first message on."""
    greeted = await greet(session, host, port, client, key_id)
    try:
        async with asyncio.timeout(PROOF_SECONDS):
            handshake = Handshake(key, greeted.bound_to)
            await greeted.send_bytes(handshake.first())
            to_panel, from_panel = handshake.second(await greeted.receive_bytes())
            return Connection(greeted, to_panel, from_panel)
    except BaseException as error:
        await greeted.close()
        if isinstance(error, CryptoError):
            raise NotProved from error
        if isinstance(error, TimeoutError):
            raise LinkError("cannot_connect") from error
        raise


class Connection:
    """A proven connection: whole messages in sealed frames."""

    def __init__(self, greeted: Greeted, to_panel: Cipher, from_panel: Cipher) -> None:
        """Begin right after the handshake."""
        self._socket = greeted.socket()
        self._to_panel = to_panel
        self._from_panel = from_panel
        self._sending = asyncio.Lock()
        self._waiting = 0
        self.panel_id = greeted.panel_id

    async def send(self, message: Mapping[str, Any]) -> None:
        """Send a message; a panel that takes none for long loses the connection."""
        if self._waiting >= WAITING_MESSAGES:
            await _close(self._socket, WSCloseCode.TRY_AGAIN_LATER)
            raise Lost
        plain = bytes([_JSON_CHANNEL]) + json.dumps(message).encode()
        self._waiting += 1
        try:
            # Frames are numbered: they leave in the order in which they were sealed.
            async with self._sending:
                with _cut_as_loss():
                    await self._socket.send_bytes(self._to_panel.seal(plain))
        finally:
            self._waiting -= 1

    async def receive(self) -> dict[str, Any]:
        """Return the next message; frames of a channel that is not in use yet are passed over."""
        while True:
            frame: WSMessage = await self._socket.receive()
            if frame.type is not WSMsgType.BINARY:
                raise Lost
            try:
                plain = self._from_panel.open(frame.data)
            except CryptoError as error:
                await _close(self._socket, WSCloseCode.POLICY_VIOLATION)
                raise Lost from error
            if plain[:1] == bytes([_JSON_CHANNEL]):
                return _object(plain[1:])

    async def close(self) -> None:
        """End the connection in order."""
        await _close(self._socket, WSCloseCode.OK)


class Pairing:
    """A pairing under way: the digits are known, the panel asks, a person walks between the two."""

    def __init__(self, greeted: Greeted, paired: Paired) -> None:
        """Keep reading, so that a refusal at the panel is known at once."""
        self._greeted = greeted
        self._paired = paired
        self._end = asyncio.create_task(self._until_the_end(), name="sconce pairing")
        # A flow that is given up does not look at the outcome.
        self._end.add_done_callback(lambda task: task.cancelled() or task.exception())

    @classmethod
    async def begin(cls, greeted: Greeted) -> Pairing:
        """Exchange keys; the panel asks its question from here on."""
        secret = PairingSecret()
        try:
            async with asyncio.timeout(STEP_SECONDS):
                await greeted.send({"type": "pair", "commit": secret.commit.hex()})
                answer = await greeted.receive()
                panel_public, panel_nonce = _hex(answer, "key", 32), _hex(answer, "nonce", 16)
                paired = secret.derive(greeted.bound_to, panel_public, panel_nonce)
                await greeted.send({"type": "reveal", "key": secret.public.hex(), "nonce": secret.nonce.hex()})
        except BaseException as error:
            await greeted.close()
            if isinstance(error, TimeoutError):
                raise LinkError("cannot_connect") from error
            if isinstance(error, CryptoError):
                raise LinkError("not_a_panel") from error
            raise
        return cls(greeted, paired)

    async def _until_the_end(self) -> Paired:
        while True:
            answer = await self._greeted.receive()
            if answer.get("type") == "paired":
                if answer.get("key_id") != self._paired.key_id:
                    raise LinkError("not_a_panel")
                return self._paired

    def is_right(self, digits: str) -> bool:
        """Compare the digits that a person read at the panel."""
        return digits == self._paired.digits

    async def raise_if_refused(self, seconds: float) -> None:
        """Raise what ended the pairing early, if that happens within `seconds`."""
        done, _ = await asyncio.wait({self._end}, timeout=seconds)
        if done:
            self._end.result()

    async def confirm(self) -> Paired:
        """Tell the panel that the digits are right; return the key once a person allowed it there."""
        await self._greeted.send({"type": "confirm"})
        try:
            return await self._end
        finally:
            await self._greeted.close()

    async def close(self) -> None:
        """Give up."""
        self._end.cancel()
        await self._greeted.close()
