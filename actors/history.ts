import type { EventObject } from 'xstate';

import { fromDriver } from '#drivers/kit/from-driver.ts';
import { historyRows } from '#machines/history.ts';
import type { HistoryEntry, RecordCommand, RecorderFact, RecordFact } from '#machines/history/events.ts';
import { history } from '#machines/history/index.ts';
import { historyMachine } from '#machines/history/machine.ts';
import { recallEntries } from '#machines/history/record.ts';
import type { EpochMs, Milliseconds } from '#machines/kit/units.ts';

import { followHistory } from './kit/follow-history.ts';
import type { Registry } from './kit/registry.ts';
import { part, type Part } from './kit/part.ts';
import { storedSection } from './kit/stored-section.ts';

/** Pause before entries are written, and between two writes: a restless screen must not wear out the disk. */
const RECORD_PAUSE_MS: Milliseconds = 3000;

/** The record in its stored section: recalled at the start, written after a pause and at the stop. */
const storedRecord = (registry: Registry) =>
  fromDriver<RecordCommand, undefined, RecordFact>((scope) => {
    const store = storedSection<readonly HistoryEntry[]>(registry, scope, {
      section: 'history',
      parse: recallEntries,
      format: (entries) => ({ version: 1, entries }),
      rateLimit: { afterMs: RECORD_PAUSE_MS },
    });
    store.recall((entries) => scope.send({ type: 'record.recalled', entries }));
    scope.onEvent(async (command) => {
      if (command.type === 'record.keep') return store.keep(command.entries);
      await store.flush();
      scope.send({ type: 'record.closed' });
    });
    return store.end;
  });

/** Follows every actor that has history rows and reports what happened to it. */
const recorder = (registry: Registry, now: () => EpochMs) =>
  fromDriver<EventObject, undefined, RecorderFact>(({ send }) => {
    const ends = historyRows.map((row) =>
      followHistory(registry, row, now, (historyEvent) => send({ type: 'history.happened', ...historyEvent })),
    );
    return () => {
      for (const end of ends) end();
    };
  });

export interface HistoryDeps {
  readonly registry: Registry;
  readonly now: () => EpochMs;
  /** When this run of the agent began, in milliseconds since the Unix epoch. */
  readonly startedAt: EpochMs;
}

/** The history. When told to stop, it writes what is still unwritten. */
export const historySpec = ({ registry, now, startedAt }: HistoryDeps): Part =>
  part(
    history,
    historyMachine.provide({ actors: { record: storedRecord(registry), recorder: recorder(registry, now) } }),
    { input: () => ({ startedAt }), stop: { event: { type: 'history.stop' }, withinMs: 50 } },
  );
