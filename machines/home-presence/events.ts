import type { OwnDevice } from '../home-assistant/events.ts';
import type { Verdict } from '../kit/verdict.ts';

/** Evidence for or against the presence of Home Assistant; values in the status document. */
export const evidenceCodes = [
  /** The panel's own connection is live; `socket-refused`: Home Assistant answered but refused the sign-in. */
  'socket-live',
  'socket-refused',
  /** It was lost or failed; `socket-silent`: nothing answers on it. */
  'socket-lost',
  'socket-silent',
  /** The session of its own integration is open, or was lost. */
  'session-live',
  'session-lost',
  /** Home Assistant itself reports that it stops or starts. */
  'says-stopping',
  'says-starting',
  /** The dashboard's page is connected; `page-away`: it is not, and Home Assistant does not answer a probe either. */
  'page-connected',
  'page-away',
  /** The latest sign-in request was answered, or not. */
  'sign-in-answered',
  'sign-in-unanswered',
  /** Its birth or will message at the broker. */
  'broker-birth',
  'broker-will',
  /** The panel's own entities, looked up over the connection. */
  'entities-shown',
  'entities-missing',
] as const;

export type Evidence = (typeof evidenceCodes)[number];

/** The presence of Home Assistant. */
export const presenceStates = [
  /** Nothing is known: no sign-in, and no message at the broker. */
  'unknown',
  'there',
  /** It announced a restart; for a while that is no fault. */
  'restarting',
  'gone',
] as const;

export type PresenceState = (typeof presenceStates)[number];

/** Facts from the other parts. */
export interface PresenceFacts {
  /** The connection to Home Assistant; `absent` while nothing needs it. */
  readonly socket: 'absent' | 'connecting' | 'live' | 'reconnecting' | 'refused';
  /** Stable code of why it is not live; null without a failure. */
  readonly failure: string | null;
  /** The state that Home Assistant itself reports. */
  readonly lifecycle: 'stopping' | 'starting' | null;
  /** The dashboard's page; null without one that the panel can inspect. */
  readonly page: 'connected' | 'away' | null;
  readonly signedIn: boolean;
  /** True if Home Assistant answered the latest sign-in request; null before the first. */
  readonly answers: boolean | null;
  /** Verdict of the path probe; null while unknown. */
  readonly path: 'healthy' | 'warning' | 'severe' | null;
  /** Home Assistant's newest message at the broker in this connection; null before one. */
  readonly broker: 'birth' | 'will' | null;
  /** The state of the publisher; null while there is none. */
  readonly publishing: {
    readonly verdict: Verdict;
    /** True if the entities are announced; before that they cannot be shown. */
    readonly announced: boolean;
    readonly entities: number;
  } | null;
  /**
   * The session of its own integration, which has `entities` of this panel; absent where the entities go through the
   * broker. `awaited` before the first one.
   */
  readonly session?: { readonly state: 'awaited' | 'live' | 'lost'; readonly entities: number };
}

/** Results of a lookup of the panel's own entities. */
export const entityLookups = [
  'shown',
  'missing',
  'integration-disabled',
  'waits-for-password',
  'no-integration',
  'device-disabled',
] as const;

export type EntityLookup = (typeof entityLookups)[number];

/** An entity of this panel that Home Assistant shows. */
export interface FoundEntity {
  /** `light.hall_screen`: an identifier, so it is kept out of status and diagnostics. */
  readonly entityId: string;
  readonly panelId: string;
  /** Its device's id in Home Assistant; null while unknown. */
  readonly deviceId: string | null;
}

/** The presence of Home Assistant, with its evidence. */
export interface Judged {
  readonly state: PresenceState;
  readonly evidence: readonly Evidence[];
}

/** Facts from the followers. */
export type PresenceFact =
  | { readonly type: 'presence.observed'; readonly facts: PresenceFacts }
  /** The panel's own entities were looked up. */
  | {
      readonly type: 'presence.found';
      readonly panelId: string;
      readonly device: OwnDevice;
      readonly isCertain: boolean;
    }
  /** The result of the lookup is no longer valid. */
  | { readonly type: 'presence.forgotten' };

/** Public facts: never an address or a name. */
export interface HomePresenceContext {
  readonly judged: Judged;
  readonly verdict: Verdict;
  /** What Home Assistant shows of this panel; null while unknown. */
  readonly lookup: EntityLookup | null;
  /** The entity to name to the owner; null while none is shown. */
  readonly foundEntity: FoundEntity | null;
  readonly path: PresenceFacts['path'];
}

export interface HomePresenceActor {
  readonly id: 'home-presence';
  readonly context: HomePresenceContext;
  readonly event: never;
}
