import type { Backoff } from '#machines/kit/backoff.ts';
import type { Milliseconds } from '#machines/kit/units.ts';
import type { ChildSpec, GroupSpec } from '#actors/kit/spec.ts';

/**
 * The workers of the agent by the group that watches them; an optional part is null where the profile declares it
 * absent.
 */
export interface Parts {
  readonly base: {
    readonly store: ChildSpec;
    readonly settings: ChildSpec;
    readonly identity: ChildSpec;
    readonly profile: ChildSpec;
  };
  readonly edge: {
    readonly http: ChildSpec;
    readonly stream: ChildSpec;
    readonly logs: ChildSpec;
    readonly inspector: ChildSpec | null;
  };
  readonly link: {
    readonly advertiser: ChildSpec | null;
    readonly finder: ChildSpec;
    readonly mqtt: ChildSpec;
    readonly publisher: ChildSpec;
    readonly pathProbe: ChildSpec;
  };
  readonly panel: {
    readonly relight: ChildSpec | null;
    readonly screen: ChildSpec | null;
    readonly furtherScreens: readonly ChildSpec[];
    readonly input: ChildSpec | null;
    readonly power: ChildSpec | null;
    readonly lights: readonly ChildSpec[];
    readonly relays: readonly ChildSpec[];
    readonly simulator: ChildSpec | null;
    readonly sensors: readonly ChildSpec[];
    readonly readings: ChildSpec;
    readonly provisioning: ChildSpec;
    readonly adb: ChildSpec | null;
    readonly proximity: ChildSpec | null;
  };
  readonly view: { readonly renderer: ChildSpec };
  readonly media: {
    readonly volume: ChildSpec | null;
    readonly announcer: ChildSpec | null;
    readonly camera: ChildSpec;
  };
  readonly access: { readonly signIn: ChildSpec };
  readonly upkeep: {
    readonly history: ChildSpec;
    readonly profiles: ChildSpec;
    readonly storageHealth: ChildSpec;
    readonly service: ChildSpec;
  };
}

/** First pause 250 ms so that ports and locks are free again, cap 30 s (xstate facts 2.4). */
const backoff: Backoff = { firstMs: 250, capMs: 30_000, jitter: 0.2 };

/** What pages and HTTP depend on comes back faster: the owner is looking. */
const quickBackoff: Backoff = { firstMs: 100, capMs: 5_000, jitter: 0.2 };

/** Five restarts in a minute: a burst is forgiven, a part that cannot live is not. */
const intensity = { restarts: 5, periodMs: 60_000 };

/**
 * How long the heartbeat may stay parked: far less than a service manager's watchdog waits before it kills a healthy
 * agent.
 */
const heartbeatParkMs: Milliseconds = 5000;

const present = (parts: readonly (ChildSpec | null)[]): ChildSpec[] => parts.filter((part) => part !== null);

const optional = (id: string, children: readonly (ChildSpec | GroupSpec)[]): GroupSpec => ({
  id,
  strategy: 'one_for_one',
  intensity,
  onGiveUp: 'park',
  backoff,
  children,
});

/** The supervision tree of the agent (design, section 5): what is above starts first and stops last. */
export const superviseAll = (parts: Parts): GroupSpec => ({
  id: 'root',
  strategy: 'one_for_one',
  intensity: { restarts: 3, periodMs: 600_000 },
  onGiveUp: 'escalate',
  backoff: quickBackoff,
  children: [
    {
      id: 'base',
      strategy: 'rest_for_one',
      intensity,
      onGiveUp: 'escalate',
      backoff: quickBackoff,
      children: [parts.base.store, parts.base.settings, parts.base.identity, parts.base.profile],
    },
    {
      id: 'edge',
      strategy: 'rest_for_one',
      intensity,
      onGiveUp: 'escalate',
      backoff: quickBackoff,
      children: present([parts.edge.http, parts.edge.stream, parts.edge.logs, parts.edge.inspector]),
    },
    optional('link', [
      ...present([parts.link.advertiser]),
      parts.link.finder,
      {
        id: 'broker',
        strategy: 'rest_for_one',
        intensity,
        onGiveUp: 'park',
        backoff,
        children: [parts.link.mqtt, parts.link.publisher],
      },
      parts.link.pathProbe,
    ]),
    optional(
      'panel',
      present([
        parts.panel.simulator,
        parts.panel.adb,
        parts.panel.relight,
        parts.panel.screen,
        ...parts.panel.furtherScreens,
        parts.panel.input,
        parts.panel.power,
        ...parts.panel.lights,
        ...parts.panel.relays,
        ...parts.panel.sensors,
        parts.panel.readings,
        parts.panel.provisioning,
        parts.panel.proximity,
      ]),
    ),
    optional('view', [parts.view.renderer]),
    optional('media', present([parts.media.volume, parts.media.announcer, parts.media.camera])),
    optional('access', [parts.access.signIn]),
    optional('upkeep', [
      parts.upkeep.history,
      parts.upkeep.profiles,
      parts.upkeep.storageHealth,
      { ...optional('heartbeat', [parts.upkeep.service]), parkRetryMs: heartbeatParkMs },
    ]),
  ],
});
