import type { EventObject } from 'xstate';

import { fromDriver } from '#drivers/kit/from-driver.ts';
import { historyRows } from '#machines/history.ts';
import type { HistoryEntry, RecordCommand, RecordFact, WitnessFact } from '#machines/history/events.ts';
import { history } from '#machines/history/index.ts';
import { historyMachine } from '#machines/history/machine.ts';
import { recallEntries } from '#machines/history/record.ts';
import type { EpochMs, Milliseconds } from '#machines/kit/units.ts';

import type { Registry } from './kit/registry.ts';
import { part, type Part } from './kit/part.ts';
import { commitSections, readSection } from './settings.ts';

/** Pause before what happened is written, and so between two writes: a restless screen must not wear the disk. */
export const RECORD_PAUSE_MS: Milliseconds = 3000;
/** Pause before a store that did not answer is asked again. */
const RECALL_PAUSE_MS: Milliseconds = 1000;

/**
 * Keeps the history in the durable document: recalled at start, written at most every three seconds, and at the stop.
 */
const recordKeeper = (registry: Registry) =>
  fromDriver<RecordCommand, undefined, RecordFact>(({ send, onEvent, guard, signal }) => {
    let unkept: readonly HistoryEntry[] | null = null;
    let timer: NodeJS.Timeout | undefined;

    const commit = async (): Promise<void> => {
      const entries = unkept;
      if (entries === null) return;
      unkept = null;
      // What the disk refused is written with the next entry, not for ever.
      if ((await commitSections(registry, { history: { version: 1, entries } })) !== null) unkept ??= entries;
    };
    const commitLater = (): void => {
      timer ??= setTimeout(
        guard(async () => {
          const entries = unkept;
          await commit();
          timer = undefined;
          if (!signal.aborted && unkept !== null && unkept !== entries) commitLater();
        }),
        RECORD_PAUSE_MS,
      );
    };
    const recall = async (): Promise<void> => {
      const section = await readSection(registry, 'history');
      if (signal.aborted) return;
      if (section === undefined) timer = setTimeout(guard(recall), RECALL_PAUSE_MS);
      else {
        timer = undefined;
        send({ type: 'record.recalled', entries: recallEntries(section) });
      }
    };

    onEvent(async (command) => {
      if (command.type === 'record.keep') {
        unkept = command.entries;
        commitLater();
        return;
      }
      clearTimeout(timer);
      await commit();
      send({ type: 'record.closed' });
    });
    guard(recall)();
    return () => {
      clearTimeout(timer);
      return commit();
    };
  });

/** Follows every actor of the table and tells what happened to it. */
const witness = (registry: Registry, now: () => EpochMs) =>
  fromDriver<EventObject, undefined, WitnessFact>(({ send }) => {
    const ends = historyRows.map(({ actor, look, happenings }) => {
      // A part that was away for a moment is compared with what it was before.
      let before: unknown = null;
      return registry.follow(
        actor,
        (snapshot) => (snapshot === undefined ? null : look(snapshot.context)),
        (after) => {
          if (after === null) return;
          for (const happening of happenings(before, after, now())) send({ type: 'history.happened', ...happening });
          before = after;
        },
      );
    });
    return () => {
      for (const end of ends) end();
    };
  });

/** What the history's actor is wired to. */
export interface HistoryDeps {
  readonly registry: Registry;
  /** Milliseconds since the Unix epoch. */
  readonly now: () => EpochMs;
  /** When this run of the agent began. */
  readonly startedAt: EpochMs;
}

/** The history: asked to stop, it writes what is not written yet. */
export const historySpec = ({ registry, now, startedAt }: HistoryDeps): Part =>
  part(
    history,
    historyMachine.provide({ actors: { record: recordKeeper(registry), witness: witness(registry, now) } }),
    { input: () => ({ startedAt }), stop: { event: { type: 'history.stop' }, withinMs: 50 } },
  );
