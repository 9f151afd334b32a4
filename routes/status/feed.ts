import type { EpochMs, Milliseconds } from '#machines/kit/units.ts';
import type { StatusDocument } from '#machines/status.ts';
import { differingSections, type Marks, statusMarks } from '#machines/status/changes.ts';

/** What the feed reads. */
export interface FeedSources {
  /** Builds the status document. */
  readonly read: () => StatusDocument;
  /** The revision of the live stream: another one says that something may have changed. */
  readonly revision: () => number;
  readonly now: () => EpochMs;
}

/** The status document for all viewers: built and compared once, however many look at it. */
export interface StatusFeed {
  /** The document as it is now, with its version. */
  readonly whole: () => { readonly version: number; readonly document: StatusDocument };
  /** What has changed since a version, all of it at once; null where nothing has. */
  readonly since: (version: number) => StatusNews | null;
}

/** What a viewer of an earlier version does not know. */
export interface StatusNews {
  readonly version: number;
  /** The document of this version. */
  readonly document: StatusDocument;
  /** `taken_at` and `sections` of a `change`, as members of a JSON object. */
  readonly members: string;
}

/**
 * How long a document counts although no actor reported another fact, in milliseconds: what a verdict draws from the
 * passing of time alone is seen at the next ping.
 */
export const freshMs: Milliseconds = 10_000;

/** Makes one. It does nothing until somebody looks, and then at most once per revision. */
export const createStatusFeed = ({ read, revision, now }: FeedSources): StatusFeed => {
  let marks: Marks | null = null;
  let version = 0;
  let looked: { readonly revision: number; readonly at: EpochMs; readonly document: StatusDocument } | null = null;
  let written: { readonly from: number; readonly news: StatusNews } | null = null;
  /** The version in which each section differed last. */
  const changed = new Map<string, number>();

  const look = (): StatusDocument => {
    const seen = { revision: revision(), at: now() };
    const document = read();
    marks ??= statusMarks();
    const names = looked === null ? [] : differingSections(marks, looked.document, document);
    if (names.length > 0) version += 1;
    for (const name of names) changed.set(name, version);
    looked = { ...seen, document };
    return document;
  };
  const current = (): StatusDocument => {
    if (looked === null || looked.revision !== revision()) return look();
    const age = now() - looked.at;
    return age >= 0 && age < freshMs ? looked.document : look();
  };
  return {
    whole: () => {
      const document = look();
      return { version, document };
    },
    since: (from) => {
      const document = current();
      if (version === from) return null;
      if (written?.from === from && written.news.version === version) return written.news;
      const all = new Map<string, unknown>(Object.entries(document));
      const sections = Object.fromEntries(
        [...changed].filter(([, at]) => at > from).map(([name]) => [name, all.get(name) ?? null]),
      );
      const members = `"taken_at":${document.taken_at},"sections":${JSON.stringify(sections)}`;
      written = { from, news: { version, document, members } };
      return written.news;
    },
  };
};
