import { createHash, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';

import { type KeyPair, newKeyPair } from './x25519.ts';

/** Purpose of what is derived, as HKDF's `info` (RFC 5869). */
const PURPOSE = 'sconce pairing';
const NONCE_BYTES = 16;
const KEY_BYTES = 32;
/** Eight more bytes for the digits, and four for the id of the key. */
const DERIVED_BYTES = 44;
const DIGITS = 6;

function sha256(...parts: readonly Uint8Array[]): Buffer {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
}

/** What an end shows of itself: its public key of this pairing, and a nonce. */
export interface Shown {
  readonly key: Uint8Array;
  readonly nonce: Uint8Array;
}

/** What two ends have in common after they have shown both. */
export interface Agreed {
  /** Six digits; they differ if a third is between the two ends. */
  readonly digits: string;
  /** 64 hex digits. */
  readonly key: string;
  /** 16 hex digits. */
  readonly keyId: string;
}

/**
 * What Home Assistant says before it sees the panel's key: it can no longer choose its own so that the digits fit. One
 * between the two ends is left with one chance in a million a try.
 */
export const commitOf = ({ key, nonce }: Shown): Buffer => sha256(key, nonce);

/** Derives digits and key from the secret that both ends share. */
export function agree(prologue: Uint8Array, secret: Uint8Array, panel: Shown, client: Shown): Agreed {
  const transcript = sha256(prologue, panel.key, panel.nonce, client.key, client.nonce);
  const derived = Buffer.from(hkdfSync('sha256', secret, transcript, PURPOSE, DERIVED_BYTES));
  const key = derived.subarray(0, KEY_BYTES);
  const number = derived.readBigUInt64BE(KEY_BYTES) % 10n ** BigInt(DIGITS);
  return {
    digits: String(number).padStart(DIGITS, '0'),
    key: key.toString('hex'),
    keyId: derived.subarray(KEY_BYTES + 8).toString('hex') + sha256(key).toString('hex', 0, 4),
  };
}

/** The panel's end of one pairing. */
export interface PanelPairing {
  readonly shown: Shown;
  /** Null if this is not what was committed to, or no usable key. */
  readonly reveal: (client: Shown) => Agreed | null;
}

/** Begins a pairing with the commitment of Home Assistant. */
export function beginPairing(
  prologue: Uint8Array,
  commit: Uint8Array,
  pair: KeyPair = newKeyPair(),
  nonce: Uint8Array = randomBytes(NONCE_BYTES),
): PanelPairing {
  const shown = { key: pair.publicKey, nonce };
  return {
    shown,
    reveal: (client) => {
      const revealed = commitOf(client);
      if (commit.length !== revealed.length || !timingSafeEqual(commit, revealed)) return null;
      const secret = pair.shareWith(client.key);
      return secret === null ? null : agree(prologue, secret, shown, client);
    },
  };
}
