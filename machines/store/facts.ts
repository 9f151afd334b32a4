import type { EpochMs } from '../kit/units.ts';
import type { CommitOutcome, Loaded, StoreContext } from './events.ts';
import { lossOf } from './loss.ts';

/** The facts before the document was read. */
export const unloaded = (folder: string): StoreContext => ({
  loadedFrom: null,
  loss: null,
  newer: null,
  commits: 0,
  lastFailure: null,
  documentBytes: -1,
  folder,
});

/** The facts after the document was read. */
export function afterLoad(facts: StoreContext, loaded: Loaded, at: EpochMs): StoreContext {
  const reason = lossOf(loaded);
  return {
    ...facts,
    loadedFrom: loaded.from,
    documentBytes: loaded.bytes,
    newer: loaded.newer,
    loss: reason === null ? null : { reason, at },
  };
}

/**
 * The facts after a commit; `bytes` is the new size of the document's file. What a newer version wrote is no failure of
 * the disk.
 */
export function afterCommit(
  facts: StoreContext,
  outcome: CommitOutcome,
  { bytes, at }: { readonly bytes: number; readonly at: EpochMs },
): StoreContext {
  if (outcome.ok) return { ...facts, commits: facts.commits + 1, documentBytes: bytes, lastFailure: null };
  return outcome.reason === 'newer-format' ? facts : { ...facts, lastFailure: { reason: outcome.reason, at } };
}

/** The facts once the owner has decided to begin without the newer document. */
export const afterStartOver = (
  facts: StoreContext,
  outcome: CommitOutcome,
  result: { readonly bytes: number; readonly at: EpochMs },
): StoreContext => ({ ...afterCommit(facts, outcome, result), newer: outcome.ok ? null : facts.newer });
