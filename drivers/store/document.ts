import { z } from 'zod';
import { once } from '#machines/kit/once.ts';

/** The one durable document. Sections that this version does not know are kept as they are. */
export const stateDocument = once(() =>
  z.looseObject({
    version: z.literal(1),
    sections: z.record(z.string(), z.unknown()),
  }),
);

/** The one durable document, parsed. */
export type StateDocument = z.infer<ReturnType<typeof stateDocument>>;

/** Whether the text of a file is a document that a start would take. */
export const isDocument = (text: string): boolean => {
  try {
    return stateDocument().safeParse(JSON.parse(text)).success;
  } catch {
    return false;
  }
};

/** The document of a panel on which nothing was ever saved. */
export const emptyDocument = (): StateDocument => ({ version: 1, sections: {} });

/** Section of the credentials, one entry each. */
const SECRETS = 'secrets';

const secretsOf = ({ sections }: StateDocument): readonly string[] => {
  const held = sections[SECRETS];
  return typeof held === 'object' && held !== null ? Object.entries(held).map((entry) => JSON.stringify(entry)) : [];
};

/** Whether a credential of one document is not in the next one: it was removed, or another one took its place. */
export const dropsSecret = (before: StateDocument, after: StateDocument): boolean => {
  const kept = new Set(secretsOf(after));
  return secretsOf(before).some((entry) => !kept.has(entry));
};

/** The document with some sections replaced; null removes one. The given document is not changed. */
export const withSections = (document: StateDocument, sections: Readonly<Record<string, unknown>>): StateDocument => {
  const merged = new Map(Object.entries(document.sections));
  for (const [name, value] of Object.entries(sections)) {
    if (value === null || value === undefined) merged.delete(name);
    else merged.set(name, value);
  }
  return { ...document, sections: Object.fromEntries(merged) };
};
