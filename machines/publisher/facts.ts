import type { RowShape } from '../entities/shape.ts';
import type { Stage } from './announcement.ts';
import type { LinkState, PublishedPanel, PublisherContext } from './events.ts';
import { nothingAnnounced, type AnnouncedEntities } from './announced.ts';

/** Context of the publisher's machine; other rooms see only the public part. */
export interface PublisherFacts extends PublisherContext {
  readonly panel: PublishedPanel | null;
  readonly link: LinkState;
  readonly shapes: readonly RowShape[];
  /** Everything ever announced and not yet swept for certain. */
  readonly remembered: AnnouncedEntities;
  /** `remembered` as last persisted; null before it was read. */
  readonly persisted: AnnouncedEntities | null;
  /** Remaining steps of the announcement. */
  readonly stages: readonly Stage[];
  /** True if Home Assistant was known to be running when the announcement began. */
  readonly certain: boolean;
  /** Retained owners by panel id, of this and of earlier panel ids. */
  readonly owners: Readonly<Record<string, string>>;
  /** Panel ids of other machines, gathered while a free one is to be offered. */
  readonly taken: readonly string[];
  /** Status of the machines under this panel id, by the first eight digits of their install id. */
  readonly statuses: Readonly<Record<string, string>>;
  /** True if a birth message arrived during an announcement. */
  readonly unansweredBirth: boolean;
  /** The withdrawal under way: its request and what it withdraws; null if none. */
  readonly withdrawing: {
    readonly requestId: string;
    readonly entities: number;
    readonly topics: readonly string[];
  } | null;
}

export const initialFacts: PublisherFacts = {
  announced: [],
  refused: {},
  orphans: 0,
  due: 0,
  homeAssistantDetected: false,
  homeAssistantLeft: false,
  removedElsewhere: false,
  advice: null,
  freeId: null,
  refusedCommands: 0,
  lastRefusal: null,
  storeFault: null,
  panel: null,
  link: { connected: false, session: 0, panelId: null },
  shapes: [],
  remembered: nothingAnnounced,
  persisted: null,
  stages: [],
  certain: false,
  owners: {},
  taken: [],
  statuses: {},
  unansweredBirth: false,
  withdrawing: null,
};
