import { beginHandshake, type HandshakeInput, TAG_BYTES, type Transport } from './noise-state.ts';
import { newKeyPair, X25519_BYTES } from './x25519.ts';

/** The answer to a first message, and what follows it. */
export interface Response {
  /** What the first message carried. */
  readonly payload: Buffer;
  /** The second message. */
  readonly message: Buffer;
  readonly transport: Transport;
}

/**
 * Answers the first message of a handshake `NNpsk0_25519_ChaChaPoly_SHA256`; null if its sender does not have the key,
 * or another prologue. It can be replayed: that its sender is there now is only known once a message of the transport
 * was opened.
 */
export function respond(
  { psk, prologue, ephemeral = newKeyPair() }: HandshakeInput,
  first: Uint8Array,
  payload: Uint8Array = Buffer.alloc(0),
): Response | null {
  if (first.length < X25519_BYTES + TAG_BYTES) return null;
  const theirs = first.subarray(0, X25519_BYTES);
  const state = beginHandshake({ psk, prologue });
  // -> psk, e
  state.mixHash(theirs);
  state.mixKey(theirs);
  const received = state.decryptAndHash(first.subarray(X25519_BYTES));
  if (received === null) return null;
  // <- e, ee
  state.mixHash(ephemeral.publicKey);
  state.mixKey(ephemeral.publicKey);
  const secret = ephemeral.shareWith(theirs);
  if (secret === null) return null;
  state.mixKey(secret);
  const message = Buffer.concat([ephemeral.publicKey, state.encryptAndHash(payload)]);
  const [receiving, sending] = state.split();
  return { payload: received, message, transport: { sending, receiving, hash: state.hash() } };
}
