import { createHmac } from 'node:crypto';

/**
 * The mark by which a password is recognised without being told: SHA-256, keyed with the install id of this machine,
 * in base64. It stands beside the password itself in the durable document, and in what the link is told to connect to,
 * which is shown to nobody.
 */
export const passwordMark = (password: string, installId: string): string =>
  createHmac('sha256', installId).update(password).digest('base64');
