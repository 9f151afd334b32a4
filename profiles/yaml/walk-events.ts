import type * as JsYaml from 'js-yaml';

import { type Path, type Place, type Places, placeKey } from './places.ts';
import { yamlLimits } from './limits.ts';
import { yamlLibrary } from './library.ts';

type Event = ReturnType<typeof JsYaml.parseEvents>[number];

/** Why a text is refused, at an offset. */
export interface Refusal {
  readonly offset: number;
  readonly path: Path;
  readonly reason: string;
  readonly message: string;
}

/** Result of a walk over the parser's events. */
export type Walked = { readonly ok: true; readonly places: Places } | { readonly ok: false; readonly refusal: Refusal };

/** An open map or list. */
interface Frame {
  readonly kind: 'map' | 'list';
  readonly path: Path;
  readonly start: number;
  readonly keys: Set<string>;
  entries: number;
  /** In a map: the key whose value comes next, and its offset. */
  key: { readonly name: string; readonly offset: number } | null;
}

const no = (offset: number, path: Path, reason: string, message: string): Walked => ({
  ok: false,
  refusal: { offset, path, reason, message },
});

/** Offset at which an event begins; 0 for the end of a map or list. */
function offsetOf(event: Event): number {
  if ('valueStart' in event) return event.valueStart;
  if ('start' in event) return event.start;
  return 'anchorStart' in event ? event.anchorStart : 0;
}

const fewer = `Use at most ${yamlLimits.entries}.`;

/**
 * Checks the limits on the events of a text, refuses what YAML allows but a profile does not, and records the position
 * of each part.
 */
export function walkEvents(text: string, events: readonly Event[]): Walked {
  const { EVENT_ID, getScalarValue } = yamlLibrary();
  if (events.length > yamlLimits.events)
    return no(
      0,
      [],
      'too-many-parts',
      `The document has more than ${yamlLimits.events} parts. Leave out what is not needed.`,
    );
  const places = new Map<string, Place>();
  const open: Frame[] = [];
  let documents = 0;

  /** Adds an event as a value of the innermost map or list and returns its path. */
  const place = (event: Event): Path => {
    const frame = open.at(-1);
    let path: Path = [];
    let key: number | null = null;
    if (frame?.kind === 'list') path = [...frame.path, frame.entries++];
    else if (frame !== undefined) {
      path = [...frame.path, frame.key?.name ?? ''];
      key = frame.key?.offset ?? null;
      frame.key = null;
    }
    places.set(placeKey(path), { key, value: offsetOf(event) });
    return path;
  };

  for (const event of events) {
    const frame = open.at(-1);
    const offset = offsetOf(event);
    const here = frame?.path ?? [];
    if (event.type === EVENT_ID.DOCUMENT) {
      documents += 1;
      if (documents > 1)
        return no(
          text.length,
          [],
          'second-document',
          'The file holds more than one document. Keep one and leave out "---" and "..." after it.',
        );
      if (event.directives.length > 0)
        return no(0, [], 'directive', 'The file has a directive (a line that begins with %). Leave it out.');
      continue;
    }
    if (event.type === EVENT_ID.POP) {
      open.pop();
      continue;
    }
    if (event.type === EVENT_ID.ALIAS)
      return no(offset - 1, here, 'alias', 'Aliases (*name) are not allowed. Write the value itself.');
    if (event.anchorStart >= 0)
      return no(event.anchorStart - 1, here, 'anchor', 'Anchors (&name) are not allowed. Leave it out.');
    if (event.tagStart >= 0) return no(event.tagStart, here, 'tag', 'Tags (!name) are not allowed. Leave it out.');
    if (frame?.kind === 'map' && frame.key === null) {
      if (event.type !== EVENT_ID.SCALAR)
        return no(offset, here, 'key-not-text', 'A key must be a plain word. Maps and lists cannot be keys.');
      const name = getScalarValue(text, event);
      if (name.length > yamlLimits.characters)
        return no(offset, here, 'text-too-long', `A key has ${name.length} characters. Keys are short words.`);
      if (name === '<<')
        return no(offset, here, 'merge', 'Merge keys (<<) are not allowed. Write the entries themselves.');
      if (frame.keys.has(name))
        return no(
          offset,
          [...here, name],
          'duplicate-key',
          `The key "${name.slice(0, 60)}" appears twice. Keep one of them.`,
        );
      frame.keys.add(name);
      frame.key = { name, offset };
      frame.entries += 1;
      if (frame.entries > yamlLimits.entries)
        return no(offset, here, 'too-many-entries', `A map has more than ${yamlLimits.entries} entries. ${fewer}`);
      continue;
    }
    const path = place(event);
    if (frame !== undefined && frame.entries > yamlLimits.entries)
      return no(offset, here, 'too-many-entries', `A list has more than ${yamlLimits.entries} entries. ${fewer}`);
    if (event.type === EVENT_ID.SCALAR) {
      const { length } = getScalarValue(text, event);
      if (length > yamlLimits.characters)
        return no(
          offset,
          path,
          'text-too-long',
          `A text has ${length} characters. Use at most ${yamlLimits.characters}.`,
        );
      continue;
    }
    open.push({
      kind: event.type === EVENT_ID.MAPPING ? 'map' : 'list',
      path,
      start: event.start,
      keys: new Set(),
      entries: 0,
      key: null,
    });
    if (open.length > yamlLimits.levels)
      return no(
        offset,
        path,
        'too-deep',
        `Maps and lists are nested deeper than ${yamlLimits.levels} levels. Make it flatter.`,
      );
  }
  if (documents === 0) return no(0, [], 'empty', 'The file is empty. Begin with the template.');
  return { ok: true, places };
}
