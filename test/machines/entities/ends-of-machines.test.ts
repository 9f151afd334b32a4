import { expect, it } from 'vitest';
import { type AnyActorLogic, createActor, fromTransition, SimulatedClock } from 'xstate';

import { entityRows } from '#machines/entities.ts';
import type { CommandValue } from '#machines/entities/command.ts';
import { rowCommandOf } from '#machines/entities/command.ts';
import { working } from '#machines/kit/verdict.ts';
import { lightMachine } from '#machines/lights/machine.ts';
import { ONE_REBOOT_MS, powerMachine } from '#machines/power/machine.ts';
import { relayMachine } from '#machines/relays/machine.ts';
import { screenMachine } from '#machines/screen/machine.ts';
import { volumeMachine } from '#machines/volume/machine.ts';

/** Drivers and stores that do nothing but what the test says. */
const silent = fromTransition((state: null) => state, null);
const silents = Object.fromEntries(
  ['light', 'relay', 'store', 'mixer', 'limits', 'display', 'machine'].map((id) => [id, silent]),
) as never;
const verdict = working('found', 'Found.');
const reading = { raw: 100, powered: true };

interface Hardware {
  readonly key: string;
  readonly logic: AnyActorLogic;
  readonly input?: object;
  readonly found: object;
  readonly value: CommandValue;
  /** What its driver reports, without the generation. */
  readonly done: readonly object[];
  readonly refused: object;
  readonly lost: object;
}

/** A machine whose hardware was found, its row, and the end of a command to it. */
function start({ key, logic, input, found, value }: Hardware) {
  const row = entityRows.find((one) => one.key === key);
  if (row === undefined) throw new Error(`there is no ${key}`);
  const clock = new SimulatedClock();
  const actor = createActor(logic, { input: input as never, clock }).start();
  const send = (...events: readonly object[]): void => {
    for (const event of events) actor.send({ generation: actor.getSnapshot().context.generation, ...event } as never);
  };
  send(found);
  const before = actor.getSnapshot();
  const command = rowCommandOf(row, value, 'home-assistant');
  if (!command.ok) throw new Error(command.message);
  send(command.value.event);
  return { send, clock, end: () => row.ends?.(actor.getSnapshot(), before) };
}

const written: readonly Hardware[] = [
  {
    key: 'led',
    logic: lightMachine.provide({ actors: silents }),
    input: { plainOn: 'last' },
    found: { type: 'light.found', ability: { colour: 'rgb', effects: true }, verdict },
    value: { on: true, brightness: 7 },
    done: [{ type: 'light.observed', output: { level: 7, rgb: null } }, { type: 'light.written' }],
    refused: { type: 'light.refused', code: 'EIO' },
    lost: { type: 'light.found', ability: null, verdict: { ...verdict, state: 'not_here' } },
  },
  {
    key: 'relay1',
    logic: relayMachine.provide({ actors: silents }),
    input: { again: false, readOnly: false },
    found: { type: 'relay.found', found: true, restore: 'keep', verdict },
    value: true,
    done: [{ type: 'relay.observed', closed: true }, { type: 'relay.written' }],
    refused: { type: 'relay.refused', code: 'not-taken' },
    lost: { type: 'relay.found', found: false, restore: 'keep', verdict: { ...verdict, state: 'not_here' } },
  },
  {
    key: 'volume',
    logic: volumeMachine.provide({ actors: silents }),
    found: { type: 'mixer.found', route: 'pactl', percent: 30, muted: false },
    value: 40,
    done: [{ type: 'mixer.written', percent: 40, muted: false }],
    refused: { type: 'mixer.refused', reason: 'exit-1' },
    lost: { type: 'mixer.lost', reason: 'gone' },
  },
  {
    key: 'screen',
    logic: screenMachine.provide({ actors: silents }),
    found: { type: 'display.found', display: { name: 'x', rawMax: 255, rawMin: 1, power: true }, reading, at: 1 },
    value: { on: true, brightness: 7 },
    done: [{ type: 'display.written', reading: { raw: 7, powered: true }, at: 2 }],
    refused: { type: 'display.refused', reason: 'EIO' },
    lost: { type: 'display.lost', reason: 'gone' },
  },
];

it.each(written)('a command to $key ends with what its machine has of its hardware', (hardware) => {
  const { done, refused, lost } = hardware;
  const good = start(hardware);
  expect(good.end()).toBeNull();
  good.send(...done);
  expect(good.end()).toEqual({ refused: null });
  const bad = start(hardware);
  bad.send(refused);
  expect(bad.end()).toMatchObject({ refused: { reason: 'failed' } });
  const gone = start(hardware);
  gone.send(lost);
  expect(gone.end()).toMatchObject({ refused: { reason: 'not-here' } });
  const mute = start(hardware);
  mute.clock.increment(60_000);
  expect(mute.end()).toMatchObject({ refused: { reason: 'no-answer' } });
});

it('a command to reboot ends once its machine has begun it', () => {
  const power = (): ReturnType<typeof start> =>
    start({
      key: 'reboot',
      logic: powerMachine.provide({ actors: silents }),
      found: { type: 'reboot.route', verdict, route: 'logind' },
      value: null,
      done: [],
      refused: {},
      lost: {},
    });
  const good = power();
  good.send({ type: 'reboot.asked', at: 1 });
  expect(good.end()).toBeNull();
  good.send({ type: 'reboot.begun', at: 2 });
  expect(good.end()).toEqual({ refused: null });
  const bad = power();
  bad.send({ type: 'reboot.refused', reason: 'x', at: 1 });
  expect(bad.end()).toMatchObject({ refused: { reason: 'failed' } });
  const mute = power();
  mute.clock.increment(ONE_REBOOT_MS);
  expect(mute.end()).toBeNull();
});
