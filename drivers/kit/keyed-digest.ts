import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** A key that marks are made with, new each time: 32 random bytes in base64. */
export const freshKey = (): string => randomBytes(32).toString('base64');

/** The mark by which the value of that name is recognised without being told: SHA-256, keyed, in base64. */
export const keyedDigest = (key: string, name: string, value: string): string =>
  createHmac('sha256', key).update(`${name}\0${value}`).digest('base64');

/** True if both are the same text, compared in constant time whatever their lengths; false where one is not set. */
export function isSameSecret(one: string | null, other: string | null): boolean {
  if (one === null || other === null) return false;
  const key = randomBytes(32);
  const [a, b] = [one, other].map((text) => createHmac('sha256', key).update(text).digest());
  return a !== undefined && b !== undefined && timingSafeEqual(a, b);
}
