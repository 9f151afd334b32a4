import { z } from 'zod';
import { once } from '#machines/kit/once.ts';

import { type Formats, inPresentFormat, isNewer, NewerFormat } from './formats.ts';

/**
 * The formats of the durable document. A new one needs a migration with a fixture, and all have `version` and
 * `sections.identity` alike: a program that meets a newer one knows by it who the panel is.
 */
export const documentFormats: Formats = { current: 1, migrations: {} };

/** The durable document, in the present format. Sections that this version does not know are kept. */
export const stateDocument = once(() =>
  z.looseObject({
    version: z.int().min(1),
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

/** The document in a file's JSON; throws if it is not one, or if a newer version wrote it. */
export function readDocument(json: unknown): StateDocument {
  if (isNewer(json, documentFormats)) throw new NewerFormat();
  return withPresentNames(stateDocument().parse(inPresentFormat(json, documentFormats)));
}

/** True if the text of a file is a valid document, also one that a newer version wrote. */
export function isDocument(text: string): boolean {
  try {
    const json: unknown = JSON.parse(text);
    return isNewer(json, documentFormats) || stateDocument().safeParse(json).success;
  } catch {
    return false;
  }
}

/** The document of a panel on which nothing was ever saved. */
export const emptyDocument = (format = documentFormats.current): StateDocument => ({ version: format, sections: {} });

const frozen = once(() => z.object({ sections: z.object({ identity: z.record(z.string(), z.unknown()) }) }));

/** Who the panel is, from a document of any format, as one of `format`. */
export function identityAlone(json: unknown, format = documentFormats.current): StateDocument {
  const { data } = frozen().safeParse(json);
  return data === undefined ? emptyDocument(format) : { ...emptyDocument(format), sections: data.sections };
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
