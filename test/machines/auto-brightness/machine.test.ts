import { expect, it } from 'vitest';
import { createActor, SimulatedClock } from 'xstate';

import type { AdjustCommand, RoomCommand, RoomFact } from '#machines/auto-brightness/events.ts';
import { history } from '#machines/auto-brightness/history.ts';
import { autoBrightnessMachine } from '#machines/auto-brightness/machine.ts';
import { unknownFacts, unknownRoom } from '#machines/auto-brightness/off.ts';
import { readStored, storedRoom } from '#machines/auto-brightness/stored.ts';
import { fakeDriver } from '#test/fakes/fake-driver.ts';

import { display, plain } from './room.ts';

function start() {
  const room = fakeDriver<RoomCommand, RoomFact>();
  const displays = fakeDriver<AdjustCommand>();
  const settings = fakeDriver();
  const ceiling = fakeDriver();
  const actor = createActor(
    autoBrightnessMachine.provide({
      actors: { room: room.logic, displays: displays.logic, settings: settings.logic, ceiling: ceiling.logic },
    }),
    { clock: new SimulatedClock() },
  );
  const replies: unknown[] = [];
  actor.on('reply', (reply) => void replies.push(reply));
  actor.start();
  return { actor, room, displays, settings, ceiling, replies };
}

it('passes settings, displays and night’s level to its driver, and levels to the displays', () => {
  const { actor, room, displays } = start();
  actor.send({ type: 'settings.chosen', settings: plain, entityId: 'sensor.hall' });
  actor.send({ type: 'displays.changed', displays: [display()] });
  actor.send({ type: 'ceiling.changed', level: 51 });
  actor.send({ type: 'auto-brightness.resume' });
  expect(room.commands).toEqual([
    { type: 'room.settings', settings: plain, entityId: 'sensor.hall' },
    { type: 'room.displays', displays: [display()] },
    { type: 'room.ceiling', level: 51 },
    { type: 'room.resume' },
  ]);
  actor.send({ type: 'room.adjust', screen: 'screen_2', level: 40 });
  expect(displays.commands).toEqual([{ type: 'display.adjust', screen: 'screen_2', level: 40 }]);
});

it('shows the last decision', () => {
  const { actor } = start();
  expect(actor.getSnapshot().context).toEqual(unknownFacts);
  actor.send({ type: 'room.decided', view: { ...unknownRoom, why: 'no-source' }, at: 7 });
  expect(actor.getSnapshot().context).toEqual({ room: { ...unknownRoom, why: 'no-source' }, decidedAt: 7 });
});

it('answers each request once, with what its driver answered', () => {
  const { actor, room, replies } = start();
  actor.send({ type: 'auto-brightness.forget', requestId: 'a' });
  actor.send({ type: 'auto-brightness.chart', requestId: 'b', hours: 24, preview: {} });
  expect(room.commands).toEqual([
    { type: 'room.forget', requestId: 'a' },
    { type: 'room.chart', requestId: 'b', hours: 24, preview: {} },
  ]);
  expect(replies).toEqual([]);
  const busy = { ok: false, reason: 'busy', message: 'Later.' } as const;
  actor.send({ type: 'room.drawn', requestId: 'b', outcome: busy });
  actor.send({ type: 'room.forgotten', requestId: 'a', outcome: { ok: true, value: null } });
  expect(replies).toEqual([
    { type: 'reply', requestId: 'b', outcome: busy },
    { type: 'reply', requestId: 'a', outcome: { ok: true, value: null } },
  ]);
});

it.each([
  ['room', 'room-driver'],
  ['displays', 'display-follower'],
  ['settings', 'brightness-settings'],
  ['ceiling', 'ceiling-follower'],
] as const)('fails with %s', (which, reason) => {
  const one = start();
  one[which].crash();
  expect(one.actor.getSnapshot()).toMatchObject({ status: 'done', output: { ended: 'failed', reason } });
});

const context = (changes: object) => ({ room: { ...unknownRoom, why: null, ...changes }, decidedAt: 1 });
const chosen = { origin: 'panel_controls', requested: 200, automaticAtStart: 9, startedAt: 1 };

it.each<[string, object, object, readonly string[]]>([
  ['a hand', {}, { preference: chosen }, ['held http']],
  [
    'another hand',
    { preference: chosen },
    { preference: { ...chosen, requested: 9, origin: 'system' } },
    ['held elsewhere'],
  ],
  ['time', { preference: chosen }, { preference: { ...chosen, authority: 0.9 } }, []],
  ['the end', { preference: chosen }, {}, ['resumed null']],
  ['a lost source', { sourceAvailable: true }, { why: 'source-away' }, ['source-lost null']],
  ['its return', { why: 'source-away' }, { sourceAvailable: true }, ['source-back null']],
  ['no source at all', { why: 'no-source' }, { sourceAvailable: true }, []],
])('writes the history of %s', (_, before, after, expected) => {
  const [row] = history;
  const entries = row?.historyEvents(
    row.selector(context(before), 'watching'),
    row.selector(context(after), 'watching'),
    5,
  );
  expect(entries?.map(({ code, by }) => `${code} ${by}`)).toEqual(expected);
});

it('writes no history of the start', () => {
  const [row] = history;
  expect(row?.selector(unknownFacts, 'watching')).toBeNull();
  expect(row?.historyEvents(null, row.selector(context({ preference: chosen }), 'watching'), 5)).toEqual([]);
});

it('reads what it stored, and nothing else', () => {
  const place = { latitude: 52.1, longitude: 5.2, timeZone: 'Europe/Amsterdam' };
  const preference = { origin: 'system', requested: 200, automaticAtStart: 9, startedAt: 1 } as const;
  expect(readStored(storedRoom({ preference, place }))).toEqual({ preference, place });
  expect(storedRoom({ preference: null, place: null })).toBeNull();
  const nothing = { preference: null, place: null };
  for (const bad of [null, 7, {}, { version: 2, preference, place }]) expect(readStored(bad)).toEqual(nothing);
  expect(readStored({ version: 1, preference: { ...preference, requested: 256 }, place })).toEqual({
    preference: null,
    place,
  });
  expect(readStored({ version: 1, preference, place: { ...place, latitude: 91 } })).toEqual({
    preference,
    place: null,
  });
});
