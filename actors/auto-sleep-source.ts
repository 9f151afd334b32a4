import type { FeedHandlers, ObservePresence, PresenceWatch, SleepHome } from '#drivers/auto-sleep/contract.ts';
import { sha256Hex } from '#drivers/kit/sha256.ts';
import type { Place } from '#machines/auto-brightness/events.ts';
import type { AreaSources, Feed, SourceLane, SourceMode } from '#machines/auto-sleep/events.ts';
import { type HomeFacts, homeFeed, panelFeed, sourceState } from '#machines/auto-sleep/source-feed.ts';
import type { AreaPresence, Reading, Topic } from '#machines/home-assistant/events.ts';
import type { EpochMs, Milliseconds } from '#machines/kit/units.ts';
import { calibrationOf } from '#machines/proximity/decide.ts';
import { proximitySnapshot } from '#machines/proximity/snapshot.ts';
import { deviceIdentifier } from '#machines/publisher/topics.ts';
import type { SignInContext } from '#machines/sign-in/events.ts';

import { homeWatch } from './auto-sleep-home.ts';
import { followAll, lastKnown } from './kit/follow-all.ts';
import type { Registry } from './kit/registry.ts';

/** Longest wait for recorded states: connecting, and a minute of commands. */
const HISTORY_MS: Milliseconds = 90_000;

const sourceKey = (registryId: string): string => sha256Hex(`sconce presence ${registryId}`);
const areaKeyOf = (areaId: string): string => sha256Hex(`sconce area ${areaId}`);
/** The key of a set of sources: what was learned with another set does not count. */
const partitionOf = (mode: SourceMode, keys: readonly string[]): string =>
  sha256Hex(['sconce sources', mode, ...keys.toSorted()].join(' '));

/** Calls `onFeed` with feeds that differ from the one before. */
function feeds(mode: SourceMode, { onFeed }: FeedHandlers) {
  let last = '';
  let isOver = false;
  let wasLive = false;
  let partition = partitionOf(mode, []);
  return {
    wasLive: () => wasLive,
    give: (feed: Feed | null): void => {
      if (feed === null || isOver) return;
      if (feed.kind === 'live') {
        wasLive = true;
        const keys = feed.sources.map(({ key }) => key);
        partition = partitionOf(mode, keys);
      }
      const next = JSON.stringify([feed, partition]);
      if (next === last) return;
      last = next;
      onFeed(feed, partition);
    },
    end: () => {
      isOver = true;
    },
  };
}

/** The panel's own sensor, once it is calibrated. */
function observePanel(registry: Registry, handlers: FeedHandlers): PresenceWatch {
  const given = feeds('panel', handlers);
  const key = sourceKey('panel proximity');
  let wasNear: boolean | null = null;
  handlers.onDiscovered(0);
  const unfollow = registry.follow(
    'proximity',
    (snapshot) => {
      if (snapshot === undefined)
        return { isThere: registry.ids().includes('proximity'), isCalibrated: null, near: null };
      const facts = proximitySnapshot(snapshot);
      const { source, absence, near, level, calibrating, recalled } = facts;
      return {
        isThere: source !== null || absence === null,
        isCalibrated: source === null || !recalled ? null : (calibrationOf(facts)?.presence ?? null) !== null,
        near: calibrating || level === null ? null : near,
      };
    },
    (facts) => {
      const feed = panelFeed({ ...facts, wasLive: given.wasLive() }, key);
      const near = feed.kind === 'live' ? facts.near : null;
      const hasComeNear = wasNear === false && near === true;
      wasNear = near;
      given.give(feed);
      if (hasComeNear) handlers.onApproached();
    },
  );
  return {
    area: () => null,
    end: () => {
      given.end();
      unfollow();
    },
  };
}

/** The state of the sign-in; null before what is stored was read. */
function signInOf({ phase, revision, settingsRevision }: SignInContext): HomeFacts['signIn'] {
  const isRead = revision > 0 || (phase === 'no-address' && settingsRevision > 0);
  if (!isRead) return null;
  if (phase === 'signed-in') return 'in';
  return phase === 'refused' ? 'refused' : 'out';
}

/** The presence sensors in the panel's area of Home Assistant. */
function observeHome(registry: Registry, excluded: ReadonlySet<string>, handlers: FeedHandlers): PresenceWatch {
  const given = feeds('home_assistant', handlers);
  let panelId: string | null = null;
  let signIn: HomeFacts['signIn'] = null;
  let hasFailed = false;
  let isLive = false;
  let known: AreaPresence | null = null;
  let states: ReadonlyMap<string, string | null> = new Map();

  const sensors = () => (known?.sensors ?? []).map((sensor) => ({ ...sensor, key: sourceKey(sensor.registryId) }));
  const entityIds = (): readonly string[] => (known?.sensors ?? []).map(({ entityId }) => entityId);
  const decide = (): void =>
    given.give(
      homeFeed({
        signIn,
        isLive,
        hasFailed,
        area: known,
        included: sensors().filter(({ key }) => !excluded.has(key)),
        states,
        wasLive: given.wasLive(),
      }),
    );
  const takeArea = (area: AreaPresence): void => {
    known = area;
    handlers.onDiscovered(area.total);
    membership.renew();
    decide();
  };
  const takeStates = (reading: Extract<Reading, { readonly kind: 'states' }>): void => {
    const read = new Map(reading.states.map(({ entityId, state }) => [entityId, state]));
    const wanted = entityIds();
    if (read.size !== wanted.length || !wanted.every((id) => read.has(id))) return;
    states = read;
    decide();
  };
  const membership = homeWatch(registry).join({
    topics: () => {
      if (panelId === null) return [];
      const area: Topic = { kind: 'area-presence', identifier: deviceIdentifier(panelId) };
      const ids = entityIds();
      // Those that are left out, too: a page shows their states.
      return ids.length === 0 ? [area] : [area, { kind: 'states', entityIds: ids }];
    },
    onReading: (reading) => {
      if (reading.kind === 'area-presence') takeArea(reading);
      if (reading.kind === 'states') takeStates(reading);
    },
    onLink: (now) => {
      isLive = now;
      // With each connection they are read out again.
      states = new Map();
      decide();
    },
  });
  const unfollow = followAll(
    registry,
    {
      identity: lastKnown((snapshot) => snapshot?.context.panelId ?? null),
      'sign-in': lastKnown((snapshot) => (snapshot === undefined ? null : signInOf(snapshot.context))),
      'home-assistant': (snapshot) => (snapshot?.context.failure ?? null) !== null,
    },
    (found) => {
      const isOther = found.identity !== panelId || (signIn === 'in' && found['sign-in'] === 'out');
      ({ identity: panelId, 'sign-in': signIn, 'home-assistant': hasFailed } = found);
      if (isOther) {
        known = null;
        membership.renew();
      }
      decide();
    },
  );
  const area = (): AreaSources | null => {
    if (known === null || known.area === null) return null;
    return {
      areaKey: areaKeyOf(known.area.id),
      areaName: known.area.name,
      sources: sensors().map(({ key, entityId, name }) => ({
        key,
        entityId,
        name,
        state: sourceState(states.get(entityId)),
        isIncluded: !excluded.has(key),
      })),
      total: known.total,
    };
  };
  return {
    area,
    end: () => {
      given.end();
      unfollow();
      membership.end();
    },
  };
}

/** Only touches count: there is nothing to watch. */
function observeTouch(handlers: FeedHandlers): PresenceWatch {
  handlers.onDiscovered(0);
  feeds('touch', handlers).give({ kind: 'touch' });
  return { area: () => null, end: () => {} };
}

/** Watches the sources of a mode: the panel's own sensor, or those of its area over the shared connection. */
export const observePresence =
  (registry: Registry): ObservePresence =>
  (mode, excluded, handlers) => {
    if (mode === 'touch') return observeTouch(handlers);
    return mode === 'panel' ? observePanel(registry, handlers) : observeHome(registry, new Set(excluded), handlers);
  };

const placeOf = ({ latitude, longitude, timeZone }: Extract<Reading, { readonly kind: 'place' }>): Place | null =>
  latitude === null || longitude === null || timeZone === null ? null : { latitude, longitude, timeZone };

/** Watches where the house is; called with each place that Home Assistant gives. */
function followPlace(registry: Registry, onPlace: (place: Place | null) => void): () => void {
  let last: string | null = null;
  return homeWatch(registry).join({
    topics: () => [{ kind: 'place' }],
    onReading: (reading) => {
      if (reading.kind !== 'place') return;
      const place = placeOf(reading);
      const next = JSON.stringify(place);
      if (next !== last) onPlace(place);
      last = next;
    },
    onLink: () => {},
  }).end;
}

/** Calls back when an entity goes from off to on, and both were heard on one connection. */
function followEntity(registry: Registry, entityId: string, onOn: () => void): () => void {
  /** Null for none, or before the first reading of this connection. */
  let before: string | null = null;
  return homeWatch(registry).join({
    topics: () => [{ kind: 'states', entityIds: [entityId] }],
    onReading: (reading) => {
      if (reading.kind !== 'states' || reading.states.length !== 1) return;
      const [only] = reading.states;
      if (only?.entityId !== entityId) return;
      const isOn = before === 'off' && only.state === 'on';
      before = only.state;
      if (isOn) onOn();
    },
    onLink: () => {
      before = null;
    },
  }).end;
}

/** The lanes of some sources from the recorded states of their entities. */
const lanesOf = (
  lanes: Parameters<SleepHome['history']>[0],
  { entities }: Extract<Reading, { readonly kind: 'state-history' }>,
): readonly SourceLane[] =>
  lanes.map(({ key, entityId }) => ({
    key,
    states: (entities.find((entity) => entity.entityId === entityId)?.states ?? [])
      .map(({ at, state }) => ({ at, state: sourceState(state) }))
      .filter(({ state }, index, all) => all[index - 1]?.state !== state),
  }));

/** What automatic sleep looks up in Home Assistant, or watches there beside the sources. */
export function sleepHome(registry: Registry): SleepHome {
  async function history(lanes: Parameters<SleepHome['history']>[0], from: EpochMs, to: EpochMs) {
    const topic: Topic = { kind: 'state-history', entityIds: lanes.map(({ entityId }) => entityId), from, to };
    const asked = await registry.ask('home-assistant', { type: 'home-assistant.read', topic }, HISTORY_MS);
    if (!asked.ok) return { fault: asked.reason === 'timeout' ? 'history_transport' : 'runtime_unavailable' } as const;
    if (!asked.value.ok) {
      const faults = {
        'signed-out': 'history_auth',
        unreachable: 'history_transport',
        busy: 'history_transport',
        'no-answer': 'history_unavailable',
      } as const;
      return { fault: faults[asked.value.reason] };
    }
    const { reading } = asked.value;
    if (reading.kind !== 'state-history') return { fault: 'history_parse' } as const;
    return reading.isCut ? ({ fault: 'history_limit' } as const) : { lanes: lanesOf(lanes, reading) };
  }
  return {
    history,
    place: (onPlace) => followPlace(registry, onPlace),
    entityOn: (entityId, onOn) => followEntity(registry, entityId, onOn),
  };
}
