import type { HomeLookups, ObserveSource, SourceHandlers } from '#drivers/auto-brightness/contract.ts';
import type { LightSource } from '#machines/auto-brightness/events.ts';
import { lightInEntity } from '#machines/auto-brightness/light-in-entity.ts';
import type { Reading, Topic } from '#machines/home-assistant/events.ts';
import type { Milliseconds } from '#machines/kit/units.ts';

import { followAll, lastKnown } from './kit/follow-all.ts';
import type { Registry } from './kit/registry.ts';

/** The name under which topics of Home Assistant are watched. */
const WATCHER = 'auto-brightness';
/** Longest wait for an answer of Home Assistant: connecting, and a week of records by the day. */
const ANSWER_MS: Milliseconds = 120_000;
/** Days of records that are asked for. */
const SEED_DAYS = 7;

/** The panel's own sensor, read as often as its driver does; a reading that is not trusted counts as none. */
function observePanel(registry: Registry, { onSample, onSilent }: SourceHandlers): () => void {
  return registry.follow(
    'illuminance',
    (snapshot) => {
      if (!registry.ids().includes('illuminance')) return 'no-source';
      const facts = snapshot?.context;
      // One that is unplugged was there: it is away, and may come back.
      if (facts === undefined || facts.measured === null)
        return facts?.verdict.state === 'not_here' && !facts.shown ? 'no-source' : 'source-away';
      return facts.measured;
    },
    (light) => {
      if (typeof light === 'number') onSample(light);
      else onSilent(light);
    },
  );
}

/** The address of Home Assistant and whose credential it is; null while unknown. */
const accountOf = (registry: Registry, onKnown: (account: string) => void): (() => void) =>
  followAll(
    registry,
    {
      settings: lastKnown((snapshot) =>
        snapshot === undefined || snapshot.context.revision === 0 ? null : String(snapshot.context.values['ha_url']),
      ),
      'sign-in': lastKnown((snapshot) =>
        snapshot === undefined || snapshot.context.revision === 0 ? null : snapshot.context.revision,
      ),
    },
    ({ settings, 'sign-in': signIn }) => {
      if (settings !== null && signIn !== null) onKnown(`${signIn} ${settings}`);
    },
  );

function observeEntity(
  registry: Registry,
  entityId: string,
  { onSample, onSilent, onChanged }: SourceHandlers,
): () => void {
  let account: string | null = null;
  const watch = (topics: readonly Topic[]): void =>
    void registry.tell('home-assistant', { type: 'home-assistant.watch', watcher: WATCHER, topics });
  const ends = [
    // Before the watch, whose answer may come at once.
    registry.listen('home-assistant', 'home-assistant.read-out', ({ reading }) => {
      if (reading.kind !== 'entity' || reading.entityId !== entityId) return;
      const light = lightInEntity(reading);
      if (typeof light === 'number') onSample(light);
      else onSilent(light);
    }),
    registry.follow(
      'home-assistant',
      (snapshot) => snapshot !== undefined,
      // After a restart it has forgotten its watchers.
      (isThere) => {
        if (isThere) watch([{ kind: 'entity', entityId }]);
        else onSilent('source-away');
      },
    ),
    registry.follow(
      'home-assistant',
      (snapshot) => (snapshot?.context.route ?? null) !== null,
      (isLive) => {
        // With each connection the state is read out again.
        if (!isLive) onSilent('source-away');
      },
    ),
    accountOf(registry, (now) => {
      const before = account;
      account = now;
      if (before !== null && before !== now) onChanged();
    }),
  ];
  return () => {
    for (const end of ends) end();
    watch([]);
  };
}

/** Watches the panel's own sensor, or one entity of Home Assistant over the connection that all parts share. */
export const observeSource =
  (registry: Registry): ObserveSource =>
  (source: LightSource, handlers) =>
    source.kind === 'panel' ? observePanel(registry, handlers) : observeEntity(registry, source.entityId, handlers);

/** The origin that the settings name; null for none. */
function originOf(registry: Pick<Registry, 'read'>): string | null {
  const url = registry.read('settings')?.context.values['ha_url'];
  return typeof url === 'string' && URL.canParse(url) ? new URL(url).origin : null;
}

/** What the room's driver looks up in Home Assistant. */
export function homeLookups(registry: Registry): HomeLookups {
  const read = async (topic: Topic): Promise<Reading | null> => {
    const asked = await registry.ask('home-assistant', { type: 'home-assistant.read', topic }, ANSWER_MS);
    return asked.ok && asked.value.ok ? asked.value.reading : null;
  };
  return {
    origin: () => originOf(registry),
    place: async () => {
      const found = await read({ kind: 'place' });
      if (found?.kind !== 'place') return null;
      const { latitude, longitude, timeZone } = found;
      return latitude === null || longitude === null || timeZone === null ? null : { latitude, longitude, timeZone };
    },
    light: async (entityId) => {
      const found = await read({ kind: 'light-history', entityId, days: SEED_DAYS });
      return found?.kind === 'light-history' && found.entityId === entityId ? found.light : null;
    },
  };
}
