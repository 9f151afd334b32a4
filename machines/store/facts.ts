import type { EpochMs } from '../kit/units.ts';
import type { CommitOutcome, Loaded, StoreContext } from './events.ts';
import { lossOf } from './loss.ts';

/** The facts before the document was read. */
export const unloaded = (folder: string): StoreContext => ({
  loadedFrom: null,
  loss: null,
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
    loss: reason === null ? null : { reason, at },
  };
}

/** The facts after a commit; `bytes` is the new size of the document's file. */
export const afterCommit = (
  facts: StoreContext,
  outcome: CommitOutcome,
  { bytes, at }: { readonly bytes: number; readonly at: EpochMs },
): StoreContext =>
  outcome.ok
    ? { ...facts, commits: facts.commits + 1, documentBytes: bytes, lastFailure: null }
    : { ...facts, lastFailure: { reason: outcome.reason, at } };
