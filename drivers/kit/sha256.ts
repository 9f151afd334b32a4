import { createHash } from 'node:crypto';

/** SHA-256 of a text as 64 hexadecimal digits. */
export const sha256Hex = (text: string): string => createHash('sha256').update(text).digest('hex');
