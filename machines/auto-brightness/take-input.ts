import { usableLux } from '../kit/lux.ts';
import type { Milliseconds } from '../kit/units.ts';
import type { ScreenId } from '../screen/events.ts';
import { pinnedNow } from './advance.ts';
import type { DisplayView, ManualPreference, Moment, Place } from './events.ts';
import { type FollowState, newSession } from './follow-state.ts';
import { handIn, isChanged } from './hand.ts';
import { logOf } from './lux.ts';
import { joinMinutes } from './minutes.ts';
import { DEADBAND, type Told } from './pace.ts';
import { recalledPreference } from './preference.ts';
import type { RoomInput } from './room-input.ts';

/** A change of ln(1 + lux) that is worth a decision of its own (as panel-assistant, "Cadence"). */
export const NOTABLE_LOG = 0.05;

type Changes = Partial<FollowState>;
type Of<T extends RoomInput['type']> = Extract<RoomInput, { readonly type: T }>;

const due: Changes = { isDue: true };

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** What each display was given, without those that are gone, or that have another level since something else set it. */
function toldAfter(
  told: FollowState['told'],
  before: readonly DisplayView[],
  after: readonly DisplayView[],
): ReadonlyMap<ScreenId, Told> {
  const rows = after.flatMap((display): (readonly [ScreenId, Told])[] => {
    const { id, level } = display;
    const row = told.get(id);
    const known = before.find((one) => one.id === id);
    if (row === undefined || known === undefined) return [];
    const isOther = isChanged(known, display) && display.changed?.by !== 'auto-brightness';
    return [[id, isOther && Math.abs(level - row.level) >= DEADBAND ? { ...row, level } : row]];
  });
  return new Map(rows);
}

const dimmed = (displays: readonly DisplayView[]) =>
  displays.map(({ id, route, lit, changed }) => ({ id, route, lit, changed }));

function takeDisplays(state: FollowState, after: readonly DisplayView[], { now, elapsed }: Moment): Changes {
  const before = state.displays ?? [];
  if (isSame(dimmed(before), dimmed(after))) return { displays: after };
  const hand = handIn(before, after, state.applied);
  const isWritten = after.some((display) => {
    const known = before.find(({ id }) => id === display.id);
    return known !== undefined && isChanged(known, display);
  });
  return {
    displays: after,
    told: toldAfter(state.told, before, after),
    ...(isWritten && { writtenAt: elapsed }),
    ...(hand !== null && { hand: { ...hand, at: now, since: elapsed }, applied: hand.requested }),
    ...due,
  };
}

/** The preference ends, and its end is kept. */
const withoutPreference = ({ held }: FollowState, elapsed: Milliseconds): Changes => ({
  held: null,
  hand: null,
  ...(held !== null && { unkeptSince: elapsed }),
});

const takeSource = (state: FollowState, { kind, revision }: Of<'source'>, { elapsed }: Moment): Changes => ({
  ...newSession,
  kind,
  revision,
  why: kind === null ? 'no-source' : 'starting',
  pinned: null,
  isForced: true,
  ...due,
  // The first one of a run is no change.
  ...(state.kind !== null && withoutPreference(state, elapsed)),
});

const isElsewhere = (one: Place | null, other: Place | null): boolean =>
  one !== null && other !== null && (one.latitude !== other.latitude || one.longitude !== other.longitude);

function takePlace(state: FollowState, { place, revision }: Of<'place'>, { elapsed }: Moment): Changes {
  const before = state.place;
  if (before !== undefined && isSame(before, place)) return {};
  const { lux, smoothedLog } = state;
  return {
    place,
    ...pinnedNow(state),
    ...due,
    fitAskedAt: null,
    ...(revision !== undefined && revision !== state.revision && { ...newSession, lux, smoothedLog, revision }),
    // Another time zone alone is no reason to overrule a person.
    ...(isElsewhere(before ?? null, place) && withoutPreference(state, elapsed)),
  };
}

function takeSample(state: FollowState, given: number): Changes {
  if (state.kind === null) return {};
  const lux = usableLux(given);
  if (lux === null) return takeSilence(state, 'not-a-number');
  const log = logOf(lux);
  const isNotable = state.why !== null || state.decidedLog === null || Math.abs(log - state.decidedLog) >= NOTABLE_LOG;
  const isUnpinned = state.pinned !== null && Math.abs(log - state.pinned.log) >= NOTABLE_LOG;
  return {
    lux,
    why: null,
    smoothedLog: state.smoothedLog ?? log,
    ...(isNotable && due),
    ...(isUnpinned && { pinned: null }),
  };
}

const takeSilence = (state: FollowState, why: FollowState['why']): Changes =>
  state.lux === null && state.why === why ? {} : { lux: null, why, ...due };

function takeRecalled(state: FollowState, stored: ManualPreference | null, { now, elapsed }: Moment): Changes {
  const preference = stored === null ? null : recalledPreference(stored, now);
  // A hand of this run is newer.
  if (state.held !== null || state.hand !== null) return {};
  if (preference === null) return stored === null ? {} : { unkeptSince: elapsed };
  return { held: { preference, since: elapsed - (now - preference.startedAt) }, ...due };
}

/** True if it was measured, read or computed for a source that is no longer the current one. */
export function isLate({ revision }: FollowState, input: RoomInput): boolean {
  if (input.type === 'source' || input.type === 'place' || !('revision' in input)) return false;
  return input.revision !== undefined && input.revision !== revision;
}

/** What one input changes, before anything is decided. */
export function changesBy(state: FollowState, input: RoomInput, moment: Moment): Changes {
  switch (input.type) {
    case 'settings':
      return isSame(state.settings, input.settings)
        ? {}
        : { settings: input.settings, isForced: true, pinned: null, ...due };
    case 'displays':
      return takeDisplays(state, input.displays, moment);
    case 'ceiling':
      return state.ceiling === input.level ? {} : { ceiling: input.level, isForced: true, ...due };
    case 'source':
      return takeSource(state, input, moment);
    case 'sample':
      return takeSample(state, input.lux);
    case 'silent':
      return takeSilence(state, input.why);
    case 'place':
      return takePlace(state, input, moment);
    case 'learned':
      return { fit: input.fit, ...(state.fit === null && due) };
    case 'minutes': {
      const minute = Math.floor(moment.now / 60_000);
      return { minutes: joinMinutes([...state.minutes, ...input.minutes], minute), fitAskedAt: null, ...due };
    }
    case 'resume':
      return { ...withoutPreference(state, moment.elapsed), isForced: true, pinned: null, ...due };
    case 'forget':
      return { ...newSession, lux: state.lux, smoothedLog: state.smoothedLog, ...due };
    case 'recalled':
      return takeRecalled(state, input.preference, moment);
    case 'kept':
      return state.historyFault === input.fault ? {} : { historyFault: input.fault, ...due };
    case 'tick':
    case 'stop':
      return {};
  }
}
