import { sha256Hex } from '#drivers/kit/sha256.ts';
import type { Archive, ArchivedRevision, PanelFacts } from '#machines/backup/archive.ts';
import type { ArchiveOrigin, RestorePreview } from '#machines/backup/events.ts';
import type { FilterPart } from '#machines/backup/parts.ts';
import type { EpochMs } from '#machines/kit/units.ts';
import {
  activationRecord,
  firstRecord,
  type ProfileSelection,
  refOf,
  sameSelection,
} from '#machines/profile-catalog/activation.ts';
import { admitImport } from '#machines/profile-catalog/admit.ts';
import { panelSections } from '#machines/stored-sections.ts';

import { isOrigin } from '../config-copies/origin.ts';
import { hasDecisions } from './filter-after.ts';
import { planSettings, type SettingsPlan } from './plan-settings.ts';
import { sameJson } from './same-json.ts';

type PlannedPart = RestorePreview['parts'][number];

/** What a start carries out: plain JSON. It has the secrets of the archive. */
export interface RestorePlan {
  readonly version: 1;
  /** When it was made. */
  readonly at: EpochMs;
  readonly preview: RestorePreview;
  readonly settings: Omit<SettingsPlan, 'preview'>;
  /** Null if nothing of the entity filter changes. */
  readonly filter: FilterPart | null;
  /** Sections of the panel's state that are put back. */
  readonly panel: Readonly<Record<string, unknown>>;
  /** Another profile than the selected one, which starts on trial; null if the selection stays. */
  readonly selection: ProfileSelection | null;
  /** Revisions of profiles that join the saved ones. */
  readonly revisions: readonly ArchivedRevision[];
}

const partWith = (name: PlannedPart['part'], does: PlannedPart['does'], items: number, why = ''): PlannedPart => ({
  part: name,
  does,
  items,
  why,
});

function planFilter({ filter }: Archive, facts: PanelFacts): Pick<RestorePlan, 'filter'> & { part: PlannedPart } {
  if (filter === null)
    return { filter: null, part: partWith('filter', 'absent', -1, 'The backup has nothing about the entities.') };
  const isSame = hasDecisions(facts.filter, filter);
  return {
    filter: isSame ? null : filter,
    part: partWith('filter', isSame ? 'unchanged' : 'restored', filter.accounts.length),
  };
}

/** The section of what Home Assistant was told; it moves with the identity of a panel, not with its hardware. */
export const ANNOUNCED = 'announced';

function planPanel({ panel, manifest }: Archive, facts: PanelFacts, origin: ArchiveOrigin) {
  const nothing = { sections: {} };
  if (origin === 'another-machine')
    return { ...nothing, part: partWith('panel', 'skipped', -1, 'It is about the hardware of another panel.') };
  const taken = origin === 'this-machine' ? panelSections : [ANNOUNCED];
  const held = Object.entries(panel?.sections ?? {}).filter(([section]) => taken.includes(section));
  if (held.length === 0) {
    const why = manifest.state_unavailable
      ? 'It could not be read when the backup was made.'
      : 'The backup has none of it.';
    return { ...nothing, part: partWith('panel', 'absent', -1, why) };
  }
  const isSame = held.every(([section, value]) => sameJson(value, facts.sections[section]));
  const does = isSame ? 'unchanged' : 'restored';
  return { sections: Object.fromEntries(held), part: partWith('panel', does, held.length) };
}

/** The revisions that this panel lacks and has room for; `left` is the number of those that it does not take. */
function planRevisions(archived: readonly ArchivedRevision[], local: readonly ArchivedRevision[]) {
  const bytesOf = (yaml: string): number => new TextEncoder().encode(yaml).length;
  const status = { record: firstRecord, active: null, bundled: [], commandLine: false };
  const stored = local.map(({ id, revision, yaml }) => ({ id, revision, bytes: bytesOf(yaml) }));
  const added: ArchivedRevision[] = [];
  let left = 0;
  for (const one of archived) {
    const fresh = { id: one.id, revision: one.revision, bytes: bytesOf(one.yaml) };
    const admitted = admitImport({ ...status, local: stored }, fresh);
    // A text under the name of another one would be found damaged.
    if (!admitted.ok || sha256Hex(one.yaml) !== one.revision) left += 1;
    else if (admitted.value === 'new') {
      stored.push(fresh);
      added.push(one);
    }
  }
  return { added, stored, left };
}

const leftWords = (left: number): string =>
  left === 0
    ? ''
    : `${left === 1 ? 'One profile is' : `${left} profiles are`} left out: damaged, or more than the panel keeps.`;

function planProfiles({ profiles }: Archive, facts: PanelFacts, origin: ArchiveOrigin) {
  if (profiles === null)
    return { revisions: [], selection: null, part: partWith('profiles', 'absent', -1, 'The backup has no profiles.') };
  const { added, left } = planRevisions(profiles.revisions, facts.profiles.revisions);
  const { selection: now } = activationRecord().safeParse(facts.profiles.record).data ?? firstRecord;
  const ref = refOf(profiles.selection);
  const wasLeft =
    ref !== null &&
    profiles.revisions.some(({ id, revision }) => id === ref.id && revision === ref.revision) &&
    ![...added, ...facts.profiles.revisions].some(({ id, revision }) => id === ref.id && revision === ref.revision);
  // The profile that matched there says nothing of other hardware.
  const isElsewhere = ref === null && origin !== 'this-machine';
  const selection = wasLeft || isElsewhere || sameSelection(now, profiles.selection) ? null : profiles.selection;
  const does = added.length > 0 || selection !== null ? 'restored' : 'unchanged';
  return { revisions: added, selection, part: partWith('profiles', does, added.length, leftWords(left)) };
}

interface RestoreWhere {
  /** True if this panel takes the place of the one that the archive is from. */
  readonly replaces: boolean;
  /** The origins of this machine. */
  readonly own: readonly string[];
  /** True if the preview must not tell which credentials are stored already; false if absent. */
  readonly hidesStored?: boolean;
}

/**
 * Decides what a restore of this archive does on this panel. Refused, by key, if the archived settings cannot be in
 * force.
 */
export function planRestore(
  archive: Archive,
  facts: PanelFacts,
  { replaces, own, hidesStored = false }: RestoreWhere,
): RestorePlan | { readonly rejected: Readonly<Record<string, string>> } {
  const { manifest } = archive;
  const elsewhere: ArchiveOrigin = replaces ? 'replaces' : 'another-machine';
  const origin = isOrigin(manifest.origin, own) ? 'this-machine' : elsewhere;
  const planned = planSettings(archive, facts, { origin, hidesStored });
  if ('rejected' in planned) return planned;
  const { preview, ...settings } = planned;
  const filter = planFilter(archive, facts);
  const panel = planPanel(archive, facts, origin);
  const profiles = planProfiles(archive, facts, origin);
  return {
    version: 1,
    at: facts.at,
    preview: {
      origin,
      madeAt: manifest.made_at,
      madeBy: manifest.made_by,
      version: manifest.version,
      stateUnavailable: manifest.state_unavailable,
      changes: preview.changes,
      skippedKeys: preview.skipped,
      parts: [preview.config, filter.part, panel.part, profiles.part, preview.companion],
      profile: profiles.selection === null ? null : (refOf(profiles.selection)?.id ?? 'auto'),
    },
    settings,
    filter: filter.filter,
    panel: panel.sections,
    selection: profiles.selection,
    revisions: profiles.revisions,
  };
}
