import type { EntityPanel } from '../entities/panel.ts';
import type { RowShape } from '../entities/shape.ts';
import type { EntityKind } from '../kit/entity.ts';
import type { OutgoingMessage, Subscription } from '../mqtt/events.ts';

/** Where the publishing of entities stands. */
export type PublisherPhase = 'waiting' | 'claiming' | 'duplicate' | 'announcing' | 'live' | 'withdrawn';

/** One entity by key and kind. */
export interface EntityMark {
  readonly key: string;
  readonly entityKind: EntityKind;
}

/** Everything that shapes the announced device; a change of any part is announced again. */
export interface PublishedPanel extends EntityPanel {
  /** Discovery prefix of Home Assistant, `homeassistant` unless its owner changed it. */
  readonly prefix: string;
}

/** What a row says now, as it travels. */
export interface RowValue {
  /** Payload of the state topic; null where there is nothing to say. */
  readonly state: string | null;
  readonly available: boolean;
  /** Payload of the attributes topic; null where the row has none. */
  readonly attributes: string | null;
  /**
   * Payloads of what happened lately, oldest first; only an event row has them. They leave once and are never repeated.
   */
  readonly occurrences?: readonly { readonly sequence: number; readonly payload: string }[];
}

/** Facts about the link as the publisher needs them. */
export interface LinkState {
  readonly connected: boolean;
  /** Number of the connection; a new one means: publish everything again. */
  readonly session: number;
  /** Panel id that the connection was made for (its will), null before the first. */
  readonly panelId: string | null;
}

/** What a message from the broker that is no command means; each is classified once, where it comes in. */
export type IncomingEvent =
  /** The sync token is back: everything retained has arrived before it. */
  | { readonly type: 'sync.returned' }
  /** The retained owner of this or of an earlier panel id; empty where there is none. */
  | { readonly type: 'owner.changed'; readonly panelId: string; readonly owner: string }
  /** The status of a machine under this panel id, by the first eight digits of its install id. */
  | { readonly type: 'status.changed'; readonly install: string; readonly status: string }
  /** This machine is said to be away although it is here: a late will of its last connection. */
  | { readonly type: 'own-status.lost' }
  /** Home Assistant's birth message, sent now and not replayed. */
  | { readonly type: 'homeAssistant.born' }
  /** Home Assistant's will, or anything else that is no birth message; `now` for a will that was not replayed. */
  | { readonly type: 'homeAssistant.left'; readonly now: boolean }
  /** The discovery topic of this panel was emptied: its owner removed the device at Home Assistant. */
  | { readonly type: 'device.removed' };

/** What the registry bridge reports: the wiring between the publisher, the rows' actors and the link. */
export type BridgeFact =
  | { readonly type: 'panel.changed'; readonly panel: PublishedPanel }
  | ({ readonly type: 'link.changed' } & LinkState)
  | IncomingEvent
  /** A command was not carried out. */
  | { readonly type: 'command.refused' };

/** What the registry bridge is told. */
export type BridgeCommand =
  | { readonly type: 'bridge.publish'; readonly messages: readonly OutgoingMessage[] }
  | ({ readonly type: 'bridge.subscribe' } & Required<Subscription>)
  /**
   * From now on the rows of these shapes are the panel's: what changes in them is published at once, and what they are
   * commanded is carried out, past the publisher's machine.
   */
  | { readonly type: 'bridge.serve'; readonly panelId: string; readonly shapes: readonly RowShape[] }
  /** Publishes what every row that is served says now. */
  | { readonly type: 'bridge.publish-rows' }
  /** The rows are not the panel's any more: nothing of them leaves, and no command is carried out. */
  | { readonly type: 'bridge.silence' };

/** What came of withdrawing the panel's entities from Home Assistant. */
export type WithdrawOutcome =
  /** Their discovery topics are empty, and the broker has taken that. */
  | { readonly status: 'withdrawn'; readonly entities: number }
  /** This machine has announced nothing that is still there. */
  | { readonly status: 'nothing' }
  /**
   * They are still there, or may be. `away`: the broker is not connected. `busy`: who owns the panel id is not known
   * yet. `silent`: the broker did not acknowledge it in time.
   */
  | {
      readonly status: 'left';
      readonly reason: 'away' | 'busy' | 'silent';
      readonly entities: number;
      /** The discovery topics that they stand under. */
      readonly topics: readonly string[];
    };

/** What may be asked of the publisher. */
export type PublisherRequest =
  /**
   * Withdraws every entity from Home Assistant, and says nothing more of the panel until it is released, 30 s at most.
   * One `reply` with a `WithdrawOutcome`.
   */
  | { readonly type: 'publisher.withdraw'; readonly requestId: string }
  /** What was withdrawn is announced again. */
  | { readonly type: 'publisher.release' };

/** Everything that reaches the publisher. */
export type PublisherEvent = BridgeFact | PublisherRequest;

/** Home Assistant said at the broker that it is there, or that it is not; never a message that was replayed. */
export interface HomeAssistantSaid {
  readonly type: 'homeAssistant.said';
  readonly online: boolean;
}

/** Public facts of the publisher; its phase is derived from its state (`phase.ts`). */
export interface PublisherContext {
  /** Entities in the announced device. */
  readonly announced: readonly EntityMark[];
  /** Rows left out because their payload was refused by the check before sending, with the reason. */
  readonly refused: Readonly<Record<string, string>>;
  /** Orphaned entities: those of earlier shapes that were not yet swept from a Home Assistant known to be running. */
  readonly orphans: number;
  /** Those of them that were not swept at all; the others are swept once more when Home Assistant starts. */
  readonly due: number;
  /** Whether Home Assistant's birth message was seen in this connection. */
  readonly homeAssistantDetected: boolean;
  /** Whether its will came in this connection, and no birth message since. */
  readonly homeAssistantLeft: boolean;
  /**
   * True when somebody removed the device at Home Assistant; it is announced again under another name, or once the
   * publisher has started again.
   */
  readonly removedElsewhere: boolean;
  /** One sentence that says what to do; null when nothing is wrong. */
  readonly advice: string | null;
  /** Commands refused since the start. */
  readonly refusedCommands: number;
  /** Why what was announced could not be remembered; null after a good commit. */
  readonly storeFault: string | null;
}

/** What the actor of the publisher of entities shows to the rest of the house. */
export interface PublisherActor {
  readonly id: 'publisher';
  readonly context: PublisherContext;
  readonly event: PublisherRequest;
  readonly asks: { readonly 'publisher.withdraw': WithdrawOutcome };
  readonly emitted: HomeAssistantSaid;
}
