import type { ActorId } from './actors.ts';
import { historyEntryStatus } from './history/status.ts';
import {
  type HistoryAbout,
  historyAbouts,
  type HistoryKind,
  type HistoryRow,
  type HistoryTopic,
} from './kit/history-event.ts';
import { once } from './kit/once.ts';
import type { Manifest } from './subsystem.ts';
import { subsystems } from './subsystems.ts';

const manifests: readonly Manifest[] = subsystems;

/** Every actor that the history watches, and what of it is kept. */
export const historyRows: readonly HistoryRow<ActorId>[] = manifests.flatMap(({ history }) => history ?? []);

/** What entries can say, by what they are about: what is watched, and what the agent itself reports. */
export const historyWords: readonly HistoryKind[] = [
  ...manifests.flatMap(({ agentHistory }) => agentHistory ?? []),
  ...historyRows,
];

/** How each kind is shown, by its name. */
export const historyTopics: ReadonlyMap<string, HistoryTopic> = new Map(
  manifests.flatMap(({ historyKinds: own = [] }) => own.map((topic) => [topic.kind, topic])),
);

/** What the entries of the kinds that are declared can be narrowed down to. */
export const offeredAbouts: readonly HistoryAbout[] = historyAbouts.filter((about) =>
  [...historyTopics.values()].some((topic) => topic.about === about),
);

/** What entries can be about. */
export const historyKinds: readonly string[] = [...new Set(historyWords.map(({ kind }) => kind))];

/** One entry as `/api/v1/history` serves it. */
export const HistoryEntryStatus = once(() => historyEntryStatus(historyKinds));

/** Kinds of which each single time matters to the owner, so that none is gathered. */
export const singleKinds: ReadonlySet<string> = new Set(
  historyWords.filter(({ single }) => single === true).map(({ kind }) => kind),
);
