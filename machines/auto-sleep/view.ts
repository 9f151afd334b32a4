import type { ReadOutcome } from '../home-assistant/events.ts';
import type { SettingValue } from '../kit/setting.ts';
import type { EpochMs } from '../kit/units.ts';
import {
  exclusions,
  type AutoSleepDocument,
  type SleepHistory,
  type SleepPrerequisite,
  type SleepSources,
} from './document.ts';
import type { AreaSources, AutoSleepContext, Prerequisite, ReplayAnswer, RuleView } from './events.ts';
import { restingFacts, restingView } from './off.ts';
import { sentenceOf } from './sentence.ts';
import { sleepSettingsOf } from './settings.ts';

type Values = Readonly<Record<string, SettingValue>>;

/** The facts to show of an actor that restarts. */
const unavailableFacts: AutoSleepContext = {
  ...restingFacts,
  view: { ...restingView, phase: 'unavailable', reason: 'runtime_unavailable' },
};

const ruleOf = ({ isActive, changesAt, why }: RuleView): AutoSleepDocument['screen_off_hours'] => ({
  active: isActive,
  changes_epoch_ms: changesAt,
  why,
});

/** The facts of the actor, `off` while the settings keep it off, or `restarting`. */
export type SleepFacts = AutoSleepContext | 'off' | 'restarting';

function factsOf(facts: SleepFacts): AutoSleepContext {
  if (facts === 'off') return restingFacts;
  return facts === 'restarting' ? unavailableFacts : facts;
}

/** The decision as of now. `areaName` is only known to who asked for the sources. */
export function documentOf(
  known: SleepFacts,
  { values, areaName, now }: { readonly values: Values; readonly areaName: string | null; readonly now: EpochMs },
): AutoSleepDocument {
  const facts = factsOf(known);
  const { view, discoveredCount } = facts;
  const { enabled, source } = sleepSettingsOf(values);
  return {
    available: known !== 'off' && view.phase !== 'unavailable' && view.phase !== 'off',
    enabled,
    source,
    phase: view.phase,
    reason: view.reason,
    gap: view.gap,
    learned_lease_ms: view.leaseMs,
    source_count: view.sourceCount,
    discovered_source_count: discoveredCount,
    area_name: areaName,
    manual_suppression: view.isSuppressed,
    detail: sentenceOf(facts, now),
    until_epoch_ms: view.until,
    screen_off_hours: ruleOf(view.offHours),
    night_dim_hours: ruleOf(view.dim),
    changes: view.changes.map(({ at, lit, by, reason, sourceKey }) => ({
      epoch_ms: at,
      lit,
      by,
      reason,
      source_key: sourceKey,
    })),
  };
}

const details: Readonly<Record<Prerequisite['phase'], string>> = {
  assigned: 'The presence sensors of the panel’s area can be used.',
  unassigned: 'Give the panel’s device an area in Home Assistant: Settings, Devices, the panel, the pencil.',
  auth_failed: 'Sign in to Home Assistant first.',
  unavailable: 'Home Assistant does not respond. Try again in a minute.',
};

/** The panel's area, by what Home Assistant answered to the topic `area-presence`. */
export function prerequisiteIn(read: ReadOutcome): Prerequisite {
  if (!read.ok) return { phase: read.reason === 'signed-out' ? 'auth_failed' : 'unavailable', areaName: null };
  if (read.reading.kind !== 'area-presence') return { phase: 'unavailable', areaName: null };
  const { area } = read.reading;
  return area === null ? { phase: 'unassigned', areaName: null } : { phase: 'assigned', areaName: area.name };
}

export const prerequisiteOf = ({ phase, areaName }: Prerequisite): SleepPrerequisite => ({
  eligible: phase === 'assigned',
  phase,
  area_name: areaName,
  detail: details[phase],
});

/** The replay as it is served; without a settled one the window is empty. */
export function historyOf({ fault, settled }: ReplayAnswer, hours: number): SleepHistory {
  return {
    available: settled !== null,
    hours,
    bucket_ms: 60_000,
    window_start_epoch_ms: settled?.from ?? null,
    window_end_epoch_ms: settled?.to ?? null,
    warmup_ms: 3_600_000,
    learned_lease_ms: settled?.leaseMs ?? null,
    source_scope: 'selected_area_sources',
    area_sources_only: true,
    source_count: settled?.lanes.length ?? 0,
    exclusions: [...exclusions],
    segments: (settled?.segments ?? []).map(({ from, to, verdict, reason }) => ({
      start_epoch_ms: from,
      end_epoch_ms: to,
      category: verdict,
      reason,
    })),
    source_lanes: (settled?.lanes ?? []).map(({ key, states }) => ({
      source_key: key,
      states: states.map(({ at, state }) => ({ epoch_ms: at, state })),
    })),
    detail: fault,
  };
}

export const sourcesOf = ({ areaKey, areaName, sources, total }: AreaSources): SleepSources => ({
  area_key: areaKey,
  area_name: areaName,
  items: sources.map(({ key, entityId, name, state, isIncluded }) => ({
    source_key: key,
    entity_id: entityId,
    name,
    state,
    included: isIncluded,
  })),
  total,
});
