import { assign, createActor, emit, setup } from 'xstate';

import type { Admission } from '#actors/kit/admission.ts';
import { createRegistry, type Registry } from '#actors/kit/registry.ts';
import type { ChildSpec } from '#actors/kit/spec.ts';
import { createSupervisor } from '#actors/kit/supervisor.ts';
import { mqttSpec } from '#actors/mqtt.ts';
import { publisherSpec } from '#actors/publisher.ts';
import { brokerClient } from '#drivers/mqtt/client.ts';
import { createMessageExchange } from '#drivers/mqtt/message-exchange.ts';
import { passwordMark } from '#drivers/mqtt/password-mark.ts';
import { brokerRecipient } from '#machines/mqtt/broker-address.ts';
import type { AnyActor } from '#machines/actors.ts';
import type { AnyRow, EntityRow } from '#machines/kit/entity.ts';
import { ok, refuse } from '#machines/kit/result.ts';
import type { SnapshotView } from '#machines/kit/snapshot.ts';
import { mergeOf } from '#machines/kit/merge-settings.ts';
import type { BrokerMessages } from '#machines/mqtt/events.ts';
import { type LinkSnapshot, linkSnapshot } from '#machines/mqtt/phase.ts';
import { fakeAdmission } from '#test/fakes/admission.ts';
import { type PublisherView, publisherView } from '#machines/publisher/phase.ts';

type Facts = Readonly<Record<string, unknown>>;
type FactsEvent =
  | { readonly type: 'facts.put'; readonly facts: Facts }
  | { readonly type: 'facts.count'; readonly key: string }
  | {
      readonly type: 'store.read' | 'store.commit' | 'store.commit-all' | 'settings.merge';
      readonly requestId: string;
      readonly section?: string;
      readonly value?: unknown;
      readonly sections?: Facts;
      readonly patch?: Facts;
    };

/** What stands in for other parts shows any facts, and takes new ones. */
type StandIns = {
  readonly [I in 'identity' | 'panel' | 'settings']: {
    readonly id: I;
    readonly context: Facts;
    readonly event: Extract<FactsEvent, { readonly type: 'facts.put' }>;
  };
};

/** A worker that holds facts; `answer` says what a question gets and which facts it changes. */
export const factsWorker = (
  id: string,
  facts: Facts,
  answer: (event: FactsEvent) => unknown = () => null,
): ChildSpec => ({
  id,
  logic: setup({
    types: {
      context: {} as Facts,
      events: {} as FactsEvent,
      emitted: {} as { type: 'reply'; requestId: string; outcome: unknown },
    },
    actions: {
      put: assign(({ event }) => (event.type === 'facts.put' ? event.facts : {})),
      count: assign(({ context, event }) =>
        event.type === 'facts.count' ? { [event.key]: Number(context[event.key] ?? 0) + 1 } : {},
      ),
      reply: emit(({ event }) => ({
        type: 'reply' as const,
        requestId: 'requestId' in event ? event.requestId : '',
        outcome: answer(event),
      })),
      merge: assign(({ context, event }) =>
        'patch' in event
          ? { revision: Number(context['revision']) + 1, values: { ...(context['values'] as Facts), ...event.patch } }
          : {},
      ),
    },
  }).createMachine({
    context: facts,
    on: {
      'facts.put': { actions: 'put' },
      'facts.count': { actions: 'count' },
      'store.read': { actions: 'reply' },
      'store.commit': { actions: 'reply' },
      'store.commit-all': { actions: 'reply' },
      'settings.merge': { actions: ['merge', 'reply'] },
    },
  }),
  restart: 'permanent',
});

export const fact = (snapshot: SnapshotView, key: string): unknown => (snapshot.context as Facts)[key];

/** A command that a stand-in is told. */
const told = (event: FactsEvent) => ok({ do: 'tell', event } as const);

/** A catalogue with one row of most kinds, all over the worker `panel`. */
export const testRows: readonly AnyRow[] = [
  {
    entityKind: 'light',
    key: 'screen',
    name: 'Screen',
    actor: 'panel',
    capability: 'screen',
    expose: 'screen',
    available: (snapshot) => fact(snapshot, 'brightness') !== null,
    read: (snapshot) => ({ on: fact(snapshot, 'on') === true, brightness: Number(fact(snapshot, 'brightness')) }),
    protects: null,
    write: ({ on, brightness }) =>
      told({
        type: 'facts.put',
        facts: { ...(on !== undefined && { on }), ...(brightness !== undefined && { on: brightness > 0, brightness }) },
      }),
  },
  {
    entityKind: 'number',
    key: 'volume',
    name: 'Volume',
    unit: '%',
    range: { min: 0, max: 100, step: 1 },
    actor: 'panel',
    capability: 'volume',
    expose: 'volume',
    available: () => true,
    read: (snapshot) => Number(fact(snapshot, 'volume')),
    protects: null,
    write: (volume) => (volume === 13 ? refuse('unlucky', 'no') : told({ type: 'facts.put', facts: { volume } })),
  },
  {
    entityKind: 'button',
    key: 'reboot',
    name: 'Reboot',
    deviceClass: 'restart',
    actor: 'panel',
    available: () => true,
    protects: null,
    write: () => told({ type: 'facts.count', key: 'reboots' }),
  },
  {
    entityKind: 'text',
    key: 'home',
    name: 'Home',
    maxLength: 255,
    category: 'config',
    actor: 'settings',
    available: () => true,
    read: (snapshot) => {
      const home = (fact(snapshot, 'values') as Facts)['home'];
      return typeof home === 'string' ? home : '';
    },
    protects: null,
    write: (home) => mergeOf({ home }),
  },
  {
    entityKind: 'sensor',
    key: 'load',
    name: 'Load',
    unit: '%',
    stateClass: 'measurement',
    category: 'diagnostic',
    actor: 'panel',
    expose: 'load',
    available: () => true,
    read: (snapshot) => Number(fact(snapshot, 'load')),
  },
] satisfies readonly AnyRow[];

/** How an agent under test is made. */
export interface AgentOptions {
  readonly port: number;
  readonly panelId?: string;
  readonly installId?: string;
  readonly user?: string;
  /** Read at every connection. */
  readonly password?: () => string | null;
  /** What survives a restart, by section. */
  readonly disk?: Record<string, unknown>;
  readonly expose?: Readonly<Record<string, boolean>>;
  readonly rows?: readonly AnyRow[];
  /** Admits everything if absent. */
  readonly admission?: Admission;
  readonly notes?: string[];
  /** Workers beside the publisher, whose facts the rows read. */
  readonly workers?: (registry: Registry) => readonly ChildSpec[];
  /** True for a publisher that is gone for good once it was killed. */
  readonly mortal?: boolean;
}

/** The link and the publisher of one agent, supervised, with stand-ins for what they follow. */
export interface TestAgent {
  readonly registry: Registry;
  readonly messages: BrokerMessages;
  readonly link: () => LinkSnapshot | undefined;
  readonly publisher: () => PublisherView | undefined;
  readonly put: (id: keyof StandIns, facts: Facts) => void;
  readonly facts: (id: keyof StandIns) => Facts;
  readonly kill: (id: string) => void;
  /** In order, as the agent does it. */
  readonly stop: () => Promise<void>;
}

/** What the settings stand-in says. */
export const settingsFacts = (options: AgentOptions, revision = 1): Facts => ({
  revision,
  values: {
    mqtt_broker: `mqtt://127.0.0.1:${options.port}`,
    mqtt_user: options.user ?? '',
    mqtt_address_family: 'Automatic',
    mqtt_discovery_prefix: 'homeassistant',
    entity_surface: 'mqtt',
  },
  secrets: { mqtt_password: options.password !== undefined },
  expose: { screen: true, volume: true, load: true, ...options.expose },
  digest: '',
  dropped: [],
  openFiles: [],
});

/** What the identity stand-in says. */
export const identityFacts = (panelId: string, installId: string): Facts => ({
  panelId,
  installId,
  friendlyName: 'Hall panel',
  manufacturer: 'Acme',
  model: 'P1',
  system: 'Test',
  version: '0.1.0',
  build: '00000000',
});
export function startAgent(options: AgentOptions): TestAgent {
  const disk = options.disk ?? {};
  const registry = createRegistry();
  const store = factsWorker('store', {}, (event) => {
    if (event.type === 'store.read') return { ok: true, value: disk[event.section ?? ''] ?? null };
    if (event.type === 'store.commit') disk[event.section ?? ''] = event.value;
    if (event.type === 'store.commit-all') Object.assign(disk, event.sections);
    return { ok: true };
  });
  const messages = createMessageExchange();
  const mqtt = mqttSpec({
    registry,
    readPassword: async () => {
      const value = options.password?.() ?? null;
      const recipient = brokerRecipient(`mqtt://127.0.0.1:${options.port}`);
      return value === null ? null : { value, assignment: { id: value, recipient, by: 'save' as const, at: 1 } };
    },
    markPassword: passwordMark,
    now: Date.now,
    connection: brokerClient({ readPassword: async () => options.password?.() ?? null, now: Date.now, messages }),
  });
  const publisher = publisherSpec({
    registry,
    messages,
    admission: options.admission ?? fakeAdmission(),
    // The rows of these tests are about stand-ins, which are no actors of the agent.
    rows: (options.rows ?? testRows) as readonly EntityRow<AnyActor>[],
    note: (message, facts) => options.notes?.push(`${message} ${JSON.stringify(facts)}`),
    now: Date.now,
  });
  const root = createActor(
    createSupervisor(
      {
        id: 'root',
        strategy: 'one_for_one',
        intensity: { restarts: 5, periodMs: 60_000 },
        onGiveUp: 'escalate',
        backoff: { firstMs: 50, capMs: 500, jitter: 0 },
        children: [
          store,
          factsWorker('settings', settingsFacts(options), () => ({ status: 'saved', applied: [] })),
          factsWorker('identity', identityFacts(options.panelId ?? 'hall', options.installId ?? 'a'.repeat(32))),
          factsWorker('active-profile', { id: 'test', title: 'Test', simulated: true, absent: [], optional: [] }),
          ...(options.workers?.(registry) ?? []),
          factsWorker('panel', { on: true, brightness: 80, volume: 40, load: 7, reboots: 0 }),
          mqtt,
          options.mortal === true ? { ...publisher, restart: 'temporary' } : publisher,
        ],
      },
      { now: Date.now, random: () => 0.5, registry },
    ),
  );
  registry.attach(root.system);
  const standIns = createRegistry<StandIns>();
  standIns.attach(root.system);
  root.start();
  return {
    registry,
    messages,
    link: () => {
      const snapshot = registry.read('mqtt');
      return snapshot && linkSnapshot(snapshot);
    },
    publisher: () => {
      const snapshot = registry.read('publisher');
      return snapshot && publisherView(snapshot);
    },
    put: (id, facts) => void standIns.tell(id, { type: 'facts.put', facts }),
    facts: (id) => standIns.read(id)?.context ?? {},
    kill: (id) => root.send({ type: 'supervisor.kill', id }),
    stop: () =>
      new Promise((resolve) => {
        if (root.getSnapshot().status !== 'active') return resolve();
        root.subscribe({ complete: resolve, error: () => resolve() });
        root.send({ type: 'supervisor.shutdown' });
      }),
  };
}
