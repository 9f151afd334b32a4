import { z } from 'zod';

import { ENTITY_ID, ENTITY_ID_LENGTH, isEntityId } from '../kit/entity-id.ts';
import { once } from '../kit/once.ts';
import { MOST_EVIDENCE, MOST_ISSUES, PLACE_LENGTH } from './configured.ts';
import {
  issueKinds,
  type PersistedState,
  type PersistedAccount,
  type Learned,
  MOST_ACCOUNTS,
  MOST_DASHBOARDS,
  MOST_IDS,
  NAME_LENGTH,
  overrides,
  sources,
} from './persisted.ts';
import { FILE_LENGTH, MOST_MISSES } from './members.ts';
import { withinBounds } from './sets.ts';

const entityId = once(() => z.string().max(ENTITY_ID_LENGTH).regex(ENTITY_ID));
const name = once(() => z.string().max(NAME_LENGTH));
const fingerprint = once(() => z.string().regex(/^[0-9a-f]{16}$/));
const short = once(() => z.string().max(PLACE_LENGTH).nullable());
const place = once(() => z.strictObject({ view: short(), card: short() }));

const member = once(() =>
  z.strictObject({
    entityId: entityId(),
    name: name().exactOptional(),
    override: z.enum(overrides),
    evidence: z.array(z.strictObject({ source: z.enum(sources), place: place().nullable() })).max(MOST_EVIDENCE),
    misses: z.int().min(0).max(MOST_MISSES),
    exists: z.boolean(),
  }),
);

const issue = once(() =>
  z.strictObject({
    fingerprint: fingerprint(),
    kind: z.enum(issueKinds),
    blocks: z.boolean(),
    place: place(),
    subject: z.string().max(Math.max(ENTITY_ID_LENGTH, FILE_LENGTH)).nullable(),
  }),
);

const ids = once(() => z.array(entityId()).max(MOST_IDS));
const at = once(() => z.number().min(0));

const learned = once(() =>
  z.strictObject({
    dashboard: name(),
    scannedAt: at().nullable(),
    existing: z.int().min(0).exactOptional(),
    members: z.array(member()).max(MOST_IDS),
    issues: z.array(issue()).max(MOST_ISSUES),
    ignored: z.array(fingerprint()).max(MOST_ISSUES),
    active: ids().nullable(),
  }),
);

const policy = once(() => z.strictObject({ auto_static: z.boolean(), auto_runtime: z.boolean() }));

/** The initial document: everything is learned, and there is no manual list. */
export const emptyState: PersistedState = {
  version: 1,
  policy: { auto_static: true, auto_runtime: true },
  manual: { enabled: false, ids: [] },
  accounts: [],
};

/** The valid items of a list, at most `most`. */
const each = <T>(values: unknown, most: number, read: (value: unknown) => T | null): readonly T[] =>
  Array.isArray(values)
    ? values.slice(0, most).flatMap((value) => {
        const one = read(value);
        return one === null ? [] : [one];
      })
    : [];

const asIs =
  <T>(schema: z.ZodType<T>) =>
  (value: unknown): T | null => {
    const parsed = schema.safeParse(value);
    return parsed.success ? parsed.data : null;
  };

function inOrder(dashboard: Learned): Learned {
  const members = new Map(dashboard.members.map((one) => [one.entityId, one]));
  return {
    ...dashboard,
    members: [...members.values()].toSorted((a, b) => (a.entityId < b.entityId ? -1 : 1)),
    active: dashboard.active === null ? null : [...new Set(dashboard.active)].toSorted(),
  };
}

const head = once(() => z.looseObject({ dashboard: name() }));

/**
 * Reads one learned dashboard. If a part is invalid, the rest is kept, but the dashboard is shown unfiltered and counts
 * as never scanned, since the rest may be an incomplete set.
 */
function readLearned(value: unknown): Learned | null {
  const whole = learned().safeParse(value);
  if (whole.success) return inOrder(whole.data);
  const parsed = head().safeParse(value);
  if (!parsed.success) return null;
  const { dashboard, members, issues, ignored } = parsed.data;
  return inOrder({
    dashboard,
    scannedAt: null,
    members: each(members, MOST_IDS, asIs(member())),
    issues: each(issues, MOST_ISSUES, asIs(issue())),
    ignored: each(ignored, MOST_ISSUES, asIs(fingerprint())),
    active: null,
  });
}

const account = once(() => z.looseObject({ server: name(), user: name(), start: name().nullable().catch(null) }));

function readAccount(value: unknown): PersistedAccount | null {
  const parsed = account().safeParse(value);
  if (!parsed.success) return null;
  const { server, user, start, dashboards } = parsed.data;
  return { server, user, start, dashboards: withinBounds(each(dashboards, MOST_DASHBOARDS, readLearned)) };
}

const document = once(() =>
  z.looseObject({
    version: z.literal(1),
    policy: policy().catch(emptyState.policy),
    manual: z
      .looseObject({ enabled: z.boolean(), ids: z.array(z.unknown()).max(MOST_IDS) })
      .catch({ enabled: false, ids: [] }),
  }),
);

/**
 * Reads the document from JSON; an invalid part costs no more than that part. A manual list with an invalid id is
 * disabled.
 *
 * @throws {z.ZodError} If it is not such a document at all.
 */
export function readPersisted(json: unknown): PersistedState {
  const { policy: chosen, manual, accounts } = document().parse(json);
  const listed = manual.ids.filter(isEntityId);
  return {
    version: 1,
    policy: chosen,
    manual: {
      enabled: manual.enabled && listed.length === manual.ids.length,
      ids: [...new Set(listed)].toSorted(),
    },
    accounts: each(accounts, MOST_ACCOUNTS, readAccount),
  };
}
