import type { ReplyEvent } from '../kit/outcome.ts';
import type { EpochMs, Milliseconds } from '../kit/units.ts';
import type { RouteFamily } from '../path-probe/events.ts';
import type { Lifecycle, Running } from './lifecycle.ts';
import type { PathSample } from './network.ts';

/** What may be read of Home Assistant, once or as long as somebody watches it. */
export type Topic =
  | { readonly kind: 'areas' }
  | { readonly kind: 'dashboards' }
  | { readonly kind: 'entities' }
  | { readonly kind: 'devices' }
  | { readonly kind: 'floors' }
  /** The user whose credential the panel has. */
  | { readonly kind: 'account' }
  /** The id of every entity that has a state. */
  | { readonly kind: 'entity-ids' }
  /** The ids in the preferences of the energy dashboard. */
  | { readonly kind: 'energy' }
  /** What a dashboard is made of, by the first part of its path; "" is the one that the start page leads to. */
  | { readonly kind: 'dashboard'; readonly path: string }
  /** One entity's state, `light.hall`. */
  | { readonly kind: 'entity'; readonly entityId: string }
  /** The device announced over MQTT under this identifier; `known` are entities of it from an earlier answer. */
  | { readonly kind: 'own-device'; readonly identifier: string; readonly known: readonly string[] };

/** A row of the area registry. */
export interface Area {
  readonly id: string;
  readonly name: string;
  readonly floorId: string | null;
  readonly labels: readonly string[];
}

/** A row of the floor registry. */
export interface Floor {
  readonly id: string;
}

/** A dashboard that the sidebar of Home Assistant may show. */
export interface Dashboard {
  /** First part of its path, `lovelace` or `kitchen-panel`. */
  readonly path: string;
  readonly title: string;
}

/** A row of the entity registry. */
export interface RegisteredEntity {
  readonly entityId: string;
  readonly areaId: string | null;
  readonly deviceId: string | null;
  readonly labels: readonly string[];
}

/** A row of the device registry. */
export interface Device {
  readonly id: string;
  readonly areaId: string | null;
  /** `[domain, id]` pairs, `["mqtt", "sconce_hall"]`. */
  readonly identifiers: readonly (readonly [string, string])[];
  readonly labels: readonly string[];
}

/** An entity's state: its text of at most 255 characters (Home Assistant's own bound); null while there is none. */
interface EntityState {
  readonly state: string | null;
  readonly deviceClass: string | null;
  readonly unit: string | null;
}

/** What Home Assistant shows of a device that was announced over MQTT. */
export interface OwnDevice {
  readonly kind: 'own-device';
  /** `sconce_hall`. */
  readonly identifier: string;
  /** `live`: an entity of it has a state other than `unavailable`. `absent`: it is not in the registry. */
  readonly state: 'live' | 'unavailable' | 'disabled' | 'absent';
  /** Its entities that are not disabled, those with a live state first; or those that were known and are live. */
  readonly entityIds: readonly string[];
  /** The MQTT integration, as far as it explains the state; `absent` where none was loaded. */
  readonly integration: 'present' | 'disabled' | 'waits-for-password' | 'absent';
}

/** What was read of a topic: the whole of it each time. */
export type Reading =
  | OwnDevice
  | { readonly kind: 'areas'; readonly areas: readonly Area[] }
  | { readonly kind: 'dashboards'; readonly dashboards: readonly Dashboard[] }
  | { readonly kind: 'entities'; readonly entities: readonly RegisteredEntity[] }
  | { readonly kind: 'devices'; readonly devices: readonly Device[] }
  | { readonly kind: 'floors'; readonly floors: readonly Floor[] }
  | { readonly kind: 'account'; readonly userId: string }
  | { readonly kind: 'entity-ids'; readonly entityIds: readonly string[] }
  | { readonly kind: 'energy'; readonly entityIds: readonly string[] }
  | {
      readonly kind: 'dashboard';
      /** Its own, also where that of the start page was asked for. */
      readonly path: string;
      /** `stored`: with its configuration. `generated`: made by Home Assistant. `other`: it is no dashboard. */
      readonly origin: 'stored' | 'generated' | 'other';
      /** As Home Assistant keeps it, at most 4,000,000 characters; null where it is not stored. */
      readonly configuration: unknown;
    }
  | ({ readonly kind: 'entity'; readonly entityId: string } & EntityState);

/** What Home Assistant sent of the states of some entities, once it had sent all of them. */
export interface TrafficSample {
  /** Messages, and their bytes; a page lets Home Assistant put several into one frame. */
  readonly frames: number;
  readonly bytes: number;
  /** How long they were counted. */
  readonly ms: Milliseconds;
}

/** Why a connection to Home Assistant is needed; words of the status document. */
export const reasons = ['lifecycle', 'registry', 'entity', 'request'] as const;
export type Reason = (typeof reasons)[number];

/** How Home Assistant sent more than a panel takes; the machine stays away from it for a while. */
export type ExcessCode = 'message-too-large' | 'message-too-deep' | 'message-too-many' | 'message-flood';

/** What is kept durably of a Home Assistant that sent too much. */
export interface Excess {
  readonly code: ExcessCode;
  /** Times in a row. */
  readonly count: number;
  /** When it is tried again. */
  readonly until: EpochMs;
}

/** What one connection is made with. */
export interface ConnectionInput {
  /** Number of the attempt; every fact carries it, so that a late one is recognised. */
  readonly generation: number;
  /** True if a token is asked for that is newer than the one that was just refused. */
  readonly forceToken: boolean;
}

/** What the driver of one connection is told. */
export type ConnectionCommand =
  /** Watch exactly these; what was watched and is not among them no longer is. */
  | { readonly type: 'socket.watch'; readonly topics: readonly Topic[] }
  /** Read out again these, which are watched already. */
  | { readonly type: 'socket.renew'; readonly topics: readonly Topic[] }
  /** Read one topic once; answered by one `socket.answered`. */
  | { readonly type: 'socket.read'; readonly requestId: string; readonly topic: Topic }
  /**
   * Count what comes of the states of these entities, of all for null; answered by one `socket.sampled`. No longer than
   * 30 s, and one at a time.
   */
  | {
      readonly type: 'socket.sample';
      readonly requestId: string;
      readonly entityIds: readonly string[] | null;
      readonly ms: Milliseconds;
    }
  /** Ask Home Assistant whether it is running; answered by `socket.running`, or by nothing. */
  | { readonly type: 'socket.ask-running' };

/** What the driver of one connection reports: `generation` as in its input, `at` on a clock that nobody sets. */
export type ConnectionFact =
  | {
      readonly type: 'socket.live';
      readonly generation: number;
      readonly at: Milliseconds;
      readonly running: Running;
      /** True if Home Assistant tells this account of its events: administrators alone. */
      readonly hearsEvents: boolean;
      readonly family: RouteFamily;
    }
  | {
      readonly type: 'socket.ended';
      readonly generation: number;
      /** `auth-invalid`, `no-answer`, `not-let-in`, `closed-in-order`, `closed`, else the system's; never a message. */
      readonly code: string;
      readonly at: Milliseconds;
    }
  /** The connection was ended because more came over it than is read. */
  | {
      readonly type: 'socket.overrun';
      readonly generation: number;
      readonly code: ExcessCode;
      readonly at: Milliseconds;
      readonly moment: EpochMs;
    }
  /**
   * One ping: `answeredMs` is its round trip, null where no answer came until the next was due. `otherFrames` says
   * whether anything else came meanwhile: a late answer to an earlier one, a ping of the server, a part of a message.
   */
  | {
      readonly type: 'socket.probed';
      readonly generation: number;
      readonly answeredMs: Milliseconds | null;
      readonly otherFrames: boolean;
      readonly at: Milliseconds;
    }
  | { readonly type: 'socket.running'; readonly generation: number; readonly running: Running }
  /** Home Assistant sent the event that it stops, starts or has started. */
  | {
      readonly type: 'socket.notice';
      readonly generation: number;
      readonly notice: 'stopping' | 'starting' | 'started';
    }
  | { readonly type: 'socket.read-out'; readonly generation: number; readonly reading: Reading }
  | {
      readonly type: 'socket.answered';
      readonly generation: number;
      readonly requestId: string;
      /** Null where Home Assistant refused it, answered with something else or not in time. */
      readonly reading: Reading | null;
    }
  | {
      readonly type: 'socket.sampled';
      readonly generation: number;
      readonly requestId: string;
      /** Null where Home Assistant refused it or did not begin in time, or another sample runs. */
      readonly sample: TrafficSample | null;
    };

/** What the followers of other parts report. */
export type NeedsFact =
  | {
      readonly type: 'needs.changed';
      /** True if there is a credential that was not refused. */
      readonly credential: boolean;
      /** Raised whenever another credential is in force. */
      readonly revision: number;
      /** True if the built-in renderer shows the dashboard (contract, "Health line", `ha`). */
      readonly lifecycle: boolean;
    }
  /** The will or the birth message of Home Assistant came from the broker. */
  | { readonly type: 'will.observed'; readonly online: boolean };

/** What the store of a Home Assistant that sent too much is told: what to keep. */
export interface ExcessCommand {
  readonly type: 'excess.keep';
  readonly excess: Excess;
}

/** What it reports: at the start, and when the address of Home Assistant is another one, for which nothing is kept. */
export interface ExcessFact {
  readonly type: 'excess.recalled';
  readonly excess: Excess | null;
}

/** Why a request to Home Assistant has no answer. */
export interface Unanswered {
  readonly ok: false;
  /** `signed-out`: no credential, or a refused one. `busy`: too many wait already, or another sample runs. */
  readonly reason: 'signed-out' | 'unreachable' | 'busy';
}
/** Answer to `home-assistant.read`; `no-answer` where Home Assistant refused it or did not tell it in time. */
export type ReadOutcome =
  | { readonly ok: true; readonly reading: Reading }
  | Unanswered
  | { readonly ok: false; readonly reason: 'no-answer' };
/** Answer to `home-assistant.sample`. */
export type SampleOutcome = { readonly ok: true; readonly sample: TrafficSample } | Unanswered;

/** What may be told to the connection to Home Assistant (registry id `home-assistant`). */
export type HomeAssistantEvent =
  /**
   * `watcher` wants these topics from now on, in the place of what it wanted before; an empty list ends that. Each is
   * emitted as `home-assistant.read-out` at once, also where it is watched already, after each change, and anew with
   * every connection.
   */
  | { readonly type: 'home-assistant.watch'; readonly watcher: string; readonly topics: readonly Topic[] }
  /** Reads one topic once. Answer: `ReadOutcome`. */
  | { readonly type: 'home-assistant.read'; readonly requestId: string; readonly topic: Topic }
  /**
   * Counts for `ms`, at most 30,000, what Home Assistant sends of these entities' states, of all for null. Answer:
   * `SampleOutcome`.
   */
  | {
      readonly type: 'home-assistant.sample';
      readonly requestId: string;
      readonly entityIds: readonly string[] | null;
      readonly ms: Milliseconds;
    }
  /** Tries a Home Assistant again at once that is left alone because it sent too much. */
  | { readonly type: 'home-assistant.retry' };

/** What it emits for whoever watches. */
export type HomeAssistantEmitted = { readonly type: 'home-assistant.read-out'; readonly reading: Reading };

/** Every event of the machine. */
export type HomeAssistantMachineEvent = HomeAssistantEvent | ConnectionFact | NeedsFact | ExcessFact;

/** All that the machine emits. */
export type HomeAssistantMachineEmitted = HomeAssistantEmitted | ReplyEvent<ReadOutcome | SampleOutcome>;

/** Public facts of the connection: no address, no token, no name. */
export interface HomeAssistantContext {
  /** What was observed of the way to Home Assistant in the last five minutes, of a connection that is held. */
  readonly samples: readonly PathSample[];
  /** When a ping was answered last, on the clock of the samples; null before the first. */
  readonly lastAnsweredAt: Milliseconds | null;
  /** When the connection was made, or a ping of it came to an end, whichever is later; null before the first. */
  readonly lastProbedAt: Milliseconds | null;
  /** True if the connection was live since it is needed: then a lost one is being made again. */
  readonly established: boolean;
  /** True for the first three minutes of the agent: what is observed then is discarded, and no verdict is formed. */
  readonly settling: boolean;
  /** Null while restarts are not watched, and until Home Assistant has answered once. */
  readonly lifecycle: Lifecycle | null;
  readonly reasons: readonly Reason[];
  /** The connection that is live: a number of its own and its address family; null without one. */
  readonly route: { readonly number: number; readonly family: RouteFamily } | null;
  /** Pings without an answer since the agent started: each is an occasion to probe the path. */
  readonly missed: number;
  /** Connections that ended, or were not let in, since the agent started: the credential may be revoked. */
  readonly doubts: number;
  /** Stable code of the last failure; null while it is live. */
  readonly failure: string | null;
  /** What Home Assistant sent too much of last; null where it never did. */
  readonly excess: Excess | null;
  /** True if it is left alone because of that, until a time that may have passed while nothing needed it. */
  readonly isParked: boolean;
}

/** What the actor of the connection shows to the rest of the house. */
export interface HomeAssistantActor {
  readonly id: 'home-assistant';
  readonly context: HomeAssistantContext;
  readonly event: HomeAssistantEvent;
  readonly asks: { readonly 'home-assistant.read': ReadOutcome; readonly 'home-assistant.sample': SampleOutcome };
  readonly emitted: HomeAssistantEmitted;
}
