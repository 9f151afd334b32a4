import { readFile, utimes, stat } from 'node:fs/promises';
import { join } from 'node:path';

import { replaceFile } from '#drivers/kit/replace-file.ts';

import { documentFormats, type StateDocument } from './document.ts';
import { DOCUMENT } from './folder.ts';
import { formatFile, keptFormats } from './formats.ts';
import { removeQuietly } from './link-file.ts';

/** Sections of which no copy may keep what was removed: the credentials, and what a person agreed to, by setting. */
const FORGOTTEN = ['secrets', 'consents'] as const;

type Entry = readonly [key: string, value: unknown];

const secretsOf = ({ sections }: StateDocument): readonly Entry[] =>
  FORGOTTEN.flatMap((section) => {
    const held = sections[section];
    return typeof held === 'object' && held !== null ? Object.entries(held) : [];
  });

/** The credentials and consents in one document that are not in the next: they were removed or replaced. */
export function droppedSecrets(before: StateDocument, after: StateDocument): readonly Entry[] {
  const kept = new Set(secretsOf(after).map((entry) => JSON.stringify(entry)));
  return secretsOf(before).filter((entry) => !kept.has(JSON.stringify(entry)));
}

/** The JSON without those entries, at whatever depth they are. */
function without(json: unknown, dropped: ReadonlyMap<string, unknown>): unknown {
  if (Array.isArray(json)) return json.map((one) => without(one, dropped));
  if (typeof json !== 'object' || json === null) return json;
  const others = Object.entries(json).filter(([key, value]) => !dropped.has(key) || dropped.get(key) !== value);
  return Object.fromEntries(others.map(([key, value]) => [key, without(value, dropped)]));
}

/** The text of a kept document without the dropped credentials; null if a newer one may have them elsewhere. */
function purged(text: string, dropped: ReadonlyMap<string, unknown>, isNewer: boolean): string | null {
  try {
    const after = JSON.stringify(without(JSON.parse(text), dropped));
    return isNewer && [...dropped.values()].some((value) => after.includes(JSON.stringify(value))) ? null : after;
  } catch {
    return null;
  }
}

/**
 * Removes dropped credentials and consents from the documents of other formats that are kept in the folder. Their time
 * stays, since it says how old the settings are. One that cannot be read, or of a newer format that may have them
 * elsewhere, is removed.
 */
export async function forgetInKept(folder: string, entries: readonly Entry[]): Promise<void> {
  const document = join(folder, DOCUMENT);
  // The recipients among them are objects, and no credentials.
  const dropped = new Map(entries.filter(([, value]) => typeof value === 'string'));
  if (dropped.size === 0) return;
  for (const format of await keptFormats(document)) {
    const path = formatFile(document, format);
    // oxlint-disable-next-line no-await-in-loop -- one file after another
    await forgetIn(path, (text) => purged(text, dropped, format > documentFormats.current));
  }
}

async function forgetIn(path: string, purge: (text: string) => string | null): Promise<void> {
  const text = await readFile(path, 'utf8').catch(() => null);
  const after = text === null ? null : purge(text);
  if (after === null) return removeQuietly(path);
  if (after === text?.trimEnd()) return;
  const { atime, mtime } = await stat(path);
  const replaced = await replaceFile(path, `${after}\n`, { mode: 0o600 });
  if (replaced.ok) await utimes(path, atime, mtime);
  else await removeQuietly(path);
}
