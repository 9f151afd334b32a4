import type { ClientHello, ClientMessage, PairingStep } from '#machines/companion/events.ts';
import type { JsonBounds } from '#machines/kit/json-excess.ts';
import type { Milliseconds } from '#machines/kit/units.ts';

/** What both ends keep to (`machines/companion/wire.ts`). */
export interface WireRules {
  /** Oldest and newest protocol. */
  readonly protocol: readonly [number, number];
  /** Begins the prologue of each handshake. */
  readonly prologue: string;
  /** Number of the channel for JSON. */
  readonly json: number;
  readonly limits: {
    readonly greetingBytes: number;
    readonly messageBytes: number;
    readonly unsentBytes: number;
    readonly unprovenOfPeer: number;
    readonly unprovenOfNetwork: number;
    readonly unproven: number;
    readonly handshakesPerSecond: number;
    readonly keys: number;
  };
  readonly times: {
    readonly proof: Milliseconds;
    readonly question: Milliseconds;
    readonly ping: Milliseconds;
    readonly silence: Milliseconds;
  };
}

/** A schema of `machines/companion/messages.ts`. */
interface Schema<T> {
  readonly safeParse: (value: unknown) => { readonly success: true; readonly data: T } | { readonly success: false };
}

/** Schemas of what Home Assistant sends, made at first use. */
export interface WireSchemas {
  readonly hello: () => Schema<ClientHello>;
  readonly step: () => Schema<PairingStep>;
  readonly message: () => Schema<ClientMessage>;
}

/** A greeting or a step of pairing: a dozen values, and room for a later protocol. */
export const plainBounds: JsonBounds = { depth: 8, tokens: 256 };
/** A message of a session: the largest known is a light's wish; later ones may carry a list. */
export const sealedBounds: JsonBounds = { depth: 16, tokens: 10_000 };
