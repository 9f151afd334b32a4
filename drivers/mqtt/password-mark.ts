import { createHmac } from 'node:crypto';

/**
 * A digest that recognises a password without revealing it: SHA-256, keyed with the install id of this machine, in
 * base64. It is stored beside the password in the durable document, and is part of the connection's input, which is
 * never shown.
 */
export const passwordMark = (password: string, installId: string): string =>
  createHmac('sha256', installId).update(password).digest('base64');
