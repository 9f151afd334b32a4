import { z } from 'zod';

import type { ArchiveEntryName } from '../kit/archive-entries.ts';
import { isEntityId } from '../kit/entity-id.ts';
import type { JsonBounds } from '../kit/json-excess.ts';
import { once } from '../kit/once.ts';
import { storedRecipient } from '../kit/recipient.ts';

// The entries of an archive beside its manifest, version 1 of each.

/** Longest name and address, in characters. */
const name = once(() => z.string().max(255));

/** Most ids in a list, accounts, dashboards of one, and issues, as the entity filter has them. */
const [IDS, ACCOUNTS, DASHBOARDS, ISSUES] = [50_000, 8, 32, 500];

// A function, since a schema for each id of 400,000 is slow.
const ids = once(() =>
  z
    .array(z.string())
    .max(IDS)
    .refine((all) => all.every(isEntityId)),
);

/** What the owner decided about the entities of dashboards, and the sets in force; not what was learned. */
export const filterPart = once(() =>
  z.object({
    version: z.literal(1),
    policy: z.object({ auto_static: z.boolean(), auto_runtime: z.boolean() }),
    manual: z.object({ enabled: z.boolean(), ids: ids() }),
    accounts: z
      .array(
        z.object({
          server: name(),
          user: name(),
          start: name().nullable(),
          dashboards: z
            .array(
              z.object({
                dashboard: name(),
                pinned: ids(),
                excluded: ids(),
                ignored: z.array(z.string().regex(/^[0-9a-f]{16}$/)).max(ISSUES),
                active: ids().nullable(),
              }),
            )
            .max(DASHBOARDS),
        }),
      )
      .max(ACCOUNTS),
  }),
);
export type FilterPart = z.output<ReturnType<typeof filterPart>>;

/** Most sections of a panel's state, far more than there are. */
const MOST_SECTIONS = 64;

/** The state of the panel's hardware, as stored, by section. */
export const panelPart = once(() =>
  z.object({
    version: z.literal(1),
    sections: z
      .record(z.string().max(64), z.unknown())
      .refine((sections) => Object.keys(sections).length <= MOST_SECTIONS),
  }),
);
export type PanelPart = z.output<ReturnType<typeof panelPart>>;

/** Most revisions, and characters of one: as many as the catalogue accepts (`../profile-catalog/admit.ts`). */
const [REVISIONS, YAML] = [128, 131_072];

const profileId = once(() =>
  z
    .string()
    .max(128)
    .regex(/^[a-z0-9]+(?:[.-][a-z0-9]+)*$/),
);
const revision = once(() => z.string().regex(/^[0-9a-f]{64}$/));

/** Every local revision of a profile, and what is selected. */
export const profilesPart = once(() =>
  z.object({
    version: z.literal(1),
    selection: z.discriminatedUnion('mode', [
      z.object({ mode: z.literal('auto') }),
      z.object({ mode: z.literal('pinned'), id: profileId(), revision: revision() }),
    ]),
    revisions: z.array(z.object({ id: profileId(), revision: revision(), yaml: z.string().max(YAML) })).max(REVISIONS),
  }),
);
export type ProfilesPart = z.output<ReturnType<typeof profilesPart>>;

/** The sign-in to Home Assistant: credentials that only the agent writes, each with its recipient. */
export const companionPart = once(() =>
  z.object({
    version: z.literal(1),
    secrets: z.record(
      z.string().max(64),
      z.object({ value: z.string().min(1).max(16_384), recipient: storedRecipient().nullable() }),
    ),
  }),
);
export type CompanionPart = z.output<ReturnType<typeof companionPart>>;

/** Limits of each entry as JSON; the filter's are those of eight accounts at their limit. */
export const entryBounds: Readonly<Record<ArchiveEntryName, JsonBounds>> = {
  'manifest.json': { depth: 16, tokens: 20_000 },
  'entity/filter.json': { depth: 16, tokens: 500_000 },
  'state/panel.json': { depth: 64, tokens: 200_000 },
  'profiles/catalog.json': { depth: 16, tokens: 10_000 },
  'companion/sign-in.json': { depth: 16, tokens: 1000 },
};
