import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** What the kernel calls this start of the machine: random, and another one after each. */
const BOOT_ID = '/proc/sys/kernel/random/boot_id';

/**
 * Eight hex digits that change with each start of the machine; null where the kernel does not say. Hashed, since what
 * is kept of the log holds no identifier.
 */
export function bootMark(path = BOOT_ID): string | null {
  try {
    return createHash('sha256').update(readFileSync(path, 'utf8')).digest('hex').slice(0, 8);
  } catch {
    return null;
  }
}
