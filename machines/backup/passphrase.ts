import { ok, refuse, type Result } from '../kit/result.ts';

/** Lengths of a passphrase in characters. */
const [SHORTEST, LONGEST] = [10, 128];

const LONE_SURROGATE = /[\ud800-\udfff]/u;

/**
 * The passphrase of a backup in the form that its key is made from (NFC, so that every keyboard's accents are the
 * same), or why it is refused.
 */
export function judgePassphrase(text: string): Result<string, 'invalid-passphrase'> {
  const passphrase = text.normalize('NFC');
  const { length } = Array.from(passphrase);
  if (length < SHORTEST || length > LONGEST)
    return refuse('invalid-passphrase', `A passphrase has ${SHORTEST} to ${LONGEST} characters.`);
  if (passphrase.trim() !== passphrase)
    return refuse('invalid-passphrase', 'A passphrase neither begins nor ends with a space.');
  if (LONE_SURROGATE.test(passphrase))
    return refuse('invalid-passphrase', 'One of the characters of the passphrase is broken.');
  return ok(passphrase);
}
