import { describe, expect, it } from 'vitest';
import { createActor } from 'xstate';

import { adbSpec } from '#actors/adb.ts';
import { fromDriver } from '#drivers/kit/from-driver.ts';
import type { AdbDriverCommand } from '#machines/adb/events.ts';
import { fakeRegistry } from '#test/fakes/registry.ts';

describe("the bridge's wiring", () => {
  it('reaches no device before the settings were read, and then the one that they name', () => {
    const registry = fakeRegistry({ settings: { revision: 0, values: { adb_device: '' } } });
    const told: AdbDriverCommand[] = [];
    const bridge = fromDriver<AdbDriverCommand, undefined, never>(({ onEvent }) =>
      onEvent((command) => void told.push(command)),
    );
    const { logic } = adbSpec({ registry, bridge });
    const actor = createActor(logic).start();
    expect(told).toEqual([]);
    registry.put('settings', { revision: 1, values: { adb_device: 'EXAMPLE0001' } });
    expect(told).toEqual([{ type: 'adb.use', target: { kind: 'serial', serial: 'EXAMPLE0001' } }]);
    registry.put('settings', undefined);
    registry.put('settings', { revision: 2, values: { adb_device: '' } });
    expect(told.slice(1)).toEqual([{ type: 'adb.use', target: { kind: 'only' } }]);
    actor.stop();
  });
});
