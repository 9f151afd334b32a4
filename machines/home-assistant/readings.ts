import type { EpochMs } from '../kit/units.ts';

/** What can be read from Home Assistant, once or as a watch. */
export type Topic =
  | { readonly kind: 'areas' }
  | { readonly kind: 'dashboards' }
  | { readonly kind: 'entities' }
  | { readonly kind: 'devices' }
  | { readonly kind: 'floors' }
  /** The user of the panel's credential. */
  | { readonly kind: 'account' }
  /** The Assist pipelines, and which of them is preferred. */
  | { readonly kind: 'pipelines' }
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
  /** The area of the panel's device with this identifier, and the presence sensors in it. */
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
  /** The panel's device, whichever integration made it; `known` are its entities from an earlier answer. */
  | { readonly kind: 'own-device'; readonly identifier: string; readonly known: readonly string[] };

/** A row of the area registry. */
export interface Area {
  readonly id: string;
  readonly name: string;
  readonly floorId: string | null;
  readonly labels: readonly string[];
}

/** Without either of the two it is usable in part. */
export interface AssistPipeline {
  readonly id: string;
  readonly name: string;
  /** False without speech-to-text. */
  readonly hears: boolean;
  /** False without text-to-speech. */
  readonly speaks: boolean;
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

/** What Home Assistant shows of the panel's device. */
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
  /** At most 64. */
  | { readonly kind: 'pipelines'; readonly pipelines: readonly AssistPipeline[]; readonly preferred: string | null }
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
  /** By entity, oldest first, with the state at `from`; `isCut`: the newest 20,000, or what was read in a minute. */
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
