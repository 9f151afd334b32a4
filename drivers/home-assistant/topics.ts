import { fieldsOf, textOf } from '#drivers/kit/json-fields.ts';
import type { Reading, Topic } from '#machines/home-assistant/events.ts';
import type { EpochMs, Milliseconds } from '#machines/kit/units.ts';

import { readAreaPresence } from './area-presence.ts';
import type { Ask } from './bounded.ts';
import { lovelacePath, readDashboard } from './dashboard.ts';
import { readLightHistory } from './light-history.ts';
import { lightSensorsIn } from './light-sensors.ts';
import { readOwnDevice, type StatesOf } from './own-device.ts';
import { placeIn } from './place.ts';
import { readStateHistory } from './state-history.ts';
import {
  areaOf,
  dashboardsOf,
  deviceOf,
  entityOf,
  floorOf,
  idsWithin,
  pipelinesOf,
  rowsOf,
  sectionsOf,
  stateOf,
} from './rows.ts';

/** An event after which a topic is read again, if it concerns the topic. */
interface Change {
  readonly event: string;
  readonly concerns: (event: unknown) => boolean;
}

/** How a topic is read and watched; a read is null if Home Assistant refused it or did not answer in time. */
export interface Source {
  readonly read: (ask: Ask, statesOf: StatesOf, now: EpochMs) => Promise<Reading | null>;
  /** Empty if Home Assistant announces no change: it is read again with each connection and for each watcher. */
  readonly changes: readonly Change[];
  /** Shortest time between two reads, if it is longer than usual. */
  readonly pauseMs?: Milliseconds;
}

/** Shortest time between two reads of an area's presence sensors: each lists all states and three registries. */
const AREA_PAUSE_MS: Milliseconds = 5000;

const always = (): boolean => true;

/** A topic that is the answer to one command. */
const answerTo = (type: string, changed: string | null, read: (result: unknown) => Reading | null): Source => ({
  read: async (ask) => {
    const answer = await ask({ type });
    return answer.ok ? read(answer.value) : null;
  },
  changes: changed === null ? [] : [{ event: changed, concerns: always }],
});

/** Kinds of topics that have more than their kind. */
type Particular =
  | 'entity'
  | 'states'
  | 'dashboard'
  | 'own-device'
  | 'light-history'
  | 'area-presence'
  | 'state-history';

/** The topics by kind; every account may read them and gets their changes (seen with 2026.11). */
const sources: Readonly<Record<Exclude<Topic['kind'], Particular>, Source>> = {
  areas: answerTo('config/area_registry/list', 'area_registry_updated', (result) => ({
    kind: 'areas',
    areas: rowsOf(result, areaOf),
  })),
  floors: answerTo('config/floor_registry/list', 'floor_registry_updated', (result) => ({
    kind: 'floors',
    floors: rowsOf(result, floorOf),
  })),
  entities: answerTo('config/entity_registry/list', 'entity_registry_updated', (result) => ({
    kind: 'entities',
    entities: rowsOf(result, entityOf),
  })),
  devices: answerTo('config/device_registry/list', 'device_registry_updated', (result) => ({
    kind: 'devices',
    devices: rowsOf(result, deviceOf),
  })),
  dashboards: answerTo('get_panels', 'panels_updated', (result) => {
    const panels = Object.values(fieldsOf(result));
    return {
      kind: 'dashboards',
      dashboards: dashboardsOf(panels),
      sections: rowsOf(panels, sectionsOf),
    };
  }),
  // Another user means another credential, and so a new connection.
  account: answerTo('auth/current_user', null, (result) => {
    const userId = textOf(fieldsOf(result)['id']);
    return userId === null ? null : { kind: 'account', userId };
  }),
  // Its only events are those of all states.
  'entity-ids': answerTo('get_states', null, (result) => {
    const states = rowsOf(result, stateOf);
    return { kind: 'entity-ids', entityIds: states.map(({ id }) => id), names: states.map(({ name }) => name) };
  }),
  // Read on request, which the machine shares among its callers.
  'light-sensors': answerTo('get_states', null, (result) => ({
    kind: 'light-sensors',
    sensors: lightSensorsIn(result),
  })),
  // No event announces its changes.
  pipelines: answerTo('assist_pipeline/pipeline/list', null, (result) => {
    const { pipelines, preferred_pipeline: preferred } = fieldsOf(result);
    return { kind: 'pipelines', pipelines: pipelinesOf(pipelines), preferred: textOf(preferred) };
  }),
  place: answerTo('get_config', 'core_config_updated', placeIn),
  energy: {
    read: async (ask) => {
      const answer = await ask({ type: 'energy/get_prefs' });
      if (answer.ok) return { kind: 'energy', entityIds: idsWithin(answer.value) };
      // Nothing is set up, or there is no energy dashboard.
      return answer.code === null ? null : { kind: 'energy', entityIds: [] };
    },
    changes: [],
  },
};

const dashboardSource = (path: string): Source => ({
  read: (ask) => readDashboard(path, ask),
  changes: [
    {
      event: 'lovelace_updated',
      // For the first dashboard it has either no path or its own, depending on where that is stored. The dashboard that
      // the start page leads to is known only after a read.
      concerns: (event) => {
        const changed = fieldsOf(fieldsOf(event)['data'])['url_path'];
        return path === '' || changed === path || changed === lovelacePath(path);
      },
    },
    { event: 'panels_updated', concerns: always },
  ],
});

const areaSource = (topic: Extract<Topic, { readonly kind: 'area-presence' }>, pauseMs: Milliseconds): Source => ({
  read: (ask) => readAreaPresence(topic, ask),
  changes: ['area_registry_updated', 'device_registry_updated', 'entity_registry_updated'].map((event) => ({
    event,
    concerns: always,
  })),
  pauseMs,
});

/** Source of any topic except the states of entities. */
export function sourceOf(
  topic: Exclude<Topic, { readonly kind: 'entity' | 'states' }>,
  areaPauseMs: Milliseconds = AREA_PAUSE_MS,
): Source {
  // Read on request only: watched, it would be read at each change of any registry.
  if (topic.kind === 'own-device') return { read: (ask, statesOf) => readOwnDevice(topic, ask, statesOf), changes: [] };
  if (topic.kind === 'light-history') return { read: (ask, _, now) => readLightHistory(topic, now, ask), changes: [] };
  if (topic.kind === 'state-history') return { read: (ask, _, now) => readStateHistory(topic, now, ask), changes: [] };
  if (topic.kind === 'area-presence') return areaSource(topic, areaPauseMs);
  return topic.kind === 'dashboard' ? dashboardSource(topic.path) : sources[topic.kind];
}
