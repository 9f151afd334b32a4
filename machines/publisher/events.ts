import type { EntityPlatform } from '../kit/entity.ts';
import type { OutgoingMessage, Subscription } from '../mqtt/events.ts';
import type { CommandValue } from './command.ts';
import type { Ledger } from './ledger.ts';
import type { RowShape } from './shape.ts';

/** Where the publishing of entities stands. */
export type PublisherPhase = 'waiting' | 'claiming' | 'duplicate' | 'announcing' | 'live';

/** One entity by key and platform. */
export interface EntityMark {
  readonly key: string;
  readonly platform: EntityPlatform;
}

/** Everything that shapes the announced device; a change of any part is announced again. */
export interface PublishedPanel {
  readonly panelId: string;
  readonly installId: string;
  readonly friendlyName: string;
  readonly manufacturer: string;
  readonly model: string;
  readonly version: string;
  /** Address of the panel's own pages, null while unknown. */
  readonly configurationUrl: string | null;
  /** Discovery prefix of the platform, `homeassistant` unless its owner changed it. */
  readonly prefix: string;
  /** Rows to publish: those whose capability the panel has and that are exposed. */
  readonly shapes: readonly RowShape[];
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
  readonly happened?: readonly { readonly sequence: number; readonly payload: string }[];
}

/** Facts about the link as the publisher needs them. */
export interface LinkState {
  readonly connected: boolean;
  /** Number of the connection; a new one means: publish everything again. */
  readonly session: number;
  /** Panel id that the connection was made for (its will), null before the first. */
  readonly panelId: string | null;
}

/** What the surface (the wiring to registry and link) reports. */
export type SurfaceFact =
  | { readonly type: 'panel.changed'; readonly panel: PublishedPanel }
  | ({ readonly type: 'link.changed' } & LinkState)
  | ({ readonly type: 'row.changed'; readonly key: string } & RowValue)
  | { readonly type: 'broker.message'; readonly topic: string; readonly payload: string; readonly retained: boolean }
  /** A well-formed command was not carried out, with a stable reason. */
  | { readonly type: 'command.refused'; readonly key: string; readonly reason: string };

/** What the surface is told. */
export type SurfaceCommand =
  | { readonly type: 'surface.publish'; readonly messages: readonly OutgoingMessage[] }
  | ({ readonly type: 'surface.subscribe' } & Required<Subscription>)
  | { readonly type: 'surface.command'; readonly key: string; readonly value: CommandValue }
  /** A command was refused: the true state goes out again, and the first refusal of its kind is logged. */
  | {
      readonly type: 'surface.refuse';
      readonly key: string;
      readonly reason: string;
      readonly first: boolean;
      readonly messages: readonly OutgoingMessage[];
    };

export type PublisherEvent = SurfaceFact | { readonly type: 'publisher.stop' };

/** Public facts of the publisher. */
export interface PublisherContext {
  readonly phase: PublisherPhase;
  /** Entities in the announced device. */
  readonly announced: readonly EntityMark[];
  /** Rows left out because their payload was refused by the check before sending, with the reason. */
  readonly refused: Readonly<Record<string, string>>;
  /** Entities of earlier shapes that are still to be swept from the platform. */
  readonly ghosts: number;
  /** Whether the platform's birth message was seen in this connection. */
  readonly platformSeen: boolean;
  /**
   * True when somebody removed the device at the platform; it is announced again under another name, or once the
   * publisher has started again.
   */
  readonly removedElsewhere: boolean;
  /** One sentence that says what to do; null when nothing is wrong. */
  readonly advice: string | null;
  /** Commands refused since the start. */
  readonly refusedCommands: number;
  /** Why what was announced could not be remembered; null after a good commit. */
  readonly ledgerFault: string | null;
}

/** What the publisher remembers across restarts; one part of the durable document. */
export type { Ledger };

/** What the actor of the publisher of entities shows to the rest of the house. */
export interface PublisherActor {
  readonly id: 'publisher';
  readonly context: PublisherContext;
  readonly event: Exclude<PublisherEvent, SurfaceFact>;
}
