import { readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

import { errorCode } from '#drivers/kit/error-code.ts';
import { replaceFileNow } from '#drivers/kit/replace-file.ts';
import { GIVEN } from '#drivers/store/folder.ts';
import { once } from '#machines/kit/once.ts';

/** Longest such file in bytes: ten values, each of at most 16 KiB. */
const MOST_BYTES = 262_144;

const schema = once(() =>
  z.object({
    version: z.literal(1),
    settings: z.record(z.string().max(64), z.string().max(16_384)),
    login: z
      .object({
        homeAssistant: z.string().max(2048),
        username: z.string().max(256),
        password: z.string().max(16_384),
      })
      .nullable(),
  }),
);

/** What an installation leaves in the data folder for the agent, which takes it once. */
export interface Given {
  /** Settings by key, credentials too. */
  readonly settings: Readonly<Record<string, string>>;
  /** The account that signs in, and to which Home Assistant; null for none. */
  readonly login: { readonly homeAssistant: string; readonly username: string; readonly password: string } | null;
}

export const givenText = ({ settings, login }: Given): string => `${JSON.stringify({ version: 1, settings, login })}\n`;

/** Parses such a file; null if the text is invalid. */
export function parseGiven(text: string): Given | null {
  try {
    const { settings, login } = schema().parse(JSON.parse(text));
    return { settings, login };
  } catch {
    return null;
  }
}

/** Merges what was left before and not yet taken with what is given now; the newer way to sign in wins. */
export function mergeGiven(left: Given | null, given: Given): Given {
  const { ha_token: token, ...others } = left?.settings ?? {};
  const keepsToken = token !== undefined && given.login === null;
  const settings = { ...others, ...(keepsToken ? { ha_token: token } : {}), ...given.settings };
  return { settings, login: given.login ?? (given.settings['ha_token'] === undefined ? (left?.login ?? null) : null) };
}

/** What the agent finds. */
export type FoundGiven =
  | { readonly state: 'none' | 'damaged' }
  | { readonly state: 'found'; readonly text: string; readonly given: Given };

/** Path of the file in a data folder. */
export const givenFile = (folder: string): string => join(folder, GIVEN);

export function readGiven(folder: string): FoundGiven {
  try {
    const facts = statSync(givenFile(folder));
    if (!facts.isFile() || facts.size > MOST_BYTES) return { state: 'damaged' };
    const text = readFileSync(givenFile(folder), 'utf8');
    const given = parseGiven(text);
    return given === null ? { state: 'damaged' } : { state: 'found', text, given };
  } catch (failure) {
    return { state: errorCode(failure) === 'ENOENT' ? 'none' : 'damaged' };
  }
}

/**
 * Writes back what is left of the file, or removes it if nothing is; only if it is still `before`, since a newer
 * installation may have left more. Returns the text of the file afterwards, empty without one; null if that is not
 * known.
 */
export function keepRemainder(folder: string, before: string, left: Given | null): string | null {
  try {
    const file = givenFile(folder);
    if (readFileSync(file, 'utf8') !== before) return null;
    if (left === null) {
      rmSync(file);
      return '';
    }
    const text = givenText(left);
    return replaceFileNow(file, text, { mode: 0o600 }).ok ? text : null;
  } catch {
    return null;
  }
}
