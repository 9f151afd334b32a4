import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Keeps the browser from writing the memory of a crashed page, tokens included, into the user's home, which
 * `--disable-breakpad` does not prevent. Returns the variable that names a folder made unusable: a file takes the place
 * of the folder `new`, so nothing is written anywhere (tried with Chromium 156; with a folder that does not exist it
 * falls back to the home).
 */
export async function withoutCrashDumps(profile: string): Promise<Record<string, string>> {
  const place = join(profile, 'crashes');
  await rm(place, { recursive: true, force: true });
  await mkdir(place, { recursive: true, mode: 0o700 });
  await writeFile(join(place, 'new'), '');
  return { BREAKPAD_DUMP_LOCATION: place };
}
