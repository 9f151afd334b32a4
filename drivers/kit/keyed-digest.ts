import { createHmac, randomBytes } from 'node:crypto';

/** A key that marks are made with, new each time: 32 random bytes in base64. */
export const freshKey = (): string => randomBytes(32).toString('base64');

/** The mark by which the value of that name is recognised without being told: SHA-256, keyed, in base64. */
export const keyedDigest = (key: string, name: string, value: string): string =>
  createHmac('sha256', key).update(`${name}\0${value}`).digest('base64');
