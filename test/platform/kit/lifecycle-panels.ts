import { connect } from 'mqtt';
import { createActor } from 'xstate';
import { homeAssistantSpec } from '#actors/home-assistant.ts';
import { homeAssistantConnection } from '#drivers/home-assistant/connection.ts';
import type { HomeAssistantContext } from '#machines/home-assistant/events.ts';
import { judgeNetwork } from '#machines/home-assistant/network.ts';
import { networkOf } from '#machines/home-assistant/phase.ts';
import type { SnapshotView } from '#machines/kit/snapshot.ts';
import type { HomeAssistantSaid } from '#machines/publisher/events.ts';
import { meaningIn } from '#machines/publisher/incoming.ts';
import { type FakeRegistry, fakeRegistry } from '#test/fakes/registry.ts';

/** The panels that watch one Home Assistant: both accounts, with the broker and without. */
export const panelNames = ['administrator', 'administrator + MQTT', 'resident', 'resident + MQTT'] as const;
export type PanelName = (typeof panelNames)[number];

/** What one panel says now. */
export interface PanelView {
  /** Each state of the lifecycle so far with its source, if any (`shutting_down mqtt`); `-` while nothing is said. */
  readonly words: readonly string[];
  /** `ha_net` of the health line; null while the tokens are absent. */
  readonly verdict: string | null;
  readonly probes: number;
  readonly misses: number;
  /** True where no ping was sent for five minutes. */
  readonly unprobed: boolean;
}

/** Where the panels find what they watch. */
export interface Watched {
  readonly url: string;
  readonly tokens: { readonly owner: string; readonly resident: string };
  readonly brokerUrl: string;
  readonly brokerUser: { readonly username: string; readonly password: string };
  /** Stands in for the 10 s between two pings. */
  readonly pingMs?: number;
}

/** The panels, and how to end them. */
export interface LifecyclePanels {
  readonly view: () => Readonly<Record<PanelName, PanelView>>;
  readonly stop: () => void;
}

/** A panel that publishes nothing. */
const panel = {
  panelId: 'hall',
  installId: 'a'.repeat(32),
  friendlyName: '',
  manufacturer: '',
  model: '',
  version: '',
  configurationUrl: null,
  prefix: 'homeassistant',
  hidden: [],
  shapes: [],
};

/** A link to the broker that passes on what Home Assistant says of itself, as the publisher does. */
function linkTo({ brokerUrl, brokerUser }: Watched) {
  const client = connect(brokerUrl, { ...brokerUser, reconnectPeriod: 1000 });
  const listeners = new Set<(said: HomeAssistantSaid) => void>();
  client.on('error', () => undefined);
  client.on('message', (topic, payload, { retain }) => {
    const meaning = meaningIn(panel, { topic, payload: payload.toString(), retained: retain });
    const isBirth = meaning?.type === 'homeAssistant.born';
    if (!isBirth && !(meaning?.type === 'homeAssistant.left' && meaning.now)) return;
    for (const handler of listeners) handler({ type: 'homeAssistant.said', online: isBirth });
  });
  client.subscribe('homeassistant/status', () => undefined);
  return {
    listen: (_: string, __: string, handler: (said: HomeAssistantSaid) => void): (() => void) => {
      listeners.add(handler);
      return () => listeners.delete(handler);
    },
    end: () => client.end(true),
  };
}

function start(watched: Watched, name: PanelName) {
  const token = name.startsWith('administrator') ? watched.tokens.owner : watched.tokens.resident;
  const link = name.endsWith('MQTT') ? linkTo(watched) : null;
  const registry = fakeRegistry({
    'sign-in': { phase: 'signed-in', revision: 1 },
    renderer: { mode: 'builtin' },
    settings: { revision: 1, values: { ha_url: watched.url, mqtt_discovery_prefix: 'homeassistant' } },
  });
  registry.answer = () => ({ ok: true, value: { ok: true, value: null } });
  const spec = homeAssistantSpec({
    // The part listens to this one event of the publisher.
    registry: link === null ? registry : { ...registry, listen: link.listen as unknown as FakeRegistry['listen'] },
    connection: homeAssistantConnection({
      readToken: () => Promise.resolve({ ok: true, token, origin: watched.url }),
      trustFor: () => Promise.resolve(undefined),
      elapsed: () => performance.now(),
      now: Date.now,
      isInForce: () => true,
      onRoute: () => {},
      ...(watched.pingMs !== undefined && { pingMs: watched.pingMs }),
    }),
    now: Date.now,
    uptime: () => Number.POSITIVE_INFINITY,
  });
  const actor = createActor(spec.logic, { input: { settleMs: 0 } });
  // The actor is the machine of the connection.
  const shown = () => actor.getSnapshot() as SnapshotView<HomeAssistantContext>;
  const words: string[] = [];
  actor.subscribe(() => {
    const { lifecycle: now } = shown().context;
    const word = now === null ? '-' : [now.state, ...(now.source === null ? [] : [now.source])].join(' ');
    if (word !== words.at(-1)) words.push(word);
  });
  actor.start();
  return {
    view: (): PanelView => {
      const judged = judgeNetwork(networkOf(shown()), performance.now());
      return {
        words: [...words],
        verdict: judged.ha_net,
        probes: judged.probes,
        misses: judged.network_failures,
        unprobed: judged.unprobed,
      };
    },
    stop: () => {
      actor.stop();
      link?.end();
    },
  };
}

/** One value per panel. */
export const perPanel = <T>(of: (name: PanelName) => T): Readonly<Record<PanelName, T>> => ({
  administrator: of('administrator'),
  'administrator + MQTT': of('administrator + MQTT'),
  resident: of('resident'),
  'resident + MQTT': of('resident + MQTT'),
});

/**
 * Four panels that watch one Home Assistant, in this process: the part of the agent that holds the connection, past its
 * three minutes of settling, with a link of its own to the broker.
 */
export function watchLifecycle(watched: Watched): LifecyclePanels {
  const panels = perPanel((name) => start(watched, name));
  return {
    view: () => perPanel((name) => panels[name].view()),
    stop: () => {
      for (const name of panelNames) panels[name].stop();
    },
  };
}
