import type { ProfileDocument, ProfileIssue } from '#machines/profile-catalog/reading.ts';

import { yamlLibrary } from './library.ts';
import { yamlLimits } from './limits.ts';
import { dotted, lineAndColumn, type Places } from './places.ts';
import { type Refusal, walkEvents } from './walk-events.ts';

/** A YAML text within the limits, its document and the positions of its parts. */
export interface ReadYaml {
  readonly text: string;
  readonly document: ProfileDocument;
  readonly places: Places;
}

type Read = { readonly ok: true; readonly value: ReadYaml } | { readonly ok: false; readonly issue: ProfileIssue };

const refuseAt = (text: string, { offset, path, reason, message }: Refusal): Read => ({
  ok: false,
  issue: { severity: 'error', path: dotted(path), ...lineAndColumn(text, offset), reason, message },
});

const refuseWhole = (reason: string, message: string, line: number | null = null): Read => ({
  ok: false,
  issue: { severity: 'error', path: '', line, column: line === null ? null : 1, reason, message },
});

function decode(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    // Not UTF-8.
    return null;
  }
}

/** The first line, from 1, that is not UTF-8. No UTF-8 sequence crosses the end of a line. */
function lineNotUtf8(bytes: Uint8Array): number {
  let line = 1;
  let start = 0;
  for (;;) {
    const end = bytes.indexOf(10, start);
    if (decode(bytes.subarray(start, end === -1 ? bytes.length : end)) === null || end === -1) return line;
    line += 1;
    start = end + 1;
  }
}

/** Characters that YAML does not allow, or that display a text in a different order. */
const unseen =
  // oxlint-disable-next-line no-control-regex -- finds them
  /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u0084\u0086-\u009F\u061C\u200E\u200F\u2028\u2029\u202A-\u202E\u2066-\u2069\uFEFF\uFFFE\uFFFF]/;

/** Reads bytes as one YAML document within the limits; never throws. */
export function readYaml(bytes: Uint8Array): Read {
  if (bytes.length > yamlLimits.bytes)
    return refuseWhole('too-large', `The file has ${bytes.length} bytes. Use at most ${yamlLimits.bytes}.`);
  const text = decode(bytes);
  if (text === null)
    return refuseWhole('not-utf8', 'The file is not UTF-8. Save it with the encoding UTF-8.', lineNotUtf8(bytes));
  if (text.startsWith('\uFEFF'))
    return refuseWhole('byte-order-mark', 'The file begins with a byte order mark. Save it as UTF-8 without one.', 1);
  const found = unseen.exec(text);
  if (found !== null) {
    const unit = text.charCodeAt(found.index).toString(16).toUpperCase().padStart(4, '0');
    return refuseAt(text, {
      offset: found.index,
      path: [],
      reason: 'control-character',
      message: `The file has a character that cannot be seen (U+${unit}). Take it out.`,
    });
  }
  const { parseEvents, constructFromEvents, YAMLException, CORE_SCHEMA } = yamlLibrary();
  try {
    const events = parseEvents(text, { maxDepth: yamlLimits.levels });
    const walked = walkEvents(text, events);
    if (!walked.ok) return refuseAt(text, walked.refusal);
    const [document] = constructFromEvents(events, { source: text, schema: CORE_SCHEMA, maxAliases: 0 });
    if (typeof document !== 'object' || document === null || Array.isArray(document))
      return refuseAt(text, {
        offset: 0,
        path: [],
        reason: 'not-a-map',
        message: 'The document is not a map. Begin with "schema: 1".',
      });
    // The core schema yields only texts, numbers, booleans, null, lists and maps.
    return { ok: true, value: { text, document: document as ProfileDocument, places: walked.places } };
  } catch (failure) {
    // According to the library, hostile text may cause any exception; none may reach the caller.
    if (!(failure instanceof YAMLException))
      return refuseWhole('yaml', 'This is not YAML that can be read. Begin with the template.');
    const offset = failure.mark?.position ?? 0;
    if (/maxDepth/.test(failure.reason))
      return refuseAt(text, {
        offset,
        path: [],
        reason: 'too-deep',
        message: `Maps and lists are nested deeper than ${yamlLimits.levels} levels. Make it flatter.`,
      });
    return refuseAt(text, {
      offset,
      path: [],
      reason: 'yaml',
      message: `This is not YAML: ${failure.reason.slice(0, 120)}.`,
    });
  }
}
