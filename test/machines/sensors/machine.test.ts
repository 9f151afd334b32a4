import { describe, expect, it } from 'vitest';
import { createActor, type EventObject, SimulatedClock } from 'xstate';

import { working } from '#machines/kit/verdict.ts';
import { rows } from '#machines/sensors/entities.ts';
import type { SensorFact, SensorId } from '#machines/sensors/events.ts';
import { LEAST_SILENCE_MS, sensorMachine } from '#machines/sensors/machine.ts';
import { fakeDriver } from '#test/fakes/fake-driver.ts';

const found: SensorFact = {
  type: 'sensor.found',
  device: 'part',
  everyMs: 2000,
  verdict: working('sensor-found', 'Found.'),
};
const missing = (optional = false): SensorFact => ({
  type: 'sensor.missing',
  optional,
  verdict: { state: 'not_here', reason: 'no-sensor', detail: 'None.', missing: null, fix: null },
});
const sampled = (value: number, at = 1): SensorFact => ({ type: 'sensor.sampled', value, at });

function start(kind: SensorId = 'temperature') {
  const clock = new SimulatedClock();
  const device = fakeDriver<EventObject, SensorFact>();
  const actor = createActor(
    sensorMachine.provide({
      actors: { device: device.logic, offset: fakeDriver().logic },
    }),
    { clock, input: { kind } },
  );
  actor.start();
  const row = rows.find(({ key }) => key === kind);
  return {
    actor,
    clock,
    crash: device.crash,
    facts: () => actor.getSnapshot().context,
    value: () =>
      row?.entityKind === 'sensor' && row.available(actor.getSnapshot()) ? row.read(actor.getSnapshot()) : undefined,
    shown: () => row?.shown?.(actor.getSnapshot()),
  };
}

describe('a sensor', () => {
  it('is shown once it is known to be missing, and has a value with its first reading', () => {
    const { actor, value, shown } = start();
    expect([value(), shown()]).toEqual([undefined, false]);
    actor.send(missing());
    expect(shown()).toBe(true);
    actor.send(found);
    expect(value()).toBeUndefined();
    actor.send(sampled(21.44));
    expect(value()).toBe(21.4);
  });

  it('that is optional is shown once it was found, and stays so when it is lost', () => {
    const { actor, shown } = start();
    actor.send(missing(true));
    expect(shown()).toBe(false);
    actor.send(found);
    expect(shown()).toBe(true);
    actor.send({ type: 'sensor.lost', code: 'ENODEV', at: 2 });
    actor.send(missing(true));
    expect(shown()).toBe(true);
  });

  it('that is lost has no value until it is found again', () => {
    const { actor, value, facts } = start();
    actor.send(found);
    actor.send(sampled(21, 1));
    actor.send({ type: 'sensor.lost', code: 'ENODEV', at: 2 });
    expect(value()).toBeUndefined();
    expect(facts()).toMatchObject({
      verdict: { state: 'not_here', reason: 'sensor-lost' },
      device: null,
      trace: [{ value: 21 }, { value: null }],
    });
    actor.send(found);
    actor.send(sampled(22, 3));
    expect(value()).toBe(22);
  });

  it('that gives nothing is not trusted, until it gives something', () => {
    const { actor, clock, value, facts } = start();
    actor.send(found);
    actor.send(sampled(21));
    clock.increment(LEAST_SILENCE_MS - 1);
    actor.send(sampled(21, 2));
    clock.increment(LEAST_SILENCE_MS - 1);
    expect(value()).toBe(21);
    clock.increment(1);
    expect(value()).toBeUndefined();
    expect(facts().verdict.reason).toBe('sensor-silent');
    actor.send(sampled(23, 9));
    expect(value()).toBe(23);
    expect(facts().verdict.state).toBe('working');
  });

  it('takes the owner’s correction at once', () => {
    const { actor, value } = start();
    actor.send(found);
    actor.send(sampled(24));
    actor.send({ type: 'sensor.correct', offset: -2.5 });
    expect(value()).toBe(21.5);
  });

  it('ends as failed when its driver crashes', () => {
    const { actor, crash } = start();
    crash();
    expect(actor.getSnapshot()).toMatchObject({
      status: 'done',
      output: { ended: 'failed', reason: 'sensor-driver' },
    });
  });
});

it('the rows of the contract, for ever', () => {
  expect(
    rows.map((row) =>
      [
        row.entityKind,
        row.key,
        row.deviceClass,
        'unit' in row ? row.unit : null,
        row.stateClass,
        'precision' in row ? row.precision : null,
        row.capability,
        row.expose,
      ].join(' '),
    ),
  ).toEqual([
    'sensor illuminance illuminance lx measurement 0 illuminance illuminance',
    'sensor temperature temperature °C measurement 1 temperature temperature',
    'sensor humidity humidity % measurement 0 humidity humidity',
  ]);
});
