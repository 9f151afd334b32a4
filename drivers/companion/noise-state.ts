import { createCipheriv, createDecipheriv, createHash, createHmac } from 'node:crypto';

import type { KeyPair } from './x25519.ts';

/*
 * The Noise Protocol Framework, revision 34 (https://noiseprotocol.org/noise.html): what both ends of
 * `NNpsk0_25519_ChaChaPoly_SHA256` have in common. The names are those of its chapter 5.
 */

const PROTOCOL = 'Noise_NNpsk0_25519_ChaChaPoly_SHA256';
const ALGORITHM = 'chacha20-poly1305';

/** Bytes that sealing adds. */
export const TAG_BYTES = 16;
const NONCE_BYTES = 12;
const NOTHING = Buffer.alloc(0);

/** One direction: seals or opens with a key that it keeps, and counts. */
interface Cipher {
  readonly seal: (plain: Uint8Array, head?: Uint8Array) => Buffer;
  /** Null if it was not sealed with this key at this place; the count stays then. */
  readonly open: (sealed: Uint8Array, head?: Uint8Array) => Buffer | null;
}

/** Nonce number `count`: four zero bytes, then 64 bits with the lowest byte first (chapter 12.3). */
function nonceOf(count: number): Buffer {
  const nonce = Buffer.alloc(NONCE_BYTES);
  nonce.writeBigUInt64LE(BigInt(count), 4);
  return nonce;
}

/** A `CipherState` with a key. */
function createCipher(key: Uint8Array): Cipher {
  let count = 0;
  return {
    seal: (plain, head = NOTHING) => {
      const cipher = createCipheriv(ALGORITHM, key, nonceOf(count), { authTagLength: TAG_BYTES });
      count += 1;
      cipher.setAAD(head, { plaintextLength: plain.length });
      return Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
    },
    open: (sealed, head = NOTHING) => {
      const length = sealed.length - TAG_BYTES;
      if (length < 0) return null;
      try {
        const cipher = createDecipheriv(ALGORITHM, key, nonceOf(count), { authTagLength: TAG_BYTES });
        cipher.setAAD(head, { plaintextLength: length });
        cipher.setAuthTag(sealed.subarray(length));
        const plain = cipher.update(sealed.subarray(0, length));
        cipher.final();
        count += 1;
        return plain;
      } catch {
        return null;
      }
    },
  };
}

/** What a finished handshake leaves: a cipher for each direction. */
export interface Transport {
  readonly sending: Cipher;
  readonly receiving: Cipher;
  /** Hash of the whole handshake, which both ends have in common and no other handshake has. */
  readonly hash: Buffer;
}

/** What both ends know before they begin. */
export interface HandshakeInput {
  /** 32 bytes. */
  readonly psk: Uint8Array;
  readonly prologue: Uint8Array;
  /** The own key pair of this handshake; by default a new one. */
  readonly ephemeral?: KeyPair;
}

function mac(key: Uint8Array, ...parts: readonly Uint8Array[]): Buffer {
  const hmac = createHmac('sha256', key);
  for (const part of parts) hmac.update(part);
  return hmac.digest();
}

/** The function `HKDF` with three outputs (chapter 4.3); with two, the third is not looked at. */
function derive(chainingKey: Uint8Array, input: Uint8Array): readonly [Buffer, Buffer, Buffer] {
  const temporary = mac(chainingKey, input);
  const first = mac(temporary, Uint8Array.of(1));
  const second = mac(temporary, first, Uint8Array.of(2));
  return [first, second, mac(temporary, second, Uint8Array.of(3))];
}

/** The `SymmetricState` of one handshake. */
export interface SymmetricState {
  readonly mixHash: (bytes: Uint8Array) => void;
  readonly mixKey: (bytes: Uint8Array) => void;
  readonly mixKeyAndHash: (bytes: Uint8Array) => void;
  readonly encryptAndHash: (plain: Uint8Array) => Buffer;
  readonly decryptAndHash: (sealed: Uint8Array) => Buffer | null;
  /** The ciphers of both directions: what the initiator sends with comes first. */
  readonly split: () => readonly [Cipher, Cipher];
  readonly hash: () => Buffer;
}

/** Begins a handshake: the protocol's name, the prologue, and the token `psk`. */
export function beginHandshake({ psk, prologue }: Pick<HandshakeInput, 'psk' | 'prologue'>): SymmetricState {
  let hash: Buffer = createHash('sha256').update(PROTOCOL).digest();
  let chainingKey: Buffer = hash;
  let cipher = createCipher(hash);
  const mixHash = (bytes: Uint8Array): void => {
    hash = createHash('sha256').update(hash).update(bytes).digest();
  };
  const state: SymmetricState = {
    mixHash,
    mixKey: (bytes) => {
      const [next, key] = derive(chainingKey, bytes);
      chainingKey = next;
      cipher = createCipher(key);
    },
    mixKeyAndHash: (bytes) => {
      const [next, mixed, key] = derive(chainingKey, bytes);
      chainingKey = next;
      mixHash(mixed);
      cipher = createCipher(key);
    },
    encryptAndHash: (plain) => {
      const sealed = cipher.seal(plain, hash);
      mixHash(sealed);
      return sealed;
    },
    decryptAndHash: (sealed) => {
      const plain = cipher.open(sealed, hash);
      if (plain !== null) mixHash(sealed);
      return plain;
    },
    split: () => {
      const [first, second] = derive(chainingKey, NOTHING);
      return [createCipher(first), createCipher(second)];
    },
    hash: () => hash,
  };
  mixHash(prologue);
  state.mixKeyAndHash(psk);
  return state;
}
