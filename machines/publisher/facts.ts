import type { RowShape } from '../entities/shape.ts';
import type { Stage } from './announcement.ts';
import type { LinkState, PublishedPanel, PublisherContext } from './events.ts';
import { nothingAnnounced, type AnnouncedEntities } from './announced.ts';

/** Facts of the publisher with what it works on; other rooms see the public part. */
export interface PublisherFacts extends PublisherContext {
  readonly panel: PublishedPanel | null;
  readonly link: LinkState;
  /** Rows in the announced device. */
  readonly shapes: readonly RowShape[];
  /** What was ever announced and is not yet swept for certain. */
  readonly remembered: AnnouncedEntities;
  /** The same as it was last persisted; null before it was read. */
  readonly persisted: AnnouncedEntities | null;
  /** Steps of the announcement that are still to come. */
  readonly stages: readonly Stage[];
  /** Whether Home Assistant was known to be running when the announcement began. */
  readonly certain: boolean;
  /** Retained owners by panel id, of this and of earlier panel ids. */
  readonly owners: Readonly<Record<string, string>>;
  /** Status of the machines under this panel id, by the first eight digits of their install id. */
  readonly statuses: Readonly<Record<string, string>>;
  /** Whether Home Assistant was born while an announcement was under way. */
  readonly unansweredBirth: boolean;
  /** The withdrawal that is under way: who asked for it, and what it withdraws; null while none is. */
  readonly withdrawing: {
    readonly requestId: string;
    readonly entities: number;
    readonly topics: readonly string[];
  } | null;
}

/** The facts before anything is known. */
export const initialFacts: PublisherFacts = {
  announced: [],
  refused: {},
  orphans: 0,
  due: 0,
  homeAssistantDetected: false,
  homeAssistantLeft: false,
  removedElsewhere: false,
  advice: null,
  refusedCommands: 0,
  storeFault: null,
  panel: null,
  link: { connected: false, session: 0, panelId: null },
  shapes: [],
  remembered: nothingAnnounced,
  persisted: null,
  stages: [],
  certain: false,
  owners: {},
  statuses: {},
  unansweredBirth: false,
  withdrawing: null,
};
