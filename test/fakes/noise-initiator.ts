import { beginHandshake, type HandshakeInput, type Transport } from '#drivers/companion/noise-state.ts';
import { newKeyPair, X25519_BYTES } from '#drivers/companion/x25519.ts';

/** Home Assistant's end of a handshake. */
export interface Initiation {
  readonly message: Buffer;
  /** Reads the second message; null if the other end does not have the key. */
  readonly finish: (second: Uint8Array) => { readonly payload: Buffer; readonly transport: Transport } | null;
}

/** Begins a handshake `NNpsk0_25519_ChaChaPoly_SHA256`. */
export function initiate(
  { psk, prologue, ephemeral = newKeyPair() }: HandshakeInput,
  payload: Uint8Array = Buffer.alloc(0),
): Initiation {
  const state = beginHandshake({ psk, prologue });
  state.mixHash(ephemeral.publicKey);
  state.mixKey(ephemeral.publicKey);
  const message = Buffer.concat([ephemeral.publicKey, state.encryptAndHash(payload)]);
  return {
    message,
    finish: (second) => {
      const theirs = second.subarray(0, X25519_BYTES);
      state.mixHash(theirs);
      state.mixKey(theirs);
      const secret = ephemeral.shareWith(theirs);
      if (secret === null) return null;
      state.mixKey(secret);
      const received = state.decryptAndHash(second.subarray(X25519_BYTES));
      if (received === null) return null;
      const [sending, receiving] = state.split();
      return { payload: received, transport: { sending, receiving, hash: state.hash() } };
    },
  };
}
