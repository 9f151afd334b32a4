import type { EpochMs } from '../kit/units.ts';
import type { AnnouncerContext } from '../announcer/events.ts';
import type { MqttContext } from '../mqtt/events.ts';
import type { PowerContext } from '../power/events.ts';
import type { ProfilesContext } from '#machines/profiles/events.ts';
import type { PublisherContext } from '../publisher/events.ts';
import type { RendererContext } from '../renderer/events.ts';
import type { ScreenContext } from '../screen/events.ts';
import type { SettingsContext } from '../settings/events.ts';
import type { SignInContext } from '../sign-in/events.ts';
import type { StoreContext } from '../store/events.ts';
import type { Happening, HistoryKind } from './events.ts';

/** How the history watches one actor: what it looks at, and what a change of that means. */
export interface HistoryRow {
  /** Registry id of the actor; it need not exist on every panel. */
  readonly id: string;
  /** What is looked at, plain JSON; null while it is not known. */
  readonly look: (context: unknown) => unknown;
  /**
   * What happened between two looks; `before` is null at the first. `now` stands where the facts carry no time of their
   * own.
   */
  readonly happenings: (before: unknown, after: unknown, now: EpochMs) => readonly Happening[];
}

/** A row with the types of its actor; they are forgotten where rows of all actors stand in one table. */
const row = <C, S>(
  id: string,
  look: (context: C) => S | null,
  happenings: (before: S | null, after: S, now: EpochMs) => readonly Happening[],
): HistoryRow => ({
  id,
  // The actor of that id has this context by the contract of its room, and what was looked at comes back unchanged.
  look: (context) => look(context as C),
  happenings: (before, after, now) => happenings(before as S | null, after as S, now),
});

const happened = (at: EpochMs, kind: HistoryKind, code: string, by: string | null = null): readonly Happening[] => [
  { at, kind, by, code },
];
const nothing: readonly Happening[] = [];

/** Most keys that one entry of saved settings names. */
const namedKeys = 6;

const differing = <T>(
  before: Readonly<Record<string, T>>,
  after: Readonly<Record<string, T>>,
  name = (key: string): string => key,
): readonly string[] =>
  Object.keys(after)
    .filter((key) => before[key] !== after[key])
    .map(name);

type Saved = Pick<SettingsContext, 'revision' | 'values' | 'secrets' | 'expose'>;

/** Names of the saved keys, never a value; a secret that replaced another one shows in no flag. */
const savedKeys = (before: Saved, after: Saved): string => {
  const keys = [
    ...differing(before.values, after.values),
    ...differing(before.secrets, after.secrets),
    ...differing(before.expose, after.expose, (key) => `ha_expose_${key}`),
  ];
  if (keys.length === 0) return 'secret';
  return [...keys.slice(0, namedKeys), ...(keys.length > namedKeys ? [`+${keys.length - namedKeys}`] : [])].join(',');
};

const settings = row<SettingsContext, Saved>(
  'settings',
  ({ revision, values, secrets, expose }) => (revision === 0 ? null : { revision, values, secrets, expose }),
  (before, after, now) =>
    before === null || before.revision === after.revision
      ? nothing
      : happened(now, 'configuration', savedKeys(before, after)),
);

const screen = row<ScreenContext, Pick<ScreenContext, 'lit' | 'changed'>>(
  'screen',
  ({ lit, changed }) => (lit === null ? null : { lit, changed }),
  (before, after, now) => {
    if (before === null || before.lit === after.lit) return nothing;
    const told = after.changed?.at === before.changed?.at ? null : after.changed;
    return happened(told?.at ?? now, 'screen', after.lit === true ? 'on' : 'off', told?.by ?? 'elsewhere');
  },
);

const power = row<PowerContext, PowerContext['lastReboot']>(
  'power',
  ({ lastReboot }) => lastReboot,
  (before, after) =>
    after === null || after.outcome === 'asked' || (before?.at === after.at && before.outcome === after.outcome)
      ? nothing
      : happened(after.at, 'reboot', after.outcome, after.origin),
);

const mqtt = row<MqttContext, Pick<MqttContext, 'phase' | 'connectedAt'>>(
  'mqtt',
  ({ phase, connectedAt }) => ({ phase, connectedAt }),
  (before, after, now) => {
    const was = before?.phase ?? null;
    if (after.phase === 'connected')
      return was === 'connected' && before?.connectedAt === after.connectedAt
        ? nothing
        : happened(after.connectedAt ?? now, 'broker', 'connected');
    if (after.phase === 'auth_failed' && was !== 'auth_failed') return happened(now, 'broker', 'refused');
    return was === 'connected' ? happened(now, 'broker', 'lost') : nothing;
  },
);

const publisher = row<PublisherContext, { readonly live: boolean; readonly seen: boolean }>(
  'publisher',
  ({ phase, platformSeen }) => ({ live: phase === 'live', seen: platformSeen }),
  (before, after, now) => {
    if (after.seen) return before?.seen === true ? nothing : happened(now, 'platform', 'connected');
    return before?.seen === true && after.live ? happened(now, 'platform', 'lost') : nothing;
  },
);

const renderer = row<
  RendererContext,
  { readonly restarts: RendererContext['restarts']; readonly awaySince: EpochMs | null }
>(
  'renderer',
  ({ restarts, away }) => ({ restarts, awaySince: away?.since ?? null }),
  (before, after, now) => {
    const known = before?.restarts.at(-1)?.at ?? 0;
    const restarts = after.restarts
      .filter(({ at }) => at > known)
      .flatMap(({ at, reason }) => happened(at, 'dashboard', reason));
    if (after.awaySince !== null && before?.awaySince !== after.awaySince)
      return [...restarts, ...happened(after.awaySince, 'dashboard', 'away')];
    return before !== null && before.awaySince !== null && after.awaySince === null
      ? [...restarts, ...happened(now, 'dashboard', 'back')]
      : restarts;
  },
);

const signIn = row<SignInContext, Pick<SignInContext, 'phase' | 'lastOutcome' | 'attemptUntil'>>(
  'sign-in',
  ({ phase, lastOutcome, attemptUntil }) => ({ phase, lastOutcome, attemptUntil }),
  (before, after, now) => {
    if (before === null) return nothing;
    const answered =
      after.lastOutcome !== null &&
      (before.lastOutcome !== after.lastOutcome || (before.attemptUntil !== null && after.attemptUntil === null));
    if (answered && after.lastOutcome !== null) return happened(now, 'sign-in', after.lastOutcome);
    if (before.phase === 'signed-in' && after.phase !== 'signed-in')
      return happened(now, 'sign-in', after.phase === 'refused' ? 'refused' : 'signed-out');
    return nothing;
  },
);

const announcer = row<AnnouncerContext, Pick<AnnouncerContext, 'phase' | 'generation' | 'reason' | 'startedAt'>>(
  'announcer',
  ({ phase, generation, reason, startedAt }) => ({ phase, generation, reason, startedAt }),
  (before, after, now) => {
    const same = before?.generation === after.generation && before.phase === after.phase;
    if (before === null || same) return nothing;
    if (after.phase === 'failed') return happened(now, 'announcement', after.reason ?? 'failed');
    return after.phase === 'playing' ? happened(after.startedAt ?? now, 'announcement', 'played') : nothing;
  },
);

const store = row<StoreContext, StoreContext['loss']>(
  'store',
  ({ loss }) => loss,
  (before, after) => (after === null || before?.at === after.at ? nothing : happened(after.at, 'storage', 'loss')),
);

/** How long after it happened a start still tells of a profile that was taken back: an older one is in the record. */
const tellsForMs = 10 * 60_000;

const profiles = row<
  ProfilesContext,
  { readonly state: string; readonly since: EpochMs; readonly reason: string | null }
>(
  'profiles',
  ({ catalog }) => catalog?.activation ?? null,
  (before, after, now) => {
    if (before?.state === after.state && before.reason === after.reason) return nothing;
    if (after.state === 'rolled_back')
      return before === null && now - after.since > tellsForMs
        ? nothing
        : happened(after.since, 'profile', 'taken-back');
    if (after.state === 'trial')
      return after.reason === 'restart-due' ? happened(after.since, 'profile', 'selected') : nothing;
    return before?.state === 'trial' ? happened(now, 'profile', 'kept') : nothing;
  },
);

/**
 * Every actor of which the history tells; one that joins adds its row, and its sentences to the strings of the pages.
 */
export const historyRows: readonly HistoryRow[] = [
  settings,
  screen,
  power,
  mqtt,
  publisher,
  renderer,
  signIn,
  announcer,
  profiles,
  store,
];
