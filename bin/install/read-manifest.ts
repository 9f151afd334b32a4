import type { Manifest } from '#machines/install/events.ts';
import { parseManifest } from '#machines/install/manifest.ts';
import { programFolder } from '#machines/install/texts.ts';
import { ok, type Result } from '#machines/kit/result.ts';
import { readManifestText } from '#drivers/install/manifest-file.ts';

/** What is installed on this machine; null for nothing. */
export function readManifest(): Result<Manifest | null, 'unreadable' | 'damaged'> {
  const list = readManifestText(programFolder);
  if (!list.ok) return list;
  return list.value === null ? ok(null) : parseManifest(list.value);
}
