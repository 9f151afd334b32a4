import type { AreaPresence } from '../home-assistant/events.ts';
import type { Feed, Gap, PresenceSource } from './events.ts';

/** A state of Home Assistant as one of a source; anything but on and off, or none, is unavailable. */
export const sourceState = (state: string | null | undefined): PresenceSource['state'] =>
  state === 'on' || state === 'off' ? state : 'unavailable';

/** A sensor of the area under its key. */
interface KeyedSensor {
  readonly key: string;
  readonly entityId: string;
}

/** What is known of the sensors of Home Assistant. */
export interface HomeFacts {
  /** `out`: there is no sign-in. `refused`: the sign-in was refused. Null while unknown. */
  readonly signIn: 'in' | 'out' | 'refused' | null;
  readonly isLive: boolean;
  /** True if the connection could not be made, or was lost. */
  readonly hasFailed: boolean;
  /** Null before the first answer, also of an earlier connection. */
  readonly area: Pick<AreaPresence, 'isKnown' | 'area' | 'total'> | null;
  /** The sensors that are not left out. */
  readonly included: readonly KeyedSensor[];
  /** By entity id, of this connection; a sensor that is missing here was not read yet. */
  readonly states: ReadonlyMap<string, string | null>;
  /** True if there were live sources before. */
  readonly wasLive: boolean;
}

function gapIn({ area, included }: HomeFacts): Gap | null {
  if (area === null) return 'starting';
  if (!area.isKnown) return 'no-device';
  if (area.area === null) return 'no-area';
  if (area.total === 0) return 'no-sensors';
  return included.length === 0 ? 'all-excluded' : null;
}

/**
 * The feed of the sensors of Home Assistant. Null to wait with the feed of before: the states of a new sensor are on
 * their way.
 */
export function homeFeed(facts: HomeFacts): Feed | null {
  const { signIn, isLive, hasFailed, included, states, wasLive } = facts;
  const missing = wasLive ? 'lost' : 'none';
  if (signIn === 'out') return { kind: 'none', why: 'signed-out' };
  if (signIn === 'refused') return { kind: missing, why: 'signed-out' };
  if (!isLive) return { kind: missing, why: wasLive || hasFailed ? 'home-assistant-away' : 'starting' };
  const gap = gapIn(facts);
  if (gap !== null) return { kind: 'none', why: gap };
  if (included.some(({ entityId }) => !states.has(entityId))) return null;
  return {
    kind: 'live',
    sources: included.map(({ key, entityId }) => ({ key, state: sourceState(states.get(entityId)) })),
  };
}

/** What is known of the panel's own sensor. */
export interface PanelFacts {
  /** False if the panel has no such sensor, or never found it. */
  readonly isThere: boolean;
  /** Null while that is unknown. */
  readonly isCalibrated: boolean | null;
  /** Null while it cannot be trusted. */
  readonly near: boolean | null;
  readonly wasLive: boolean;
}

/** The feed of the panel's own sensor under its key. */
export function panelFeed({ isThere, isCalibrated, near, wasLive }: PanelFacts, key: string): Feed {
  const missing = wasLive ? 'lost' : 'none';
  if (!isThere) return { kind: missing, why: 'no-sensor' };
  if (isCalibrated === false) return { kind: 'none', why: 'not-calibrated' };
  if (isCalibrated === null || near === null) return { kind: missing, why: wasLive ? 'no-sensor' : 'starting' };
  return { kind: 'live', sources: [{ key, state: near ? 'on' : 'off' }] };
}
