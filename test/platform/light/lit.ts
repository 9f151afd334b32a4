import type { HomeClient } from '../home-assistant/client.ts';
import { Home } from '../home-assistant/home.ts';

/** An entity with statistics, one with states alone, and one with statistics of two days that tests set. */
export const [MEASURED, STATED, SET] = ['sensor.hall_measured', 'sensor.hall_stated', 'sensor.hall_light'] as const;
export const light = { unit_of_measurement: 'lx', device_class: 'illuminance', friendly_name: 'Hall light' };
/** When the tests began, in minutes since the Unix epoch. */
export const minute = Math.floor(Date.now() / 60_000);
/** Statistics of the entity that tests set: as many of five minutes, each of this light. */
export const KNOWN = { rows: 576, lux: 40 } as const;

/** A Home Assistant with recorded light. */
export interface Lit {
  readonly home: Home;
  /** A client of its owner; another one after each start. */
  readonly client: () => Promise<HomeClient>;
  /** Sets a state, as an integration does. */
  readonly set: (state: string, attributes?: object, entityId?: string) => Promise<unknown>;
  readonly remove: () => Promise<unknown>;
}

let started: Promise<Lit> | undefined;

async function recordLight(client: HomeClient): Promise<void> {
  const past = (service: string, data: object): Promise<unknown> =>
    client.call('call_service', { domain: 'past', service, service_data: data });
  const at = (minutes: number): number => (minute - minutes) * 60;
  await past('states', {
    entity_id: STATED,
    states: [
      [at(2880), '10'],
      [at(120), '40'],
      [at(119) + 30, '80'],
      [at(60), 'unavailable'],
      [at(30), '250000'],
    ],
  });
  const whole = minute - (minute % 5);
  await past('statistics', {
    entity_id: MEASURED,
    rows: Array.from({ length: 10 }, (_, row) => [(whole - 50 + row * 5) * 60, row + 0.5, row, row + 1]),
  });
  const { rows, lux } = KNOWN;
  await past('statistics', {
    entity_id: SET,
    rows: Array.from({ length: rows }, (_, row) => [(whole - (rows - row) * 5) * 60, lux, lux - 1, lux + 1]),
  });
}

async function start(): Promise<Lit> {
  const home = await Home.start(null, { records: true });
  const headers = { authorization: `Bearer ${home.token}`, 'content-type': 'application/json' };
  const states = `${home.url}/api/states`;
  try {
    await recordLight(await home.client());
    // What is older than this run of the recorder, it knows from its files alone.
    await home.terminate();
    await home.startAgain();
  } catch (error) {
    await home.stop();
    throw error;
  }
  return {
    home,
    client: () => home.client(),
    set: (state, attributes = light, entityId = SET) =>
      fetch(`${states}/${entityId}`, { method: 'POST', headers, body: JSON.stringify({ state, attributes }) }),
    remove: () => fetch(`${states}/${SET}`, { method: 'DELETE', headers }),
  };
}

/** That Home Assistant, started on first use. */
export const lit = (): Promise<Lit> => (started ??= start());

/** Ends it. */
export async function closeLit(): Promise<void> {
  await (await started?.catch(() => undefined))?.home.stop();
}
