import { reasons, type Reason, type Topic } from './events.ts';

/** Most watchers at a time, and most topics of each. */
export const WATCHERS = 16;
export const TOPICS_PER_WATCHER = 8;

/** The same key for the same topic. */
function topicKey(topic: Topic): string {
  if (topic.kind === 'entity') return `entity:${topic.entityId}`;
  if (topic.kind === 'light-history') return `light-history:${topic.days}:${topic.entityId}`;
  if (topic.kind === 'states') return `states:${topic.entityIds.join()}`;
  if (topic.kind === 'area-presence') return `area-presence:${topic.identifier}`;
  if (topic.kind === 'state-history') return `state-history:${topic.from}:${topic.to}:${topic.entityIds.join()}`;
  return topic.kind === 'dashboard' ? `dashboard:${topic.path}` : topic.kind;
}

/** True if a topic is about states of entities, and not about what Home Assistant keeps in its registries. */
const isOfEntities = ({ kind }: Topic): boolean => kind === 'entity' || kind === 'states';

/** All watched topics, each once. */
export const watchedTopics = (watches: Readonly<Record<string, readonly Topic[]>>): readonly Topic[] => [
  ...new Map(
    Object.values(watches)
      .flat()
      .map((topic) => [topicKey(topic), topic]),
  ).values(),
];

/** Those of `topics` that are watched. */
export function watchedOf(
  watches: Readonly<Record<string, readonly Topic[]>>,
  topics: readonly Topic[],
): readonly Topic[] {
  const keys = new Set(Object.values(watches).flat().map(topicKey));
  return topics.filter((topic) => keys.has(topicKey(topic)));
}

/** The current reasons, in the order of `reasons`; without any, no connection is held. */
export function reasonsOf(needs: {
  /** True if restarts of Home Assistant are watched, for the dashboard that the panel shows. */
  readonly lifecycle: boolean;
  readonly watches: Readonly<Record<string, readonly Topic[]>>;
  /** Requests that wait for an answer. */
  readonly requests: number;
}): readonly Reason[] {
  const topics = Object.values(needs.watches).flat();
  const holds: Readonly<Record<Reason, boolean>> = {
    lifecycle: needs.lifecycle,
    registry: topics.some((topic) => !isOfEntities(topic)),
    entity: topics.some(isOfEntities),
    request: needs.requests > 0,
  };
  return reasons.filter((reason) => holds[reason]);
}
