import { expect, it, onTestFinished } from 'vitest';
import { createActor } from 'xstate';

import { autoBrightnessSpec } from '#actors/auto-brightness.ts';
import { fakeDriver } from '#test/fakes/fake-driver.ts';
import { fakeRegistry } from '#test/fakes/registry.ts';
import type { RoomCommand, RoomFact } from '#machines/auto-brightness/events.ts';

it('passes night’s level on while the part that knows it runs', () => {
  const registry = fakeRegistry({});
  const room = fakeDriver<RoomCommand, RoomFact>();
  const actor = createActor(autoBrightnessSpec({ registry, readOnly: false, room: () => room.logic }).logic);
  onTestFinished(() => void actor.stop());
  actor.start();
  registry.put('auto-sleep', { ceiling: 51 });
  registry.put('auto-sleep', { ceiling: null });
  registry.put('auto-sleep', { ceiling: 26 });
  registry.put('auto-sleep', undefined);
  const levels = room.commands.flatMap((command) => (command.type === 'room.ceiling' ? [command.level] : []));
  expect(levels).toEqual([null, 51, null, 26, null]);
});
