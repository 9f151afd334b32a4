/** Where the publishing of entities stands. */
export type PublisherPhase = 'waiting' | 'claiming' | 'duplicate' | 'announcing' | 'live';

/** Public facts of the publisher. */
export interface PublisherContext {
  readonly phase: PublisherPhase;
  /** Entities in the announced device. */
  readonly announced: readonly { readonly key: string; readonly platform: string }[];
  /** Rows left out because their payload was refused by the check before sending, with the reason. */
  readonly refused: Readonly<Record<string, string>>;
  /** Entities of earlier shapes that are still to be swept from the platform. */
  readonly ghosts: number;
  /** Whether the platform's birth message was seen in this connection. */
  readonly platformSeen: boolean;
}
