"""Proof and encryption of the connection: Noise NNpsk0 as its initiator, and the digits of pairing.

Noise revision 34, sections 5 and 9; `cryptography` has all that it is made of.
"""

from collections.abc import Callable
from dataclasses import dataclass
import hashlib
import hmac
import os

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from .const import PROLOGUE

_NOISE_NAME = b"Noise_NNpsk0_25519_ChaChaPoly_SHA256"
_PAIRING_INFO = b"sconce pairing"
_TAG = 16


class CryptoError(Exception):
    """The other end does not have the key, or a frame was changed on its way."""


def prologue(greeting: bytes, answer: bytes) -> bytes:
    """Bind a handshake to both greetings, byte for byte."""
    return PROLOGUE + b"".join(len(part).to_bytes(4, "big") + part for part in (greeting, answer))


def _hmac(key: bytes, data: bytes) -> bytes:
    return hmac.digest(key, data, "sha256")


def _hkdf(chaining_key: bytes, material: bytes, count: int) -> list[bytes]:
    secret = _hmac(chaining_key, material)
    parts: list[bytes] = []
    for number in range(1, count + 1):
        parts.append(_hmac(secret, (parts[-1] if parts else b"") + bytes([number])))
    return parts


def _exchange(private: X25519PrivateKey, public: bytes) -> bytes:
    try:
        return private.exchange(X25519PublicKey.from_public_bytes(public))
    except ValueError as error:  # Also an all-zero secret, which a peer without a key of its own brings about.
        raise CryptoError("unusable public key") from error


def _nonce(counter: int) -> bytes:
    return bytes(4) + counter.to_bytes(8, "little")


class Cipher:
    """One direction of a connection; each message has its own number."""

    def __init__(self, key: bytes) -> None:
        """Begin with message 0."""
        self._cipher = ChaCha20Poly1305(key)
        self._counter = 0

    def seal(self, data: bytes, associated: bytes = b"") -> bytes:
        """Encrypt the next message."""
        sealed = self._cipher.encrypt(_nonce(self._counter), data, associated)
        self._counter += 1
        return sealed

    def open(self, sealed: bytes, associated: bytes = b"") -> bytes:
        """Decrypt the next message."""
        try:
            data = self._cipher.decrypt(_nonce(self._counter), sealed, associated)
        except InvalidTag as error:
            raise CryptoError("not sealed with the key of this connection") from error
        self._counter += 1
        return data


class Handshake:
    """The initiator's half of Noise_NNpsk0_25519_ChaChaPoly_SHA256."""

    def __init__(self, key: bytes, bound_to: bytes, private: X25519PrivateKey | None = None) -> None:
        """Prepare both messages; `private` is given by tests only."""
        self._private = private or X25519PrivateKey.generate()
        self._hash = hashlib.sha256(_NOISE_NAME).digest()
        self._chaining_key = self._hash
        self._cipher: Cipher | None = None
        self._mix_hash(bound_to)
        self._chaining_key, mixed, temporary = _hkdf(self._chaining_key, key, 3)
        self._mix_hash(mixed)
        self._cipher = Cipher(temporary)

    def _mix_hash(self, data: bytes) -> None:
        self._hash = hashlib.sha256(self._hash + data).digest()

    def _mix_key(self, material: bytes) -> None:
        self._chaining_key, temporary = _hkdf(self._chaining_key, material, 2)
        self._cipher = Cipher(temporary)

    def _with_cipher(self, work: Callable[[Cipher], bytes]) -> bytes:
        assert self._cipher is not None
        return work(self._cipher)

    def first(self) -> bytes:
        """Return the message to the panel: psk, e."""
        public = self._private.public_key().public_bytes_raw()
        self._mix_hash(public)
        self._mix_key(public)
        sealed = self._with_cipher(lambda cipher: cipher.seal(b"", self._hash))
        self._mix_hash(sealed)
        return public + sealed

    def second(self, message: bytes) -> tuple[Cipher, Cipher]:
        """Check the panel's answer (e, ee); return the ciphers to it and from it."""
        if len(message) != 32 + _TAG:
            raise CryptoError("the answer has the wrong length")
        public, sealed = message[:32], message[32:]
        self._mix_hash(public)
        self._mix_key(public)
        self._mix_key(_exchange(self._private, public))
        self._with_cipher(lambda cipher: cipher.open(sealed, self._hash))
        to_panel, from_panel = _hkdf(self._chaining_key, b"", 2)
        return Cipher(to_panel), Cipher(from_panel)


@dataclass(frozen=True)
class Paired:
    """What both ends have derived: six digits for the person, the key of the link, and its id."""

    digits: str
    key: bytes
    key_id: str


class PairingSecret:
    """Home Assistant's half of pairing: committed before the panel shows its key."""

    def __init__(self, private: X25519PrivateKey | None = None, nonce: bytes | None = None) -> None:
        """Draw a key and a nonce; both are given by tests only."""
        self._private = private or X25519PrivateKey.generate()
        self.public = self._private.public_key().public_bytes_raw()
        self.nonce = nonce or os.urandom(16)

    @property
    def commit(self) -> bytes:
        """What is sent first: it fixes key and nonce without telling them."""
        return hashlib.sha256(self.public + self.nonce).digest()

    def derive(self, bound_to: bytes, panel_public: bytes, panel_nonce: bytes) -> Paired:
        """Derive digits and key; someone in the middle has one chance in a million of the same digits."""
        secret = _exchange(self._private, panel_public)
        transcript = hashlib.sha256(bound_to + panel_public + panel_nonce + self.public + self.nonce).digest()
        material = HKDF(hashes.SHA256(), 44, transcript, _PAIRING_INFO).derive(secret)
        key = material[:32]
        number = int.from_bytes(material[32:40], "big") % 1_000_000
        return Paired(f"{number:06}", key, material[40:44].hex() + hashlib.sha256(key).hexdigest()[:8])
