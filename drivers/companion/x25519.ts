import { createPrivateKey, createPublicKey, diffieHellman, generateKeyPairSync, type KeyObject } from 'node:crypto';

/** Bytes of a private key, a public key and a shared secret (RFC 7748). */
export const X25519_BYTES = 32;

/** What comes before the 32 bytes of a key in DER (RFC 8410): PKCS #8, and SubjectPublicKeyInfo. */
const PRIVATE_HEAD = Buffer.from('302e020100300506032b656e04220420', 'hex');
const PUBLIC_HEAD = Buffer.from('302a300506032b656e032100', 'hex');

/** A key pair for one handshake. */
export interface KeyPair {
  readonly publicKey: Buffer;
  /** The secret that it shares with the holder of another public key; null if that key is no key, or of low order. */
  readonly shareWith: (publicKey: Uint8Array) => Buffer | null;
}

function pairOf(privateKey: KeyObject): KeyPair {
  return {
    publicKey: createPublicKey(privateKey).export({ format: 'der', type: 'spki' }).subarray(PUBLIC_HEAD.length),
    shareWith: (publicKey) => {
      if (publicKey.length !== X25519_BYTES) return null;
      try {
        const other = createPublicKey({ key: Buffer.concat([PUBLIC_HEAD, publicKey]), format: 'der', type: 'spki' });
        const secret = diffieHellman({ privateKey, publicKey: other });
        return secret.every((byte) => byte === 0) ? null : secret;
      } catch {
        // OpenSSL refuses a result of zeros by itself.
        return null;
      }
    },
  };
}

export const newKeyPair = (): KeyPair => pairOf(generateKeyPairSync('x25519').privateKey);

/**
 * The key pair of 32 known bytes.
 *
 * @public Of the published vectors, and of those for both ends (test/companion/vectors.json).
 */
export const keyPairOf = (privateKey: Uint8Array): KeyPair =>
  pairOf(createPrivateKey({ key: Buffer.concat([PRIVATE_HEAD, privateKey]), format: 'der', type: 'pkcs8' }));
