import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Names of on-screen keyboards as the kernel keeps them, cut to 15 characters. Those that are announced on D-Bus
 * (`sm.puri.OSK0`) are among them, so no bus is asked. One that is built into a desktop has no process to find.
 */
const NAMES =
  /^(?:squeekboard|onboard|wvkbd-.*|maliit-(?:keyboar.*|server)|phosh-osk-.*|stevia|matchbox-keyboa|florence|plasma-keyboard)$/;

/** True if a process of this name draws an on-screen keyboard. */
export const isOnScreenKeyboard = (name: string): boolean => NAMES.test(name);

/** What a file holds; "" once its process is gone. */
function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return '';
  }
}

function isOwnedBy(path: string, uid: number): boolean {
  try {
    return statSync(path).uid === uid;
  } catch {
    return false;
  }
}

/** True if an on-screen keyboard of this user runs: that of another user is not on the screen of this session. */
export function findOnScreenKeyboard(proc = '/proc', uid = process.getuid?.() ?? -1): boolean {
  try {
    return readdirSync(proc)
      .filter((name) => /^\d+$/.test(name))
      .some((id) => isOnScreenKeyboard(textOf(join(proc, id, 'comm'))) && isOwnedBy(join(proc, id), uid));
  } catch {
    // Without /proc nothing can be told.
    return false;
  }
}
