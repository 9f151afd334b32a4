import { createActor, type EventObject } from 'xstate';
import { describe, expect, it } from 'vitest';

import type {
  MicrophoneAnswer,
  MicrophoneDriverCommand,
  MicrophoneFact,
  MicrophoneOrderCommand,
  MicrophonePermission,
  MicrophonePlaceFact,
  MicrophoneScan,
  MicrophoneSettingsFact,
} from '#machines/microphone/events.ts';
import { microphoneMachine } from '#machines/microphone/machine.ts';
import { fakeDriver } from '#test/fakes/fake-driver.ts';

const one: MicrophoneScan = { found: 'devices', count: 1, refused: 0 };

function start(suppressed = false) {
  const source = fakeDriver<MicrophoneDriverCommand, MicrophoneFact>();
  const follower = fakeDriver<EventObject, MicrophoneSettingsFact>();
  const orders = fakeDriver<MicrophoneOrderCommand>();
  const question = fakeDriver<EventObject, MicrophoneAnswer>();
  const places = fakeDriver<EventObject, MicrophonePlaceFact>();
  const actor = createActor(
    microphoneMachine.provide({
      actors: {
        source: source.logic,
        follower: follower.logic,
        orders: orders.logic,
        question: question.logic,
        places: places.logic,
      },
    }),
    { input: { suppressed } },
  ).start();
  const facts = () => actor.getSnapshot().context;
  return {
    actor,
    facts,
    source,
    follower,
    orders,
    question,
    scan: (scan: MicrophoneScan) => actor.send({ type: 'microphone.enumerated', scan, user: 'kiosk' }),
    settings: (voice: boolean, allowed: boolean) =>
      actor.send({ type: 'microphone.settings', isVoiceOn: voice, isAllowed: allowed, earFailure: null }),
    answer: (answer: MicrophoneAnswer['answer']) => actor.send({ type: 'microphone.answered', answer }),
    ask: () => actor.send({ type: 'microphone.ask' }),
  };
}

type Room = ReturnType<typeof start>;
type Step = (room: Room) => void;

const on: Step = ({ settings }) => settings(true, false);
const off: Step = ({ settings }) => settings(false, false);
const allowed: Step = ({ settings }) => settings(true, true);
const ask: Step = (room) => room.ask();
const appears: Step = ({ actor }) => actor.send({ type: 'microphone.place-appeared' });
const says =
  (answer: MicrophoneAnswer['answer']): Step =>
  (room) =>
    room.answer(answer);

describe('the permission', () => {
  it.each<[string, readonly Step[], MicrophonePermission, number]>([
    ['is needed, and nothing is asked while voice is off', [off], 'needed', 0],
    ['is asked when voice is turned on', [off, on], 'asking', 1],
    ['is asked once', [off, on, on, on], 'asking', 1],
    ['is not asked for voice that was on at the start', [on], 'needed', 0],
    ['is asked there when the owner says so', [on, ask], 'asking', 1],
    ['is not asked while voice is off, whoever says so', [off, ask], 'needed', 0],
    ['is given', [off, on, allowed], 'allowed', 1],
    ['was given before the start', [allowed], 'allowed', 0],
    ['that was given is not asked again', [allowed, ask, off, allowed], 'allowed', 0],
    ['was approved, and turned off again before that was known', [off, on, says('approved')], 'needed', 1],
    ['is denied', [off, on, says('denied')], 'denied', 1],
    ['that ran out counts as denied', [off, on, says('expired')], 'denied', 1],
    ['that is denied stays so', [off, on, says('denied'), on, on], 'denied', 1],
    ['that is denied is asked again by the owner', [off, on, says('denied'), ask], 'asking', 2],
    ['that is denied is asked again when voice is turned on again', [off, on, says('denied'), off, on], 'asking', 2],
    ['that is denied can be given on the machine', [off, on, says('denied'), allowed], 'allowed', 1],
    ['has no place to be asked', [off, on, says('no-place')], 'no-place', 1],
    ['is asked for again there', [off, on, says('no-place'), ask], 'asking', 2],
    ['is asked for once more when a place appears', [off, on, says('no-place'), appears], 'asking', 2],
    [
      'is not asked for a third time by itself',
      [off, on, says('no-place'), appears, says('no-place'), appears],
      'no-place',
      2,
    ],
    [
      'is asked for on the owner’s word even then',
      [off, on, says('no-place'), appears, says('no-place'), ask],
      'asking',
      3,
    ],
    [
      'is denied in the place that appeared',
      [off, on, says('no-place'), appears, says('denied'), appears],
      'denied',
      2,
    ],
    ['is given without a place, on the machine', [off, on, says('no-place'), allowed], 'allowed', 1],
    ['is taken back with the question when voice goes off', [off, on, off], 'needed', 1],
    ['that is forgotten is needed, and not asked for', [allowed, on, on], 'needed', 0],
    ['that is forgotten while voice is off is asked for when it comes on', [allowed, off, on], 'asking', 1],
  ])('%s', (_, steps, permission, asked) => {
    const room = start();
    room.scan(one);
    for (const step of steps) step(room);
    expect([room.facts().permission, room.question.starts()]).toEqual([permission, asked]);
  });

  it.each<[string, MicrophoneScan, boolean]>([
    ['no microphone', { found: 'none', detail: 'not_enumerated' }, false],
    ['a microphone that only the sound server knows', { found: 'none', detail: 'undetermined' }, true],
    ['one that may not be opened yet', { found: 'devices', count: 1, refused: 1 }, true],
  ])('is asked for where there is something to allow: %s', (_, scan, isAsked) => {
    const room = start();
    room.scan(scan);
    off(room);
    on(room);
    ask(room);
    expect(room.question.starts()).toBe(isAsked ? 1 : 0);
  });

  it('is never asked for where the profile says that there is none', () => {
    const room = start(true);
    expect(room.facts().scan).toEqual({ found: 'none', detail: 'suppressed_by_profile' });
    off(room);
    on(room);
    ask(room);
    expect(room.question.starts()).toBe(0);
  });

  it('keeps a voice that is on from the answer of an earlier question', () => {
    const room = start();
    for (const step of [off, on, off]) step(room);
    room.answer('denied');
    expect(room.facts().permission).toBe('needed');
  });
});

describe('the microphone', () => {
  it('is scanned, and looks for what was typed, at each probe and with each scan', () => {
    const room = start();
    expect(room.facts()).toMatchObject({ scan: null, user: null });
    room.actor.send({ type: 'microphone.probe' });
    expect([room.source.commands, room.orders.commands]).toEqual([
      [{ type: 'microphone.enumerate' }],
      [{ type: 'orders.look' }],
    ]);
    room.scan(one);
    expect(room.facts()).toMatchObject({ scan: one, user: 'kiosk' });
    expect(room.orders.commands).toHaveLength(2);
  });

  it('keeps why voice can use no source', () => {
    const room = start();
    room.actor.send({ type: 'microphone.settings', isVoiceOn: true, isAllowed: true, earFailure: 'no-device' });
    expect(room.facts()).toMatchObject({ isVoiceOn: true, earFailure: 'no-device' });
  });

  it.each([
    ['source', 'microphone-driver'],
    ['follower', 'microphone-follower'],
    ['orders', 'microphone-orders'],
    ['question', 'microphone-question'],
  ] as const)('ends as failed when its %s breaks', (driver, reason) => {
    const room = start();
    off(room);
    on(room);
    room[driver].crash();
    expect(room.actor.getSnapshot()).toMatchObject({ status: 'done', output: { ended: 'failed', reason } });
  });
});
