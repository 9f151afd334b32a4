import type { ActorId } from './actors.ts';
import { historyEntryStatus } from './history/status.ts';
import {
  type HistoryAbout,
  type HistoryChange,
  historyAbouts,
  type HistoryKind,
  type HistoryRow,
  type HistoryTopic,
} from './kit/history-event.ts';
import { once } from './kit/once.ts';
import { descriptorOf, EXPOSE_PREFIX } from './settings.ts';
import type { Manifest } from './subsystem.ts';
import { subsystems } from './subsystems.ts';

const manifests: readonly Manifest[] = subsystems;

/** Every actor that the history watches, and which entries it makes. */
export const historyRows: readonly HistoryRow<ActorId>[] = manifests.flatMap(({ history }) => history ?? []);

/** The kinds and codes of all entries: of watched actors, and of the agent itself. */
export const historyWords: readonly HistoryKind[] = [
  ...manifests.flatMap(({ agentHistory }) => agentHistory ?? []),
  ...historyRows,
];

/** How each kind is shown, by its name. */
export const historyTopics: ReadonlyMap<string, HistoryTopic> = new Map(
  manifests.flatMap(({ historyKinds: own = [] }) => own.map((topic) => [topic.kind, topic])),
);

/** The topics that the entries of declared kinds can be filtered by. */
export const offeredAbouts: readonly HistoryAbout[] = historyAbouts.filter((about) =>
  [...historyTopics.values()].some((topic) => topic.about === about),
);

/** The kinds of all entries. */
export const historyKinds: readonly string[] = [...new Set(historyWords.map(({ kind }) => kind))];

/** One entry as `/api/v1/history` serves it. */
export const HistoryEntryStatus = once(() => historyEntryStatus(historyKinds));

/** Kinds of which every occurrence matters to the owner, so that they are never merged. */
export const singleKinds: ReadonlySet<string> = new Set(
  historyWords.filter(({ single }) => single === true).map(({ kind }) => kind),
);

/**
 * True for a value that may be kept and shown: a number, a switch or a choice. A text may name a person, or be
 * a password in the wrong field.
 */
export function isShowable({ key }: HistoryChange): boolean {
  if (key.startsWith(EXPOSE_PREFIX)) return true;
  const row = descriptorOf(key);
  return row !== undefined && !row.secret && row.type !== 'STRING' && row.type !== 'PASSWORD';
}
