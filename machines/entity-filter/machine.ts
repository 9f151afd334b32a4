import { assign, emit, enqueueActions, type EventObject, sendTo } from 'xstate';

import { backoffDelay } from '../kit/backoff.ts';
import { crashed, outcomeOf, type WorkerOutcome } from '../kit/outcome.ts';
import { placeholder } from '../kit/placeholder.ts';
import { setup } from '../kit/setup.ts';
import type { Milliseconds } from '../kit/units.ts';
import { withEvent } from '../kit/with-event.ts';
import type { FilterFact } from '../renderer/events.ts';
import { forChanges, persistedWith, makeChange, refusalOf } from './transitions.ts';
import { emptyState } from './document.ts';
import type {
  EntityFilterEmitted,
  EntityFilterMachineEvent,
  FilterOutcome,
  KeepCommand,
  KeepFact,
  PlaceFact,
  ScanCommand,
  ScanFact,
  WantedFact,
  DesiredFact,
} from './events.ts';
import { inSidebarOrder } from './titles.ts';
import { type Change, type FilterFacts, HOLD_MS, initialFacts, settled } from './facts.ts';
import {
  beginScan,
  failScan,
  postponeScan,
  queueKnown,
  queueScan,
  scanBackoff,
  takeMilestone,
  takePlace,
  takeReport,
  takeScan,
  takeDesired,
} from './learning.ts';

/** Limit for one scan: each of its reads has 10 s, and a house of 8,000 entities took 2 s. */
export const SCAN_BOUND_MS: Milliseconds = 60_000;
/** Every known dashboard is scanned again once a day (as panel-assistant). */
const DAY_MS: Milliseconds = 86_400_000;
/** Limit for an answer of the document's driver. */
const SAVE_BOUND_MS: Milliseconds = 8000;

type Of<T extends EntityFilterMachineEvent['type']> = Extract<EntityFilterMachineEvent, { readonly type: T }>;

const reply = (requestId: string, outcome: FilterOutcome) => ({ type: 'reply' as const, requestId, outcome });

/** Command to save the document as it is now, including the change under way. */
const keepNow = (facts: FilterFacts): KeepCommand => ({
  type: 'filters.keep',
  persisted: persistedWith(facts) ?? emptyState,
  requestId: null,
});

/** Actors, delays, guards and actions of the machine. */
const entityFilterSetup = setup({
  types: {
    // Type carriers of the library's own design; their values are never read.
    context: {} as FilterFacts,
    events: {} as EntityFilterMachineEvent,
    emitted: {} as EntityFilterEmitted,
    output: {} as WorkerOutcome,
  },
  actors: {
    followed: placeholder<EventObject, undefined, DesiredFact | PlaceFact | WantedFact | FilterFact>(),
    scanner: placeholder<ScanCommand, undefined, ScanFact>(),
    store: placeholder<KeepCommand, undefined, KeepFact>(),
  },
  delays: {
    holdBound: HOLD_MS,
    scanBound: SCAN_BOUND_MS,
    day: DAY_MS,
    saveBound: SAVE_BOUND_MS,
    scanRetry: ({ context }) => backoffDelay(scanBackoff, context.failures, 0.5),
  },
  guards: {
    holds: ({ context }) => context.holdSince !== null,
    holdsNot: ({ context }) => context.holdSince === null,
    mayScan: ({ context }) => context.queue.length > 0 && context.desired?.starting !== true,
    isStarting: ({ context }) => context.scan !== null && context.desired?.starting === true,
    mayNot: ({ context }) => context.noFilter !== null || !context.learning,
    isDropped: ({ context }) => context.scan === null,
    isOfScan: ({ context }, { scan }: { readonly scan: number }) => context.scan?.number === scan,
    // The connection is back, or the account or the address has changed.
    isChange: ({ context: { desired } }, { live, credential, server }: DesiredFact) =>
      desired === null || (live && !desired.live) || credential !== desired.credential || server !== desired.server,
    learns: ({ context }) => context.noFilter === null && context.learning,
    isRefused: ({ context }, change: Change) => refusalOf(context, change) !== null,
    answersSaving: ({ context }, { requestId }: Of<'filters.persisted'>) =>
      context.saving !== null && requestId === context.saving.requestId,
    isMade: ({ context }, { requestId, failure }: Of<'filters.persisted'>) =>
      failure === null && requestId === context.saving?.requestId && refusalOf(context, context.saving) === null,
    isDurable: ({ context }, { requestId, failure }: Of<'filters.persisted'>) =>
      context.saving !== null && requestId === context.saving.requestId && failure === null,
  },
  actions: {
    refuseLate: emit(({ context }) =>
      reply(
        context.saving?.requestId ?? '',
        (context.saving === null ? null : refusalOf(context, context.saving)) ?? { ok: true },
      ),
    ),
    endChange: assign({ saving: null }),
    recall: assign(({ context }, { persisted }: Of<'filters.recalled'>) => settled(context, { persisted })),
    takeDesired: assign(({ context }, desired: DesiredFact) => takeDesired(context, desired)),
    takePlace: assign(({ context }, { dashboard }: PlaceFact) => takePlace(context, dashboard)),
    // Saved only if the report changed something.
    takeReport: enqueueActions(({ context, enqueue }, report: FilterFact) => {
      const next = takeReport(context, report);
      enqueue.assign(next);
      if (next.persisted !== context.persisted) enqueue.sendTo('store', keepNow(next));
    }),
    endHold: assign(({ context }) => settled(context, { heldOnce: true })),
    beginScan: assign(({ context }) => beginScan(context)),
    startScan: sendTo('scanner', ({ context }) => ({
      type: 'scan.start' as const,
      scan: context.scan?.number ?? 0,
      dashboard: context.scan?.dashboard ?? '',
    })),
    takeMilestone: assign(({ context }, milestone: Of<'scan.milestone'>) => takeMilestone(context, milestone)),
    takeScan: assign(({ context }, done: Of<'scan.done'>) => takeScan(context, done)),
    failScan: assign(({ context }, { reason, at }: Of<'scan.failed'>) => failScan(context, reason, at)),
    giveUpScan: assign(({ context }) => failScan(context, 'no-answer', context.at)),
    dropScan: assign({ scan: null }),
    postponeScan: assign(({ context }) => postponeScan(context)),
    queueNamed: assign(({ context }, { dashboard }: Of<'entity-filter.sync'>) =>
      queueScan(context, dashboard ?? context.dashboard),
    ),
    takeTitles: assign((_, { titles }: Of<'dashboards.listed'>) => ({ titles: inSidebarOrder(titles) })),
    queueChanged: assign(({ context }, { dashboard }: { readonly dashboard: string }) => queueScan(context, dashboard)),
    queueKnown: assign(({ context }) => queueKnown(context)),
    keepLearned: sendTo('store', ({ context }) => keepNow(context)),
    begin: assign((_, change: Change) => ({ saving: change })),
    keepChange: sendTo('store', ({ context }) => ({
      ...keepNow(context),
      requestId: context.saving?.requestId ?? null,
    })),
    refuse: emit(({ context }, change: Change) => reply(change.requestId, refusalOf(context, change) ?? { ok: true })),
    refuseBusy: emit((_, { requestId }: Change) =>
      reply(requestId, { ok: false, reason: 'busy', message: 'Another change is being saved: try again.' }),
    ),
    refuseReading: emit((_, { requestId }: Change) =>
      reply(requestId, {
        ok: false,
        reason: 'not-ready',
        message: 'The learned entities are still being read: try again.',
      }),
    ),
    confirmChange: emit(({ context }) => reply(context.saving?.requestId ?? '', { ok: true })),
    refuseUnsaved: emit(({ context }) =>
      reply(context.saving?.requestId ?? '', {
        ok: false,
        reason: 'not-saved',
        message: 'The panel’s disk could not save the change. Nothing was changed.',
      }),
    ),
    makeChange: assign(({ context }) => makeChange(context)),
    dropChange: assign((_, { failure }: { readonly failure: string | null }) => ({
      saving: null,
      fault: failure ?? 'no-answer',
    })),
    noteFault: assign((_, { failure }: Of<'filters.persisted'>) => ({ fault: failure })),
  },
});

/** Limits what each dashboard receives to what it shows, as learned from scans and from what the page reads. */
export const entityFilterMachine = entityFilterSetup.createMachine({
  id: 'entity-filter',
  context: initialFacts,
  output: outcomeOf,
  initial: 'running',
  states: {
    running: {
      invoke: [
        { id: 'store', src: 'store', onError: 'failed' },
        { id: 'scanner', src: 'scanner', onError: 'failed' },
        { id: 'followed', src: 'followed', onError: 'failed' },
      ],
      type: 'parallel',
      on: {
        'filter.desired': { actions: withEvent('takeDesired') },
        'page.placed': { actions: withEvent('takePlace') },
        'page.subscribed': { actions: withEvent('takeReport') },
        'page.uncut': { actions: withEvent('takeReport') },
        'page.entity-opened': { actions: withEvent('takeReport') },
        'page.entities-read': { actions: withEvent('takeReport') },
        'page.enumerated': { actions: withEvent('takeReport') },
        'page.wanted': { guard: 'learns', actions: withEvent('queueChanged') },
        'entity-filter.sync': { guard: 'learns', actions: withEvent('queueNamed') },
        'dashboards.listed': { actions: withEvent('takeTitles') },
        'dashboard.changed': { guard: 'learns', actions: withEvent('queueChanged') },
      },
      states: {
        document: {
          initial: 'reading',
          states: {
            reading: {
              on: {
                'filters.recalled': { target: 'idle', actions: withEvent('recall') },
                ...forChanges({ actions: withEvent('refuseReading') }),
              },
            },
            idle: {
              on: {
                'filters.persisted': { actions: withEvent('noteFault') },
                ...forChanges([
                  { guard: withEvent('isRefused'), actions: withEvent('refuse') },
                  { target: 'saving', actions: [withEvent('begin'), 'keepChange'] },
                ]),
              },
            },
            saving: {
              on: {
                'filters.persisted': [
                  { guard: withEvent('isMade'), target: 'idle', actions: ['confirmChange', 'makeChange'] },
                  // The change no longer applies to what was learned meanwhile: save what is in force.
                  {
                    guard: withEvent('isDurable'),
                    target: 'idle',
                    actions: ['refuseLate', 'endChange', 'keepLearned'],
                  },
                  {
                    guard: withEvent('answersSaving'),
                    target: 'idle',
                    actions: ['refuseUnsaved', withEvent('dropChange'), 'keepLearned'],
                  },
                  { actions: withEvent('noteFault') },
                ],
                ...forChanges({ actions: withEvent('refuseBusy') }),
              },
              after: {
                saveBound: {
                  target: 'idle',
                  // The change may still be written late, or with what was learned meanwhile: save what is in force
                  // after it.
                  actions: ['refuseUnsaved', { type: 'dropChange', params: { failure: null } }, 'keepLearned'],
                },
              },
            },
          },
        },
        scan: {
          initial: 'idle',
          states: {
            idle: { always: { guard: 'mayScan', target: 'scanning' } },
            scanning: {
              entry: ['beginScan', 'startScan'],
              always: [
                { guard: 'mayNot', target: 'idle', actions: 'dropScan' },
                // The account or the address has changed.
                { guard: 'isDropped', target: 'idle' },
                // A Home Assistant that is starting does not have all of its entities yet.
                { guard: 'isStarting', target: 'idle', actions: 'postponeScan' },
              ],
              on: {
                'scan.milestone': { guard: withEvent('isOfScan'), actions: withEvent('takeMilestone') },
                'scan.done': {
                  guard: withEvent('isOfScan'),
                  target: 'idle',
                  actions: [withEvent('takeScan'), 'keepLearned'],
                },
                'scan.failed': { guard: withEvent('isOfScan'), target: 'waiting', actions: withEvent('failScan') },
              },
              after: { scanBound: { target: 'waiting', actions: 'giveUpScan' } },
            },
            waiting: {
              always: { guard: 'mayNot', target: 'idle' },
              // Retry at once for a scan that someone waits for.
              on: {
                'filter.desired': [
                  { guard: withEvent('isChange'), target: 'idle', actions: withEvent('takeDesired') },
                  { actions: withEvent('takeDesired') },
                ],
                'page.placed': { target: 'idle', actions: withEvent('takePlace') },
                'page.wanted': { guard: 'learns', target: 'idle', actions: withEvent('queueChanged') },
                'entity-filter.sync': { target: 'idle', actions: withEvent('queueNamed') },
              },
              after: { scanRetry: 'idle' },
            },
          },
        },
        hold: {
          initial: 'none',
          states: {
            none: { always: { guard: 'holds', target: 'holding' } },
            holding: {
              always: { guard: 'holdsNot', target: 'none' },
              after: { holdBound: { target: 'none', actions: 'endHold' } },
            },
          },
        },
        calendar: {
          initial: 'day',
          states: { day: { after: { day: { target: 'day', reenter: true, actions: 'queueKnown' } } } },
        },
      },
    },
    failed: {
      type: 'final',
      output: crashed({ store: 'filter-store', scanner: 'scanner', followed: 'followed' }),
    },
  },
  options: { maxIterations: 100 },
});
