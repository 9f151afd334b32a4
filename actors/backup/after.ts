import type { JobResult, PartResult } from '#machines/maintenance/events.ts';
import { maintenanceEnded } from '#machines/maintenance/stored.ts';
import { type Assignment, isSameRecipient, readAssignments } from '#machines/kit/recipient.ts';
import type { EpochMs } from '#machines/kit/units.ts';
import {
  activationRecord,
  afterSelection,
  type ActivationRecord,
  firstRecord,
  sameSelection,
} from '#machines/profile-catalog/activation.ts';
import { type AnnouncedDevice, announcedFrom, isSame, storedForm } from '#machines/publisher/announced.ts';
import type { PersistedState } from '#machines/entity-filter/persisted.ts';
import { withoutMarks } from '#machines/settings/provision.ts';
import { readStored, withChanges } from '#machines/settings/stored.ts';

import { filterAfter } from './filter-after.ts';
import { ANNOUNCED, type RestorePlan } from './plan.ts';
import { sameJson } from './same-json.ts';

export type Sections = Readonly<Record<string, unknown>>;

/** The sections of settings and credentials; the same ones if nothing in them changes. */
function settingsAfter({ settings, secrets }: Sections, { settings: plan, at }: RestorePlan): Sections {
  const stored = { settings, secrets };
  const before = readStored(stored);
  const assignments = new Map(readAssignments(secrets));
  for (const [key, recipient] of Object.entries(plan.recipients)) {
    const known = assignments.get(key);
    // The same credential may have got its recipient here meanwhile.
    const isUnmoved = recipient === null && !Object.hasOwn(plan.changes.secrets, key);
    const isKnown = known !== undefined && recipient === null && (known.recipient === null || isUnmoved);
    if (isKnown || isSameRecipient(known?.recipient ?? null, recipient)) continue;
    // As one from a file: without a recipient it waits for a person.
    assignments.set(key, { id: `restored-${at}`, recipient, by: 'file', at } satisfies Assignment);
  }
  const after = withChanges(stored, plan.changes, before.revision + 1, assignments);
  const isSameValues = sameJson(before.configuration, readStored(after).configuration);
  if (isSameValues && sameJson([...readAssignments(secrets)], [...readAssignments(after.secrets)])) return {};
  return { settings: withoutMarks(after.settings, plan.orphaned), secrets: after.secrets };
}

/** Most devices, and entities of one, as the stored form has them. */
const [DEVICES, ENTITIES] = [32, 600];

function joinedDevice(own: AnnouncedDevice, archived: AnnouncedDevice | undefined): AnnouncedDevice {
  const fresh = (archived?.entries ?? []).filter(
    ({ key, entityKind }) => !own.entries.some((entry) => entry.key === key && entry.entityKind === entityKind),
  );
  return { ...own, entries: [...own.entries, ...fresh].slice(0, ENTITIES) };
}

/** What Home Assistant was told by either: whatever is not announced again has to be removed there. */
function joinedAnnounced(own: unknown, archived: unknown): unknown {
  const [{ devices }, { devices: others }] = [announcedFrom(own), announcedFrom(archived)];
  const joined = devices.map((device) =>
    joinedDevice(
      device,
      others.find((other) => isSame(other, device)),
    ),
  );
  const fresh = others.filter((other) => !devices.some((device) => isSame(other, device)));
  return fresh.length === 0 && sameJson(joined, devices)
    ? own
    : storedForm({ devices: [...joined, ...fresh].slice(0, DEVICES) });
}

function panelAfter(sections: Sections, { panel }: RestorePlan): Sections {
  const entries = Object.entries(panel).map(([section, value]) => [
    section,
    section === ANNOUNCED ? joinedAnnounced(sections[ANNOUNCED] ?? null, value) : value,
  ]);
  return Object.fromEntries(entries) as Sections;
}

const statusOf = { restored: 'succeeded', unchanged: 'skipped', skipped: 'skipped', absent: 'skipped' } as const;

/** How the restore ended, part by part. */
function resultOf({ preview }: RestorePlan): JobResult {
  const results = preview.parts.map(({ part, does, items, why }): [string, PartResult] => {
    const isPartial = does === 'restored' && why !== '';
    const detail = does === 'unchanged' && why === '' ? 'It is as it was in the backup.' : why;
    const status = isPartial ? 'partial' : statusOf[does];
    return [part, { status, ...(items >= 0 && { items }), ...(detail !== '' && { detail }) }];
  });
  const isPartial = preview.stateUnavailable || results.some(([, { status }]) => status === 'partial');
  return { status: isPartial ? 'partial' : 'succeeded', ...Object.fromEntries(results) };
}

function messageOf({ preview }: RestorePlan): string {
  if (preview.stateUnavailable)
    return 'The backup was restored. Some of the panel’s state is missing in it: it could not be read when it was made.';
  return preview.profile === null
    ? 'The backup was restored.'
    : 'The backup was restored. Its profile is on trial, and kept once it has worked for a while.';
}

const fieldsOf = (section: unknown): Sections =>
  typeof section === 'object' && section !== null ? Object.fromEntries(Object.entries(section)) : {};

/**
 * The stored sections after a restore, with its end in `restore` and `maintenance`. What the archive does not have
 * stays. The result of its own result is the same.
 */
export function sectionsAfterRestore(sections: Sections, plan: RestorePlan, at: EpochMs): Sections {
  const order = fieldsOf(sections['restore']);
  const after = { ...sections, ...settingsAfter(sections, plan), ...panelAfter(sections, plan) };
  if (order['state'] === 'done') return after;
  const end = { kind: 'restore', at, message: messageOf(plan), result: resultOf(plan) } as const;
  return {
    ...after,
    restore: { version: 1, ...order, state: 'done' },
    maintenance: maintenanceEnded(sections['maintenance'], end),
  };
}

/** The document of the entity filter after a restore; `keep` if it stays. `stored` is null if there is none. */
export const filterAfterRestore = (stored: unknown, { filter }: RestorePlan): PersistedState | 'keep' =>
  filter === null ? 'keep' : filterAfter(stored, filter);

/** The activation record after a restore: another selection is on trial; `keep` if the selection stays. */
export function activationAfterRestore(
  stored: unknown,
  { selection }: RestorePlan,
  at: EpochMs,
): ActivationRecord | 'keep' {
  const record = activationRecord().safeParse(stored).data ?? firstRecord;
  return selection === null || sameSelection(record.selection, selection)
    ? 'keep'
    : afterSelection(record, selection, at);
}
