"""Noise and the digits: against an independent implementation, and against the vectors that the panel keeps to."""

import json
from pathlib import Path
import secrets

from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey
from noise.connection import NoiseConnection
import pytest

from custom_components.sconce.crypto import Cipher, CryptoError, Handshake, PairingSecret, prologue

from .fake_panel import PROTOCOL

VECTORS = json.loads(Path(__file__).with_name("vectors.json").read_text(encoding="utf-8"))


def responder(key: bytes, bound_to: bytes) -> NoiseConnection:
    """The panel's end, by the package `noiseprotocol`."""
    noise = NoiseConnection.from_name(PROTOCOL.encode())
    noise.set_psks(key)
    noise.set_as_responder()
    noise.set_prologue(bound_to)
    noise.start_handshake()
    return noise


def connected(key: bytes) -> tuple[NoiseConnection, Cipher, Cipher]:
    """Both ends after a handshake."""
    panel, handshake = responder(key, b"bound"), Handshake(key, b"bound")
    panel.read_message(handshake.first())
    return panel, *handshake.second(bytes(panel.write_message()))


def test_both_ends_understand_each_other() -> None:
    panel, to_panel, from_panel = connected(secrets.token_bytes(32))
    for size in (0, 1, 200, 65_000):
        data = secrets.token_bytes(size)
        assert panel.decrypt(to_panel.seal(data)) == data
        assert from_panel.open(bytes(panel.encrypt(data))) == data


def test_a_changed_repeated_or_skipped_frame_is_refused() -> None:
    panel, _, from_panel = connected(secrets.token_bytes(32))
    first, second = bytes(panel.encrypt(b"one")), bytes(panel.encrypt(b"two"))
    for wrong in (second, first[:-1] + bytes([first[-1] ^ 1]), first[:-1], b"", b"x"):
        with pytest.raises(CryptoError):
            from_panel.open(wrong)
    assert from_panel.open(first) == b"one"
    with pytest.raises(CryptoError):
        from_panel.open(first)
    assert from_panel.open(second) == b"two"


def test_another_key_or_greeting_proves_nothing() -> None:
    key = secrets.token_bytes(32)
    for panel in (responder(secrets.token_bytes(32), b"bound"), responder(key, b"other")):
        with pytest.raises(Exception):  # noqa: B017, PT011  (the package has several)
            panel.read_message(Handshake(key, b"bound").first())
    # A panel that answers without the key.
    handshake, honest = Handshake(key, b"bound"), Handshake(key, b"bound")
    panel = responder(key, b"bound")
    panel.read_message(honest.first())
    handshake.first()
    answer = bytes(panel.write_message())
    for wrong in (answer, answer[:-1], bytes(32) + answer[32:], b""):
        with pytest.raises(CryptoError):
            Handshake(key, b"bound").second(wrong)


def test_a_peer_key_that_makes_the_secret_zero_is_refused() -> None:
    for public in (bytes(32), bytes([1]) + bytes(31)):
        with pytest.raises(CryptoError):
            PairingSecret().derive(b"bound", public, bytes(16))


def test_the_session_of_the_vectors() -> None:
    session = VECTORS["session"]
    bound_to = prologue(session["client_greeting"].encode(), session["panel_greeting"].encode())
    assert bound_to.hex() == session["prologue"]
    private = X25519PrivateKey.from_private_bytes(bytes.fromhex(session["client_ephemeral"]))
    handshake = Handshake(bytes.fromhex(session["psk"]), bound_to, private)
    assert handshake.first().hex() == session["first_message"]
    to_panel, from_panel = handshake.second(bytes.fromhex(session["second_message"]))
    for frame in session["from_client"]:
        assert to_panel.seal(bytes([frame["channel"]]) + frame["text"].encode()).hex() == frame["frame"]
    for frame in session["from_panel"]:
        plain = from_panel.open(bytes.fromhex(frame["frame"]))
        assert (plain[0], plain[1:].decode()) == (frame["channel"], frame["text"])


def test_the_pairing_of_the_vectors() -> None:
    pairing = VECTORS["pairing"]
    bound_to = prologue(pairing["client_greeting"].encode(), pairing["panel_greeting"].encode())
    assert bound_to.hex() == pairing["prologue"]
    private = X25519PrivateKey.from_private_bytes(bytes.fromhex(pairing["client_private_key"]))
    secret = PairingSecret(private, bytes.fromhex(pairing["client_nonce"]))
    assert secret.public.hex() == pairing["client_public_key"]
    assert secret.commit.hex() == pairing["commit"]
    paired = secret.derive(bound_to, bytes.fromhex(pairing["panel_public_key"]), bytes.fromhex(pairing["panel_nonce"]))
    assert (paired.digits, paired.key.hex(), paired.key_id) == (pairing["digits"], pairing["key"], pairing["key_id"])
