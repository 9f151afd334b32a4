import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** A new key for digests: 32 random bytes in base64. */
export const freshKey = (): string => randomBytes(32).toString('base64');

/** A digest that recognises a named value without revealing it: SHA-256, keyed, in base64. */
export const keyedDigest = (key: string, name: string, value: string): string =>
  createHmac('sha256', key).update(`${name}\0${value}`).digest('base64');

/** True if both are the same text, compared in constant time for any lengths; false if either is null. */
export function isSameSecret(one: string | null, other: string | null): boolean {
  if (one === null || other === null) return false;
  const key = randomBytes(32);
  const [a, b] = [one, other].map((text) => createHmac('sha256', key).update(text).digest());
  return a !== undefined && b !== undefined && timingSafeEqual(a, b);
}
