import type { EventObject } from 'xstate';

import { fromDriver } from '#drivers/kit/from-driver.ts';
import type { OffsetFact, SensorDriver, SensorId } from '#machines/sensors/events.ts';
import { sensors } from '#machines/sensors/index.ts';
import { sensorMachine, type SensorInput } from '#machines/sensors/machine.ts';

import type { Registry } from './kit/registry.ts';
import { part, type Part } from './kit/part.ts';
import { settingFollower } from './setting-follower.ts';

export interface SensorDeps {
  readonly registry: Registry;
  readonly id: SensorId;
  readonly driver: SensorDriver;
}

const corrections: Readonly<Partial<Record<SensorId, string>>> = {
  temperature: 'temperature_offset',
  humidity: 'humidity_offset',
};

const correction = (registry: Registry, key: string | undefined) =>
  key === undefined
    ? fromDriver<EventObject, undefined, never>(() => {})
    : settingFollower<OffsetFact>(registry, key, (value) =>
        typeof value === 'number' ? { type: 'sensor.correct', offset: value } : null,
      );

export const sensorSpec = ({ registry, id, driver }: SensorDeps): Part =>
  part(sensors, sensorMachine.provide({ actors: { device: driver, offset: correction(registry, corrections[id]) } }), {
    id,
    input: (): SensorInput => ({ kind: id }),
  });
