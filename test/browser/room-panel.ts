import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { createAdaptorServer } from '@hono/node-server';

import { openAssets } from '#bin/assets.ts';
import { readBundles } from '#bin/build-facts.ts';
import type { AutoBrightnessContext, BrightnessSettings, Preview, RoomView } from '#machines/auto-brightness/events.ts';
import type { AreaSources, AutoSleepContext, Replay, ReplayFault, SleepView } from '#machines/auto-sleep/events.ts';
import { restingFacts } from '#machines/auto-sleep/off.ts';
import { unknownRoom } from '#machines/auto-brightness/off.ts';
import { chosenOf } from '#machines/auto-brightness/view.ts';
import type { LightSensor, Topic } from '#machines/home-assistant/events.ts';
import type { NamedEvent } from '#machines/kit/actor.ts';
import type { SettingValue } from '#machines/kit/setting.ts';
import type { SensorContext } from '#machines/sensors/events.ts';
import { working } from '#machines/kit/verdict.ts';
import { createApp } from '#routes/app.ts';
import { lightWeek } from '#test/fakes/light-week.ts';
import { fakeDeps, settledFacts } from '#test/fakes/route-deps.ts';

const folder = fileURLToPath(new URL('../../dist', import.meta.url));

type Values = Readonly<Record<string, SettingValue>>;

/** What a room looks like while its level follows the light. */
export const followed: RoomView = {
  ...unknownRoom,
  state: 'following',
  why: null,
  sourceKind: 'panel',
  sourceAvailable: true,
  sourceRevision: 1,
  latestLux: 120,
  expectedLux: 210,
  automaticTarget: 87,
  appliedTarget: 87,
  mode: 'confident',
  coveredDays: 7,
};

/** The same after a person chose 60 %, forty minutes ago. */
export const preferred = (now: number): RoomView => ({
  ...followed,
  state: 'preferred',
  appliedTarget: 120,
  preference: {
    origin: 'panel_controls',
    requested: 153,
    automaticAtStart: 87,
    startedAt: now - 2_400_000,
    endsAt: now + 12_000_000,
    authority: 0.28,
  },
});

const sensors = (now: number): readonly LightSensor[] => [
  { entityId: 'sensor.hall_illuminance', name: 'Hall light', unit: 'lx', lux: 145, updatedAt: now - 12_000 },
  { entityId: 'sensor.porch_illuminance', name: 'Porch', unit: 'lx', lux: 12_345, updatedAt: now - 90_000 },
  { entityId: 'sensor.attic_illuminance', name: 'Attic', unit: 'lx', lux: null, updatedAt: null },
];

const sensorKey = (index: number): string => `${index}`.padEnd(64, 'a');

const hall: AreaSources = {
  areaKey: '5f'.repeat(32),
  areaName: 'Hall',
  sources: ['Hall motion', 'Desk'].map((name, index) => ({
    key: sensorKey(index),
    entityId: `binary_sensor.hall_${index}`,
    name,
    state: index === 0 ? 'on' : 'off',
    isIncluded: true,
  })),
  total: 10,
};

/** The last six hours: the first sensor was on for the first three. */
function replayed(now: number): Replay {
  const [from, middle] = [now - 21_600_000, now - 10_800_000];
  return {
    from,
    to: now,
    leaseMs: 900_000,
    lanes: [
      {
        key: sensorKey(0),
        states: [
          { at: from, state: 'on' },
          { at: middle, state: 'off' },
        ],
      },
    ],
    segments: [
      { from, to: middle, verdict: 'hold_awake', reason: 'source_active' },
      { from: middle, to: now, verdict: 'allow_sleep', reason: 'lease_expired' },
    ],
  };
}

/** Nothing is wanted of the sleep. */
const awake = {
  auto_sleep: false,
  screen_off_hours: '',
  night_dim_hours: '',
  wake_on_announcement: false,
  wake_on_entity: '',
};

interface Included {
  readonly areaKey: string;
  readonly sourceKey: string;
  readonly included: boolean;
}

/** A panel on a loopback port: the routes and pages as built, over parts whose facts a test sets. */
export interface RoomPanel {
  readonly url: string;
  /** The requests to its parts, oldest first. */
  readonly told: readonly { readonly id: string; readonly event: NamedEvent }[];
  readonly values: () => Values;
  /** The decision; null turns the part off. */
  readonly show: (room: RoomView | null) => void;
  /** The light that its own sensor measures; null for a panel without one. */
  readonly measure: (lux: number | null) => void;
  readonly signOut: () => void;
  /** The decision about the sleep, by three sensors of Home Assistant. */
  readonly sleep: (view: SleepView) => void;
  /** Moves it to another area, of which no page has heard. */
  readonly move: () => void;
  readonly source: (source: string) => void;
  readonly failReplays: () => void;
  /** As at the start, and nothing told. */
  readonly restore: () => void;
  readonly close: () => Promise<void>;
}

const illuminance = (lux: number, at: number): SensorContext => ({
  kind: 'illuminance',
  verdict: working('sensor-read', 'Read.'),
  shown: true,
  device: 'part',
  everyMs: 2000,
  offset: 0,
  measured: lux,
  at,
  published: { value: lux, at },
  doubts: 0,
  trace: [],
});

const previewed = (values: Values, preview: Preview): BrightnessSettings => ({ ...chosenOf(values), ...preview });

/** Starts one with a week of light, following it by its own sensor. */
export async function startRoomPanel(): Promise<RoomPanel> {
  const settled = settledFacts();
  // Its fixture has these fields.
  const settings = settled['settings'] as { readonly values: Values; readonly revision: number };
  let values: Values = { ...settings.values, auto_brightness: true, ha_url: 'http://home.test:8123', ...awake };
  let revision = 1;
  const deps = fakeDeps(
    {
      now: () => Date.now(),
      assets: openAssets(`${folder}/assets.pack`),
      bundles: readBundles(`${folder}/pages.json`),
    },
    settled,
  );
  const { registry } = deps;
  const keep = (next: Values): void => {
    values = next;
    revision += 1;
    registry.put('settings', { ...settings, values, revision });
  };
  const show = (room: RoomView | null): void => {
    if (values['auto_brightness'] !== (room !== null)) keep({ ...values, auto_brightness: room !== null });
    const facts: AutoBrightnessContext | undefined = room === null ? undefined : { room, decidedAt: Date.now() };
    registry.put('auto-brightness', facts);
  };
  const read = (topic: Topic): unknown => {
    if (topic.kind === 'light-sensors')
      return { ok: true, reading: { kind: 'light-sensors', sensors: sensors(Date.now()) } };
    if (topic.kind !== 'entity') return { ok: false, reason: 'no-answer' };
    const known = sensors(Date.now()).find(({ entityId }) => entityId === topic.entityId);
    // The porch was replaced since the list was made.
    const is =
      known?.name === 'Porch'
        ? { state: '21.5', deviceClass: 'temperature', unit: '°C' }
        : { state: String(known?.lux ?? 'unavailable'), deviceClass: 'illuminance', unit: 'lx' };
    return { ok: true, reading: { kind: 'entity', entityId: topic.entityId, ...is } };
  };
  let isForgotten = false;
  let area = hall;
  let fault: ReplayFault | null = null;
  /** The part has no chart without a source, and an empty one after it forgot. */
  const chart = (preview: Preview): unknown => {
    if (registry.read('auto-brightness')?.context.room.why === 'no-source')
      return { ok: false, reason: 'no-source', message: '' };
    const week = lightWeek(Date.now(), previewed(values, preview));
    return { ok: true, value: isForgotten ? { ...week, latestEpochMinute: null, points: [] } : week };
  };
  registry.answer = (_, event) => {
    // Events of these types have these fields (`AutoBrightnessRequest`, `SettingsEvent`, `HomeAssistantEvent`).
    const given = event as { readonly preview?: Preview; readonly patch?: Values; readonly topic?: Topic };
    if (event.type === 'auto-brightness.chart') return { ok: true, value: chart(given.preview ?? {}) };
    if (event.type === 'auto-sleep.sources') return { ok: true, value: { ok: true, value: area } };
    if (event.type === 'auto-sleep.replay')
      return { ok: true, value: { ok: true, value: { fault, settled: replayed(Date.now()) } } };
    if (event.type === 'auto-sleep.include') {
      const { areaKey, sourceKey, included } = event as unknown as Included;
      if (areaKey !== area.areaKey) return { ok: true, value: { ok: false, reason: 'stale', message: '' } };
      const sources = area.sources.map((one) => (one.key === sourceKey ? { ...one, isIncluded: included } : one));
      area = { ...area, sources };
      return { ok: true, value: { ok: true, value: { included } } };
    }
    if (event.type === 'auto-brightness.forget') {
      isForgotten = true;
      return { ok: true, value: { ok: true, value: null } };
    }
    if (event.type === 'home-assistant.read' && given.topic !== undefined)
      return { ok: true, value: read(given.topic) };
    if (event.type !== 'settings.merge') return { ok: false, reason: 'absent' };
    keep({ ...values, ...given.patch });
    if (given.patch?.['auto_brightness'] !== undefined) show(given.patch['auto_brightness'] === true ? followed : null);
    return { ok: true, value: { status: 'saved', applied: Object.keys(given.patch ?? {}) } };
  };
  const first: Values = values;
  const restore = (): void => {
    isForgotten = false;
    [area, fault] = [hall, null];
    registry.put('auto-sleep', undefined);
    keep(first);
    show(followed);
    registry.put('illuminance', illuminance(120, Date.now() - 2000));
    registry.put('sign-in', settled['sign-in']);
    registry.told.length = 0;
  };
  restore();
  const app = createApp(deps);
  const server = createAdaptorServer({
    // The listener refuses what is longer than its route takes.
    fetch: async (request) => {
      const most = app.maxBodyBytes(request.method, new URL(request.url).pathname);
      if ((await request.clone().arrayBuffer()).byteLength > most) return new Response(null, { status: 413 });
      return app.fetch(request, {});
    },
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  // A server that listens on TCP has an AddressInfo.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://panel.local:${port}`,
    told: registry.told,
    values: () => values,
    show,
    measure: (lux) => registry.put('illuminance', lux === null ? undefined : illuminance(lux, Date.now())),
    signOut: () => registry.put('sign-in', { ...Object(settled['sign-in']), phase: 'needed' }),
    sleep: (view) => {
      keep({ ...values, auto_sleep: true, auto_sleep_source: 'home_assistant' });
      const facts: AutoSleepContext = {
        ...restingFacts,
        view,
        source: 'home_assistant',
        discoveredCount: 10,
        decidedAt: Date.now(),
      };
      registry.put('auto-sleep', facts);
    },
    move: () => {
      area = { ...hall, areaKey: '6f'.repeat(32), areaName: 'Porch' };
    },
    source: (source) => keep({ ...values, auto_sleep_source: source }),
    failReplays: () => {
      fault = 'history_transport';
    },
    restore,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        if ('closeAllConnections' in server) server.closeAllConnections();
      }),
  };
}
