import type { DriverScope } from '#drivers/kit/from-driver.ts';
import { serial } from '#drivers/kit/serial.ts';
import type { Milliseconds } from '#machines/kit/units.ts';
import type { DocumentSection, StoredSection } from '#machines/stored-sections.ts';

import type { Registry } from './registry.ts';

/** The part of the registry that a stored section needs. */
export type Asking = Pick<Registry, 'ask'>;

/** How long the store may take to answer a read. */
const READ_MS: Milliseconds = 3000;
/** How long the store may take to commit: below the 10 s that a save over HTTP waits. */
const COMMIT_MS: Milliseconds = 6000;
/** Pause before a store that did not answer is asked again. */
export const RECALL_PAUSE_MS: Milliseconds = 1000;

/** One stored section: null if it was never written, `undefined` if the store did not answer. */
export async function readSection(registry: Asking, section: StoredSection): Promise<unknown> {
  const asked = await registry.ask('store', { type: 'store.read', section }, READ_MS);
  return asked.ok && asked.value.ok ? asked.value.value : undefined;
}

/** Several sections as of one moment; `undefined` if the store did not answer. */
export async function readSections(
  registry: Asking,
  sections: readonly StoredSection[],
): Promise<Readonly<Record<string, unknown>> | undefined> {
  const asked = await registry.ask('store', { type: 'store.read-all', sections }, READ_MS);
  return asked.ok && asked.value.ok ? asked.value.values : undefined;
}

/** Makes sections of the document durable, all or none; null on success, else the reason. */
export async function commitSections(
  registry: Asking,
  sections: Readonly<Partial<Record<DocumentSection, unknown>>>,
): Promise<string | null> {
  const asked = await registry.ask('store', { type: 'store.commit-all', sections }, COMMIT_MS);
  if (!asked.ok) return asked.reason;
  return asked.value.ok ? null : asked.value.reason;
}

/** The store gave no answer in time. */
export class StoreSilent extends Error {
  readonly code = 'store-silent';
  override readonly name = 'StoreSilent';
}

/**
 * How often a section may be committed: at once; the newest value after a pause (a value that the disk refused is
 * committed with the next one, or at the end); or up to `burst` at once, then one more per pause, until the disk holds
 * the newest.
 */
export type RateLimit =
  | 'at-once'
  | { readonly afterMs: Milliseconds }
  | { readonly burst: number; readonly pauseMs: Milliseconds };

/** A stored section, and how it is read and written. */
export interface SectionPlan<T> {
  readonly section: StoredSection;
  /** Reads the stored JSON; null is a section that was never written. A zod schema's `safeParse` serves here. */
  readonly parse: (stored: unknown) => T;
  /** The JSON that is stored for a value; null removes the section. */
  readonly format: (value: T) => unknown;
  readonly rateLimit: RateLimit;
}

/** A stored section as its one writer uses it; commits are made one after another. */
export interface SectionStore<T> {
  /** Reads the section and passes on its value; retries while the store does not answer. */
  readonly recall: (take: (value: T) => void) => void;
  /**
   * Commits the value as often as the rate limit allows; the newest one wins, and a value that is already stored is not
   * written again.
   */
  readonly keep: (value: T) => Promise<void>;
  /** Commits the value at once, in place of what is due; null on success, else the reason. */
  readonly write: (value: T) => Promise<string | null>;
  /** Commits now what is due. */
  readonly flush: () => Promise<void>;
  /** The driver's cleanup: commits what is due, and nothing after that. */
  readonly end: () => Promise<void>;
}

/** What the store uses of the driver that it lives in. */
type Scope = Pick<DriverScope<never, unknown, never>, 'guard' | 'signal'>;

/** A value to be committed, as JSON. */
interface Due {
  readonly json: unknown;
}

/** Keeps one stored section for the driver whose scope is given. */
export function storedSection<T>(
  registry: Asking,
  { guard, signal }: Scope,
  { section, parse, format, rateLimit }: SectionPlan<T>,
): SectionStore<T> {
  const inTurn = serial();
  /** Text of what the store holds; null while that is unknown. */
  let held: string | null = null;
  let due: Due | null = null;
  let timer: NodeJS.Timeout | undefined;
  let recalling: NodeJS.Timeout | undefined;
  let commits = 0;
  const bursts = typeof rateLimit === 'object' && 'burst' in rateLimit ? rateLimit : null;
  let allowed = bursts?.burst ?? 0;

  const commit = async (value: unknown): Promise<string | null> => {
    commits += 1;
    const asked = await registry.ask('store', { type: 'store.commit', section, value }, COMMIT_MS);
    if (!asked.ok) {
      // The store may still have made the commit, or may yet do so.
      held = null;
      return asked.reason;
    }
    if (!asked.value.ok) return asked.value.reason;
    held = JSON.stringify(value);
    return null;
  };
  // Queued: a value that equals the held one may still differ from the one on its way.
  const commitDue = (): Promise<void> =>
    inTurn(async () => {
      const taken = due;
      due = null;
      if (taken === null || JSON.stringify(taken.json) === held) return;
      if ((await commit(taken.json)) === null) return;
      due ??= taken;
      // The pause may have passed while the store was silent.
      if (bursts !== null && !signal.aborted) allowMore(bursts.burst, bursts.pauseMs);
    });

  const keepLater = (pauseMs: Milliseconds): void => {
    timer ??= setTimeout(
      guard(async () => {
        const taken = due;
        await commitDue();
        timer = undefined;
        // A value that the disk refused waits for a newer one: it is not retried endlessly.
        if (!signal.aborted && due !== null && due !== taken) keepLater(pauseMs);
      }),
      pauseMs,
    );
  };
  const keepInBurst = async (burst: number, pauseMs: Milliseconds): Promise<void> => {
    if (due === null || allowed === 0) return;
    allowed -= 1;
    allowMore(burst, pauseMs);
    await commitDue();
  };
  const allowMore = (burst: number, pauseMs: Milliseconds): void => {
    timer ??= setTimeout(
      guard(() => {
        timer = undefined;
        allowed = Math.min(burst, allowed + 1);
        if (allowed < burst) allowMore(burst, pauseMs);
        return keepInBurst(burst, pauseMs);
      }),
      pauseMs,
    );
  };

  return {
    recall: (take) => {
      const read = guard(async () => {
        const begun = commits;
        const stored = await readSection(registry, section);
        if (signal.aborted) return;
        if (stored === undefined) {
          recalling = setTimeout(read, RECALL_PAUSE_MS);
          return;
        }
        // A commit begun meanwhile may have replaced what was read.
        if (commits === begun) held ??= JSON.stringify(stored);
        take(parse(stored));
      });
      read();
    },
    keep: async (value) => {
      if (signal.aborted) return;
      due = { json: format(value) };
      if (rateLimit === 'at-once') await commitDue();
      else if ('burst' in rateLimit) await keepInBurst(rateLimit.burst, rateLimit.pauseMs);
      else keepLater(rateLimit.afterMs);
    },
    write: (value) => {
      due = null;
      return inTurn(() => commit(format(value)));
    },
    flush: commitDue,
    end: () => {
      clearTimeout(timer);
      clearTimeout(recalling);
      return commitDue();
    },
  };
}
