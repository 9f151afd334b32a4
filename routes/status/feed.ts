import type { EpochMs, Milliseconds } from '#machines/kit/units.ts';
import { type Marks, saysTheSame, statusMarks } from '#machines/status/compare.ts';
import type { StatusReader } from '#routes/kit/deps.ts';
import type { Look } from './incremental.ts';

export interface FeedSources {
  readonly status: StatusReader;
  /** The revision of the live stream: a new one says that something may have changed. */
  readonly revision: () => number;
  readonly now: () => EpochMs;
}

/** The status document for all viewers: made and compared once, however many there are. */
export interface StatusFeed {
  /** The current document as JSON, with its version. */
  readonly whole: () => { readonly version: number; readonly text: string };
  /** All changes since a version; null if there are none. */
  readonly since: (version: number) => StatusNews | null;
}

/** What a viewer of an earlier version does not know. */
interface StatusNews {
  readonly version: number;
  /** `taken_at` and `sections` of a `change`, as members of a JSON object. */
  readonly members: string;
}

/**
 * How long a section is valid if no actor reported a new fact, in milliseconds: a verdict that depends only on the
 * passing of time is updated at the next ping.
 */
const freshMs: Milliseconds = 10_000;

/** Makes one. Without a viewer it does nothing, and otherwise it works at most once per revision. */
export function createStatusFeed({ status, revision, now }: FeedSources): StatusFeed {
  let marks: Marks | null = null;
  let version = 0;
  let looked: { readonly revision: number; readonly at: EpochMs } | null = null;
  let written: { readonly from: number; readonly changes: StatusNews } | null = null;
  /** Each section as last compared, and the version in which it last differed. */
  const sections = new Map<string, { readonly value: unknown; readonly version: number }>();

  /** Raises the version if a section differs from the last time. */
  function look(patience: Milliseconds): Look {
    const seen = { revision: revision(), at: now() };
    const found = status.look(patience);
    const { fields } = (marks ??= statusMarks());
    const differing = [...fields].flatMap(([name, own]) => {
      const before = sections.get(name);
      const value = found.made.get(name);
      if (own.ageing || (before !== undefined && Object.is(before.value, value))) return [];
      const isSame = before !== undefined && saysTheSame(own, before.value, value);
      sections.set(name, { value, version: before?.version ?? version });
      return isSame ? [] : [name];
    });
    if (looked !== null && differing.length > 0) {
      version += 1;
      for (const name of differing) sections.set(name, { value: found.made.get(name), version });
    }
    looked = seen;
    return found;
  }
  function isDue(): boolean {
    if (looked === null || looked.revision !== revision()) return true;
    const age = now() - looked.at;
    return age < 0 || age >= freshMs;
  }
  const changedSince = (from: number): readonly string[] =>
    [...sections].filter(([, section]) => section.version > from).map(([name]) => name);
  return {
    whole: () => {
      const text = status.text();
      look(freshMs);
      return { version, text };
    },
    since: (from) => {
      let found = isDue() ? look(freshMs) : null;
      if (version === from) return null;
      if (written?.from === from && written.changes.version === version) return written.changes;
      // An age is relative to the moment at which it is reported.
      found ??= status.look(freshMs);
      if (changedSince(from).some(found.isTimed)) found = look(0);
      const { at, made } = found;
      const changed = Object.fromEntries(changedSince(from).map((name) => [name, made.get(name) ?? null]));
      written = { from, changes: { version, members: `"taken_at":${at},"sections":${JSON.stringify(changed)}` } };
      return written.changes;
    },
  };
}
