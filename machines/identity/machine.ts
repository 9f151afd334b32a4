import { assign, type EventObject, sendTo, setup } from 'xstate';
import { crashed, outcomeOf, stopped } from '../kit/outcome.ts';
import type { WorkerOutcome } from '../kit/outcome.ts';
import { placeholder } from '../kit/placeholder.ts';
import type {
  IdentityContext,
  IdentityEvent,
  IdentityFact,
  IdentityRecord,
  MachineFacts,
  OwnerNames,
  RecordCommand,
} from './events.ts';
import { mintIdentity } from './mint.ts';
import { presentIdentity } from './present.ts';

/** What the identity is decided from; each part is null until it was heard of. */
interface Heard {
  readonly machine: { readonly facts: MachineFacts; readonly fresh: string } | null;
  readonly stored: { readonly record: unknown } | null;
  readonly names: OwnerNames | null;
  /** The record in force. */
  readonly record: IdentityRecord | null;
  /** Whether the record in force is on disk; while it is not, a restart would mint another install id. */
  readonly durable: boolean;
}

type Names = Extract<IdentityEvent, { type: 'identity.renamed' }>;

/** Decides who this panel is, once what the machine says, what was stored and what the owner chose are all known. */
export const identityMachine = setup({
  types: {
    context: {} as IdentityContext & { readonly heard: Heard },
    events: {} as IdentityEvent | IdentityFact,
    input: {} as { readonly version: string; readonly build: string },
    output: {} as WorkerOutcome,
  },
  actors: {
    machineFacts: placeholder<EventObject, undefined, IdentityFact>(),
    keeper: placeholder<RecordCommand, undefined, IdentityFact>(),
    owner: placeholder<EventObject, undefined, Names>(),
  },
  delays: {
    /** Until the store is asked again when it did not answer. */
    anotherLook: 1000,
    /** Until a record that could not be saved is tried again. */
    anotherSave: 60_000,
  },
  guards: {
    hasHeardAll: ({ context: { heard } }) => heard.machine !== null && heard.stored !== null && heard.names !== null,
    wasSaved: ({ event }) => event.type === 'record.written' && event.ok,
    isDurable: ({ context }) => context.heard.durable,
  },
  actions: {
    hearMachine: assign(({ context }, machine: { readonly facts: MachineFacts; readonly fresh: string }) => ({
      heard: { ...context.heard, machine },
    })),
    hearRecord: assign(({ context }, stored: { readonly record: unknown }) => ({
      heard: { ...context.heard, stored },
    })),
    hearNames: assign(({ context }, { panelId, friendlyName, manufacturer, model }: Names) => ({
      heard: { ...context.heard, names: { panelId, friendlyName, manufacturer, model } },
    })),
    mint: assign(({ context: { heard } }) => {
      if (heard.machine === null || heard.stored === null) return {};
      const { record, outcome } = mintIdentity(heard.stored.record, heard.machine.facts, heard.machine.fresh);
      return { heard: { ...heard, record, durable: outcome === 'kept' } };
    }),
    present: assign(({ context: { heard } }) =>
      heard.record === null || heard.machine === null || heard.names === null
        ? {}
        : presentIdentity(heard.record, heard.machine.facts, heard.names),
    ),
    markDurable: assign(({ context }) => ({ heard: { ...context.heard, durable: true } })),
    askRecord: sendTo('keeper', { type: 'record.read' }),
    save: sendTo('keeper', ({ context }) => ({ type: 'record.write', record: context.heard.record })),
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
    heard: { machine: null, stored: null, names: null, record: null, durable: false },
  }),
  invoke: [
    { id: 'machineFacts', src: 'machineFacts', onError: '.failed' },
    { id: 'keeper', src: 'keeper', onError: '.failed' },
    { id: 'owner', src: 'owner', onError: '.failed' },
  ],
  options: { maxIterations: 100 },
  initial: 'gathering',
  on: {
    'identity.renamed': { actions: [{ type: 'hearNames', params: ({ event }) => event }, 'present'] },
    'machine.seen': {
      actions: { type: 'hearMachine', params: ({ event }) => ({ facts: event.facts, fresh: event.fresh }) },
    },
    'record.found': { actions: { type: 'hearRecord', params: ({ event }) => ({ record: event.stored }) } },
    'identity.stop': '.stopped',
  },
  states: {
    gathering: {
      initial: 'asking',
      always: { guard: 'hasHeardAll', target: 'deciding', actions: ['mint', 'present'] },
      states: {
        asking: { entry: 'askRecord', on: { 'record.unread': 'waiting' } },
        waiting: { after: { anotherLook: 'asking' } },
      },
    },
    deciding: { always: [{ guard: 'isDurable', target: 'ready' }, { target: 'saving' }] },
    saving: {
      entry: 'save',
      on: {
        'record.written': [{ guard: 'wasSaved', target: 'ready', actions: 'markDurable' }, { target: 'unsaved' }],
      },
    },
    /** The panel works under its identity all the same: a full disk must not take it away. */
    unsaved: { after: { anotherSave: 'saving' } },
    ready: {},
    stopped: { type: 'final', output: stopped },
    failed: { type: 'final', output: crashed('identity-part') },
  },
  output: outcomeOf,
});
