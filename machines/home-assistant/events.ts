import type { ReplyEvent } from '../kit/outcome.ts';
import type { EpochMs, Milliseconds } from '../kit/units.ts';
import type { RouteFamily } from '../path-probe/events.ts';
import type { Lifecycle, Running } from './lifecycle.ts';
import type { PathSample } from './network.ts';

/** What can be read from Home Assistant, once or as a watch. */
export type Topic =
  | { readonly kind: 'areas' }
  | { readonly kind: 'dashboards' }
  | { readonly kind: 'entities' }
  | { readonly kind: 'devices' }
  | { readonly kind: 'floors' }
  /** The user of the panel's credential. */
  | { readonly kind: 'account' }
  /** The id and the friendly name of every entity that has a state. */
  | { readonly kind: 'entity-ids' }
  /** The entity ids in the preferences of the energy dashboard. */
  | { readonly kind: 'energy' }
  /** The configuration of a dashboard, by the first part of its path; "" is the default dashboard. */
  | { readonly kind: 'dashboard'; readonly path: string }
  /** The state of one entity, `light.hall`. */
  | { readonly kind: 'entity'; readonly entityId: string }
  /** The entities that measure light, for a person to choose one of. */
  | { readonly kind: 'light-sensors' }
  /** The states of these entities, at most 32; read out at most four times a second. */
  | { readonly kind: 'states'; readonly entityIds: readonly string[] }
  /** The area of the device announced over MQTT under this identifier, and the presence sensors in it. */
  | { readonly kind: 'area-presence'; readonly identifier: string }
  /** The recorded states of these entities, at most 32, between two points in time. */
  | {
      readonly kind: 'state-history';
      readonly entityIds: readonly string[];
      readonly from: EpochMs;
      readonly to: EpochMs;
    }
  /** Where the house is; rounded, for the position of the sun. */
  | { readonly kind: 'place' }
  /** The recorded light of one entity in the last `days`, 1 to 7, by the minute. */
  | { readonly kind: 'light-history'; readonly entityId: string; readonly days: number }
  /** The device announced over MQTT under this identifier; `known` are its entities from an earlier answer. */
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

/** An entity that measures light: its device class is `illuminance`, or its unit is lx. */
export interface LightSensor {
  readonly entityId: string;
  /** Its friendly name; "" without one. */
  readonly name: string;
  readonly unit: string;
  /** 0 to 100000; null while it gives no usable number. */
  readonly lux: number | null;
  /** When its state was last updated; null if that is unknown. */
  readonly updatedAt: EpochMs | null;
}

/** Mean, least and most light of some whole minutes, from the records of Home Assistant. */
export interface RecordedLight {
  /** Minutes since the Unix epoch. */
  readonly minute: number;
  /** How many minutes it covers: 1, or 5 for statistics. */
  readonly minutes: number;
  readonly mean: number;
  readonly min: number;
  readonly max: number;
}

/** State of an entity, at most 255 characters (Home Assistant's own limit); null without one. */
interface EntityState {
  readonly state: string | null;
  readonly deviceClass: string | null;
  readonly unit: string | null;
}

/** A `binary_sensor` of device class occupancy, presence or motion, neither disabled nor hidden. */
export interface PresenceSensor {
  readonly entityId: string;
  /** Id of its row in the entity registry, which a rename keeps; the entity id for one without a row. */
  readonly registryId: string;
  /** Its friendly name; "" without one. */
  readonly name: string;
}

/** The area of the panel's own device and the presence sensors in it, without the panel's own. */
export interface AreaPresence {
  readonly kind: 'area-presence';
  /** False if no such device is in the registry. */
  readonly isKnown: boolean;
  /** Null without an area. */
  readonly area: { readonly id: string; readonly name: string } | null;
  /** The first 32 by entity id. */
  readonly sensors: readonly PresenceSensor[];
  readonly total: number;
}

/** What Home Assistant shows of a device that was announced over MQTT. */
export interface OwnDevice {
  readonly kind: 'own-device';
  /** `sconce_hall`. */
  readonly identifier: string;
  /** `live`: one of its entities has a state other than `unavailable`. `absent`: it is not in the registry. */
  readonly state: 'live' | 'unavailable' | 'disabled' | 'absent';
  /** Its id in Home Assistant; null if it was not read, or there is none. */
  readonly deviceId: string | null;
  /** Its enabled entities, those with a live state first; or the known ones that are live. */
  readonly entityIds: readonly string[];
  /** The MQTT integration, if it explains the state; `absent` if none was loaded. */
  readonly integration: 'present' | 'disabled' | 'waits-for-password' | 'absent';
}

/** The value of a topic, complete each time. */
export type Reading =
  | OwnDevice
  | { readonly kind: 'areas'; readonly areas: readonly Area[] }
  | {
      readonly kind: 'dashboards';
      readonly dashboards: readonly Dashboard[];
      /** The first part of every path that this user may open, dashboard or not: `lovelace`, `energy`, `config`. */
      readonly sections: readonly string[];
    }
  | { readonly kind: 'entities'; readonly entities: readonly RegisteredEntity[] }
  | { readonly kind: 'devices'; readonly devices: readonly Device[] }
  | { readonly kind: 'floors'; readonly floors: readonly Floor[] }
  | { readonly kind: 'account'; readonly userId: string }
  | {
      readonly kind: 'entity-ids';
      readonly entityIds: readonly string[];
      /** Their friendly names in the same order; "" without one. */
      readonly names: readonly string[];
    }
  | { readonly kind: 'energy'; readonly entityIds: readonly string[] }
  | {
      readonly kind: 'dashboard';
      /** Its own path, also if the default dashboard was requested. */
      readonly path: string;
      /** `stored`: it has a configuration. `generated`: Home Assistant generates it. `other`: not a dashboard. */
      readonly origin: 'stored' | 'generated' | 'other';
      /** As stored in Home Assistant, at most 4,000,000 characters; null if it is not stored. */
      readonly configuration: unknown;
    }
  /** One for each requested entity, in their order; `state` is null for one that has none. */
  | {
      readonly kind: 'states';
      readonly states: readonly { readonly entityId: string; readonly state: string | null }[];
    }
  | AreaPresence
  /** By entity, oldest first, with the state at `from`; `isCut` if there were more than 20,000. */
  | {
      readonly kind: 'state-history';
      readonly entities: readonly {
        readonly entityId: string;
        readonly states: readonly { readonly state: string; readonly at: EpochMs }[];
      }[];
      readonly isCut: boolean;
    }
  /** At most 200, those with a usable number first. */
  | { readonly kind: 'light-sensors'; readonly sensors: readonly LightSensor[] }
  /** Degrees rounded to 0.1, and an IANA time zone; null where Home Assistant names none. */
  | {
      readonly kind: 'place';
      readonly latitude: number | null;
      readonly longitude: number | null;
      readonly timeZone: string | null;
    }
  /** Oldest first, at most 10,080; empty without records. */
  | { readonly kind: 'light-history'; readonly entityId: string; readonly light: readonly RecordedLight[] }
  | ({ readonly kind: 'entity'; readonly entityId: string } & EntityState);

/** Traffic of the states of some entities, counted after their initial states. */
export interface TrafficSample {
  /** Messages, and their bytes below; a page allows several messages per frame. */
  readonly frames: number;
  readonly bytes: number;
  /** Duration of the sample. */
  readonly ms: Milliseconds;
}

/** Why a connection to Home Assistant is needed; values in the status document. */
export const reasons = ['lifecycle', 'registry', 'entity', 'request'] as const;
export type Reason = (typeof reasons)[number];

/** In what way Home Assistant sent more than a panel accepts; the panel then backs off for a while. */
export type ExcessCode = 'message-too-large' | 'message-too-deep' | 'message-too-many' | 'message-flood';

/** Stored record of a Home Assistant that sent too much. */
export interface Excess {
  readonly code: ExcessCode;
  /** Times in a row. */
  readonly count: number;
  /** When the panel retries. */
  readonly until: EpochMs;
}

/** The parameters of one connection attempt. */
export interface ConnectionInput {
  /** Number of the attempt; every fact has it, so that a late one is recognised. */
  readonly generation: number;
  /** True to request a newer token than the one that was just refused. */
  readonly forceToken: boolean;
}

/** Commands for the driver of one connection. */
export type ConnectionCommand =
  /** Watch exactly these topics; the watch on any other one ends. */
  | { readonly type: 'socket.watch'; readonly topics: readonly Topic[] }
  /** Report these topics again, which are watched already. */
  | { readonly type: 'socket.renew'; readonly topics: readonly Topic[] }
  /** Read one topic once; answered by one `socket.answered`. */
  | { readonly type: 'socket.read'; readonly requestId: string; readonly topic: Topic }
  /**
   * Count the traffic of these entities' states, null for all; answered by one `socket.sampled`. At most 30 s, one at a
   * time.
   */
  | {
      readonly type: 'socket.sample';
      readonly requestId: string;
      readonly entityIds: readonly string[] | null;
      readonly ms: Milliseconds;
    }
  /** Ask Home Assistant whether it is running; answered by `socket.running`, or not at all. */
  | { readonly type: 'socket.ask-running' };

/** Facts from the driver of one connection: `generation` as in its input, `at` on a monotonic clock. */
export type ConnectionFact =
  | {
      readonly type: 'socket.live';
      readonly generation: number;
      readonly at: Milliseconds;
      readonly running: Running;
      /** True if Home Assistant sends its events to this account: to administrators only. */
      readonly hearsEvents: boolean;
      readonly family: RouteFamily;
    }
  | {
      readonly type: 'socket.ended';
      readonly generation: number;
      /**
       * `auth-invalid`, `no-answer`, `not-let-in`, `closed-in-order`, `closed`, otherwise a system code; never a
       * message.
       */
      readonly code: string;
      readonly at: Milliseconds;
    }
  /** The connection was closed because Home Assistant sent too much. */
  | {
      readonly type: 'socket.overrun';
      readonly generation: number;
      readonly code: ExcessCode;
      readonly at: Milliseconds;
      readonly moment: EpochMs;
    }
  /**
   * One ping: `answeredMs` is its round trip, null if no answer came before the next was due. `otherFrames` is true if
   * anything else arrived meanwhile: a late answer, a ping of the server, a part of a message.
   */
  | {
      readonly type: 'socket.probed';
      readonly generation: number;
      readonly answeredMs: Milliseconds | null;
      readonly otherFrames: boolean;
      readonly at: Milliseconds;
    }
  | { readonly type: 'socket.running'; readonly generation: number; readonly running: Running }
  /** Home Assistant sent an event that it is stopping, starting or has started. */
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
      /** Null if Home Assistant refused it, or gave no valid answer in time. */
      readonly reading: Reading | null;
    }
  | {
      readonly type: 'socket.sampled';
      readonly generation: number;
      readonly requestId: string;
      /** Null if Home Assistant refused it or did not begin in time, or if another sample runs. */
      readonly sample: TrafficSample | null;
    };

/** Facts from the followers of other parts. */
export type NeedsFact =
  | {
      readonly type: 'needs.changed';
      /** True while there is a credential that was not refused. */
      readonly credential: boolean;
      /** Incremented whenever the credential changes. */
      readonly revision: number;
      /** True if the built-in renderer shows the dashboard (contract, "Health line", `ha`). */
      readonly lifecycle: boolean;
    }
  /** Home Assistant's will or birth message arrived from the broker. */
  | { readonly type: 'will.observed'; readonly online: boolean };

/** Command for the store: keep this record. */
export interface ExcessCommand {
  readonly type: 'excess.keep';
  readonly excess: Excess;
}

/**
 * Fact from the store: at the start, and whenever the address of Home Assistant changes, with null for a new address.
 */
export interface ExcessFact {
  readonly type: 'excess.recalled';
  readonly excess: Excess | null;
}

export interface Unanswered {
  readonly ok: false;
  /** `signed-out`: no credential, or a refused one. `busy`: too many requests wait, or another sample runs. */
  readonly reason: 'signed-out' | 'unreachable' | 'busy';
}
/** Answer to `home-assistant.read`; `no-answer` if Home Assistant refused it or did not answer in time. */
export type ReadOutcome =
  | { readonly ok: true; readonly reading: Reading }
  | Unanswered
  | { readonly ok: false; readonly reason: 'no-answer' };
/** Answer to `home-assistant.sample`. */
export type SampleOutcome = { readonly ok: true; readonly sample: TrafficSample } | Unanswered;

/** Events for the connection to Home Assistant (registry id `home-assistant`). */
export type HomeAssistantEvent =
  /**
   * Replaces the topics of `watcher`; an empty list ends the watch. Each topic is emitted as `home-assistant.read-out`
   * at once, even if it is watched already, after each change, and again with every connection.
   */
  | { readonly type: 'home-assistant.watch'; readonly watcher: string; readonly topics: readonly Topic[] }
  /** Reads one topic once; answered with a `ReadOutcome`. */
  | { readonly type: 'home-assistant.read'; readonly requestId: string; readonly topic: Topic }
  /**
   * Counts the traffic of these entities' states, null for all, for `ms`, at most 30,000; answered with a
   * `SampleOutcome`.
   */
  | {
      readonly type: 'home-assistant.sample';
      readonly requestId: string;
      readonly entityIds: readonly string[] | null;
      readonly ms: Milliseconds;
    }
  /** Retries at once with a Home Assistant that sent too much. */
  | { readonly type: 'home-assistant.retry' };

/** Emitted for watchers. */
export type HomeAssistantEmitted = { readonly type: 'home-assistant.read-out'; readonly reading: Reading };

export type HomeAssistantMachineEvent = HomeAssistantEvent | ConnectionFact | NeedsFact | ExcessFact;

export type HomeAssistantMachineEmitted = HomeAssistantEmitted | ReplyEvent<ReadOutcome | SampleOutcome>;

/** Public facts of the connection: no address, no token, no name. */
export interface HomeAssistantContext {
  /** Samples of the path to Home Assistant in the last five minutes, while a connection is held. */
  readonly samples: readonly PathSample[];
  /** When the last ping was answered, on the clock of the samples; null before the first. */
  readonly lastAnsweredAt: Milliseconds | null;
  /** When the connection was made or its last ping ended, whichever is later; null before the first. */
  readonly lastProbedAt: Milliseconds | null;
  /** True if the connection was live since it is needed: a lost one is being re-established. */
  readonly established: boolean;
  /** True for the first three minutes of the agent: samples are discarded, and there is no verdict. */
  readonly settling: boolean;
  /** Null while restarts are not watched, and until Home Assistant has answered once. */
  readonly lifecycle: Lifecycle | null;
  readonly reasons: readonly Reason[];
  /** The live connection: its number and its address family; null without one. */
  readonly route: { readonly number: number; readonly family: RouteFamily } | null;
  /** Unanswered pings since the agent started: each triggers a probe of the path. */
  readonly missed: number;
  /** Connections that ended or were refused since the agent started: the credential may be revoked. */
  readonly doubts: number;
  /** Stable code of the last failure; null while it is live. */
  readonly failure: string | null;
  /** The last time that Home Assistant sent too much; null if it never did. */
  readonly excess: Excess | null;
  /** True while the panel backs off because of that; the end may have passed while nothing needed a connection. */
  readonly isParked: boolean;
}

export interface HomeAssistantActor {
  readonly id: 'home-assistant';
  readonly context: HomeAssistantContext;
  readonly event: HomeAssistantEvent;
  readonly asks: { readonly 'home-assistant.read': ReadOutcome; readonly 'home-assistant.sample': SampleOutcome };
  readonly emitted: HomeAssistantEmitted;
}
