import type { OwnDevice } from '../home-assistant/events.ts';
import type { Verdict } from '../kit/verdict.ts';

/** What may speak for or against a Home Assistant that is there; words of the status document. */
export const evidenceCodes = [
  /** The panel's own connection is live; `socket-refused`: Home Assistant answered and did not take the sign-in. */
  'socket-live',
  'socket-refused',
  /** It was lost or refused; `socket-silent` where nothing answers on it. */
  'socket-lost',
  'socket-silent',
  /** Home Assistant itself says that it stops or starts. */
  'says-stopping',
  'says-starting',
  /** The page of the dashboard is connected; it is not, and Home Assistant does not answer a probe either. */
  'page-connected',
  'page-away',
  /** The newest answer to the sign-in, or its absence. */
  'sign-in-answered',
  'sign-in-unanswered',
  /** Its birth and will message at the broker. */
  'broker-birth',
  'broker-will',
  /** The panel's own entities, looked up over the connection. */
  'entities-shown',
  'entities-missing',
] as const;

/** One of them. */
export type Evidence = (typeof evidenceCodes)[number];

/** Whether Home Assistant is there. */
export const presenceStates = [
  /** Nothing is known: no sign-in, and nothing was heard at the broker. */
  'unknown',
  'there',
  /** It says so itself; for a while that is no fault. */
  'restarting',
  'gone',
] as const;

/** One of them. */
export type PresenceState = (typeof presenceStates)[number];

/** What is followed of the other parts. */
export interface PresenceFacts {
  /** The connection to Home Assistant; `absent` while nothing needs it. */
  readonly socket: 'absent' | 'connecting' | 'live' | 'reconnecting' | 'refused';
  /** Stable code of why it is not live; null without a failure. */
  readonly failure: string | null;
  /** Home Assistant's own word on itself. */
  readonly lifecycle: 'stopping' | 'starting' | null;
  /** The dashboard's page; null without one that the panel can look into. */
  readonly page: 'connected' | 'away' | null;
  readonly signedIn: boolean;
  /** True if Home Assistant answered the sign-in last; null before the first answer. */
  readonly answers: boolean | null;
  /** What the path probe says of the way to it; null where that is not known. */
  readonly path: 'healthy' | 'warning' | 'severe' | null;
  /** The newest message of Home Assistant at the broker in this connection; null before one. */
  readonly broker: 'birth' | 'will' | null;
  /** What the publisher says of itself; null while there is none. */
  readonly publishing: {
    readonly verdict: Verdict;
    /** True if the entities are announced: only then can they be shown. */
    readonly announced: boolean;
    readonly entities: number;
  } | null;
}

/** What a lookup of the panel's own entities came to. */
export const entityLookups = [
  'shown',
  'missing',
  'integration-disabled',
  'waits-for-password',
  'no-integration',
  'device-disabled',
] as const;

/** One of them. */
export type EntityLookup = (typeof entityLookups)[number];

/** An entity of this panel that Home Assistant shows. */
export interface FoundEntity {
  /** `light.hall_screen`: an identifier, so it stays out of status and diagnostics. */
  readonly entityId: string;
  readonly panelId: string;
}

/** Home Assistant as it is judged. */
export interface Judged {
  readonly state: PresenceState;
  readonly evidence: readonly Evidence[];
}

/** What the followers report. */
export type PresenceFact =
  | { readonly type: 'presence.observed'; readonly facts: PresenceFacts }
  /** The panel's own entities were looked up. */
  | {
      readonly type: 'presence.found';
      readonly panelId: string;
      readonly device: OwnDevice;
      readonly isCertain: boolean;
    }
  /** Nothing is known of them any more. */
  | { readonly type: 'presence.forgotten' };

/** Public facts: never an address or a name. */
export interface HomePresenceContext {
  readonly judged: Judged;
  readonly verdict: Verdict;
  /** What Home Assistant shows of this panel; null where that is not known. */
  readonly lookup: EntityLookup | null;
  /** The entity that is named to the owner; null while none is shown. */
  readonly foundEntity: FoundEntity | null;
  readonly path: PresenceFacts['path'];
}

/** What the actor of the verdict shows to the rest of the house. */
export interface HomePresenceActor {
  readonly id: 'home-presence';
  readonly context: HomePresenceContext;
  readonly event: never;
}
