import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Keeps the browser from writing the memory of a crashed page, tokens and all, into its user's home, which
 * `--disable-breakpad` does not prevent. The place for it is named and made unusable: where a folder should be is a
 * file, and nothing is written anywhere (tried with 156; a place that does not exist at all only sends it back to the
 * home). Answers the variable to start it with.
 */
export async function withoutCrashDumps(profile: string): Promise<Record<string, string>> {
  const place = join(profile, 'crashes');
  await rm(place, { recursive: true, force: true });
  await mkdir(place, { recursive: true, mode: 0o700 });
  await writeFile(join(place, 'new'), '');
  return { BREAKPAD_DUMP_LOCATION: place };
}
