import { assign, enqueueActions, type EventObject } from 'xstate';
import { crashed, outcomeOf, type WorkerOutcome } from '../kit/outcome.ts';
import { placeholder } from '../kit/placeholder.ts';
import { setup } from '../kit/setup.ts';
import { withEvent } from '../kit/with-event.ts';
import type {
  IdentityContext,
  IdentityEvent,
  IdentityFact,
  IdentityRecord,
  MachineFacts,
  OwnerNames,
  RecordCommand,
} from './events.ts';
import { generateIdentity } from './generate.ts';
import { identityView } from './view.ts';

/** Everything the identity is decided from; each part is null until it was received. */
interface Received {
  readonly machine: { readonly facts: MachineFacts; readonly fresh: string } | null;
  readonly stored: { readonly record: unknown } | null;
  readonly names: OwnerNames | null;
  /** The record in use. */
  readonly record: IdentityRecord | null;
  /** True once that record is on disk; until then, a restart would generate another install id. */
  readonly durable: boolean;
}

type FactOf<T extends IdentityFact['type']> = Extract<IdentityFact, { readonly type: T }>;

/** Decides who this panel is, once the machine, the stored record and the owner's names are all known. */
export const identityMachine = setup({
  types: {
    // Type carriers of the library's own design; their values are never read.
    context: {} as IdentityContext & { readonly received: Received },
    events: {} as IdentityEvent | IdentityFact,
    input: {} as { readonly version: string; readonly build: string },
    output: {} as WorkerOutcome,
  },
  actors: {
    machineFacts: placeholder<EventObject, undefined, IdentityFact>(),
    record: placeholder<RecordCommand, undefined, IdentityFact>(),
    /** Follows the owner's names. */
    owner: placeholder<EventObject, undefined, IdentityEvent>(),
  },
  delays: {
    /** Time until a failed write of the record is retried. */
    saveRetry: 60_000,
  },
  guards: {
    hasReceivedAll: ({ context: { received } }) => received.record !== null && received.names !== null,
    /** The names only matter to what is shown. */
    knowsMachine: ({ context: { received } }) =>
      received.record === null && received.machine !== null && received.stored !== null,
    wasSaved: (_, { ok }: FactOf<'record.written'>) => ok,
    isDurable: ({ context }) => context.received.durable,
  },
  actions: {
    acceptMachine: assign(({ context }, { facts, fresh }: FactOf<'machine.observed'>) => ({
      received: { ...context.received, machine: { facts, fresh } },
    })),
    acceptRecord: assign(({ context }, { stored }: FactOf<'record.found'>) => ({
      received: { ...context.received, stored: { record: stored } },
    })),
    acceptNames: assign(({ context }, { panelId, friendlyName, manufacturer, model }: IdentityEvent) => ({
      received: { ...context.received, names: { panelId, friendlyName, manufacturer, model } },
    })),
    generate: assign(({ context: { received } }) => {
      if (received.machine === null || received.stored === null) return {};
      const { facts, fresh } = received.machine;
      const { record, outcome } = generateIdentity(received.stored.record, facts, fresh);
      return { installId: record.installId, received: { ...received, record, durable: outcome === 'kept' } };
    }),
    present: assign(({ context: { received } }) =>
      received.record === null || received.machine === null || received.names === null
        ? {}
        : identityView(received.record, received.machine.facts, received.names),
    ),
    markDurable: assign(({ context }) => ({ received: { ...context.received, durable: true } })),
    // Used only after `generate`, when there is a record.
    save: enqueueActions(({ context, enqueue }) => {
      const { record } = context.received;
      if (record !== null) enqueue.sendTo('record', { type: 'record.write', record });
    }),
  },
}).createMachine({
  id: 'identity',
  context: ({ input }) => ({
    panelId: '',
    installId: '',
    friendlyName: '',
    manufacturer: '',
    model: '',
    system: '',
    version: input.version,
    build: input.build,
    received: { machine: null, stored: null, names: null, record: null, durable: false },
  }),
  invoke: [
    { id: 'machineFacts', src: 'machineFacts', onError: '.failed' },
    { id: 'record', src: 'record', onError: '.failed' },
    { id: 'owner', src: 'owner', onError: '.failed' },
  ],
  options: { maxIterations: 100 },
  initial: 'gathering',
  on: {
    'identity.renamed': { actions: [withEvent('acceptNames'), 'present'] },
    'machine.observed': { actions: withEvent('acceptMachine') },
    'record.found': { actions: withEvent('acceptRecord') },
  },
  states: {
    gathering: {
      always: [
        { guard: 'hasReceivedAll', target: 'deciding', actions: 'present' },
        { guard: 'knowsMachine', actions: 'generate' },
      ],
    },
    deciding: { always: [{ guard: 'isDurable', target: 'ready' }, { target: 'saving' }] },
    saving: {
      entry: 'save',
      on: {
        'record.written': [
          { guard: withEvent('wasSaved'), target: 'ready', actions: 'markDurable' },
          { target: 'unsaved' },
        ],
      },
    },
    /** The panel uses its identity anyway: a full disk must not take it away. */
    unsaved: { after: { saveRetry: 'saving' } },
    ready: {},
    failed: { type: 'final', output: crashed('identity-part') },
  },
  output: outcomeOf,
});
