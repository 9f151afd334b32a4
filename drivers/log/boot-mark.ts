import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** The kernel's random id of this boot. */
const BOOT_ID = '/proc/sys/kernel/random/boot_id';

/**
 * Eight hex digits that change with each boot; null if the kernel has no id. Hashed, since the kept log must not
 * contain identifiers.
 */
export function bootMark(path = BOOT_ID): string | null {
  try {
    return createHash('sha256').update(readFileSync(path, 'utf8')).digest('hex').slice(0, 8);
  } catch {
    return null;
  }
}
