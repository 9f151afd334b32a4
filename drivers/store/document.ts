import { z } from 'zod';
import { once } from '#machines/kit/once.ts';

/** The durable document. Sections that this version does not know are kept. */
export const stateDocument = once(() =>
  z.looseObject({
    version: z.literal(1),
    sections: z.record(z.string(), z.unknown()),
  }),
);

export type StateDocument = z.infer<ReturnType<typeof stateDocument>>;

/** Names of sections in earlier versions, with their present names. */
const presentNames: ReadonlyMap<string, string> = new Map([['ledger', 'announced']]);

/** True if a section is stored under a former name. */
export const hasFormerNames = ({ sections }: StateDocument): boolean =>
  Object.keys(sections).some((name) => presentNames.has(name));

/**
 * The document with its sections under their present names. A former name takes precedence: this version removes it
 * with its first save, so an earlier one was in use since.
 */
export function withPresentNames(document: StateDocument): StateDocument {
  if (!hasFormerNames(document)) return document;
  const sections = Object.entries(document.sections);
  const former = sections.flatMap(([name, value]) => {
    const present = presentNames.get(name);
    return present === undefined ? [] : [[present, value] as const];
  });
  const others = sections.filter(([name]) => !presentNames.has(name));
  return { ...document, sections: Object.fromEntries([...others, ...former]) };
}

/** The document in a file's JSON; throws if it is not one. */
export const readDocument = (json: unknown): StateDocument => withPresentNames(stateDocument().parse(json));

/** True if the text of a file is a valid document. */
export function isDocument(text: string): boolean {
  try {
    return stateDocument().safeParse(JSON.parse(text)).success;
  } catch {
    return false;
  }
}

/** The document of a panel on which nothing was ever saved. */
export const emptyDocument = (): StateDocument => ({ version: 1, sections: {} });

/** Section with the credentials, one entry each. */
const SECRETS = 'secrets';

function secretsOf({ sections }: StateDocument): readonly string[] {
  const held = sections[SECRETS];
  return typeof held === 'object' && held !== null ? Object.entries(held).map((entry) => JSON.stringify(entry)) : [];
}

/** True if a credential of one document is not in the next: it was removed or replaced. */
export function dropsSecret(before: StateDocument, after: StateDocument): boolean {
  const kept = new Set(secretsOf(after));
  return secretsOf(before).some((entry) => !kept.has(entry));
}

/** The document with some sections replaced; null removes one. The given document is not changed. */
export function withSections(document: StateDocument, sections: Readonly<Record<string, unknown>>): StateDocument {
  const merged = new Map(Object.entries(document.sections));
  for (const [name, value] of Object.entries(sections)) {
    if (value === null || value === undefined) merged.delete(name);
    else merged.set(name, value);
  }
  return { ...document, sections: Object.fromEntries(merged) };
}
