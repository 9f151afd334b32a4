import type { Milliseconds } from '#machines/kit/units.ts';
import type { StatusDocument } from '#machines/status.ts';
import type { JudgedCapability } from '#machines/status/needs.ts';
import type { StatusReader, StatusSources } from '#routes/kit/deps.ts';
import { fieldGroups } from './field-groups.ts';
import { createIncremental, type FieldGroup, type Look } from './incremental.ts';
import { projectionInput } from './view-input.ts';

/** How long an unchanged document is reused, in milliseconds: for a page, then its stream. */
const keptMs: Milliseconds = 1_000;

/** The fields before and after those of the subsystems. */
const head = ['state', 'sentence', 'next', 'inspecting', 'warnings', 'capabilities'];
const tail = ['panel_assistant_update', 'happened', 'supervision'];

/**
 * The document of an update, its fields in the order of its schema. Fields that no viewer sees have a name with a
 * blank.
 */
function documentOf({ at, made }: Look): StatusDocument {
  const ends = new Set([...head, ...tail, 'judged']);
  const own = [...made.keys()].filter((name) => !ends.has(name) && !name.includes(' '));
  const fields = Object.fromEntries([...head, ...own, ...tail].map((name) => [name, made.get(name)]));
  // Every field of the schema, made by its group; a test parses documents with it.
  return { ...fields, taken_at: at } as unknown as StatusDocument;
}

/** Makes the status document of an agent, each field again only once its sources have changed. */
export function createStatusReader(
  sources: StatusSources,
  groups: readonly FieldGroup[] = fieldGroups({
    rootShell: sources.rootShell,
    inspecting: sources.inspection !== null,
  }),
): StatusReader {
  const lookAgain = createIncremental(groups);
  let last: { readonly count: number; readonly document: StatusDocument; text?: string } | null = null;

  function newest(): { readonly document: StatusDocument; text?: string } {
    const input = projectionInput(sources);
    const { count } = lookAgain(input, keptMs);
    const age = last === null ? keptMs : input.now - last.document.taken_at;
    if (last !== null && last.count === count && age >= 0 && age < keptMs) return last;
    const look = lookAgain(input, 0);
    last = { count: look.count, document: documentOf(look) };
    return last;
  }
  return {
    document: () => newest().document,
    text: () => {
      const kept = newest();
      kept.text ??= JSON.stringify(kept.document);
      return kept.text;
    },
    // The group of that name, whose type is checked where it is made.
    judged: () => lookAgain(projectionInput(sources), keptMs).made.get('judged') as readonly JudgedCapability[],
    look: (patience) => lookAgain(projectionInput(sources), patience),
  };
}
