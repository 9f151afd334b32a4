import { execFileSync } from 'node:child_process';
import { closeSync, constants, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { linuxInput } from '#drivers/input/linux.ts';
import { sysfsBacklight } from '#test/drivers/screen/sysfs-backlight.ts';
import { simulatedProfile } from '#test/fakes/simulated-profile.ts';

import { type BacklightTree, backlightTree } from '../drivers/screen/backlight-tree.ts';
import { decisions } from '../drivers/screen/decisions.ts';
import { withSlots } from '../fakes/with-slots.ts';
import { type LiveAgent, post, startLive, statusOf, until } from './live-agent.ts';

/** The contract of a key that goes down, as a 64-bit kernel writes it. */
function press(fd: number): void {
  const bytes = Buffer.alloc(24);
  const now = Date.now();
  bytes.writeBigInt64LE(BigInt(Math.floor(now / 1000)), 0);
  bytes.writeBigInt64LE(BigInt((now % 1000) * 1000), 8);
  bytes.writeUInt16LE(1, 16);
  bytes.writeUInt16LE(116, 18);
  bytes.writeInt32LE(1, 20);
  writeSync(fd, bytes);
}

describe.skipIf(process.arch === 'arm' || process.arch === 'ia32')('a whole agent without any platform', () => {
  let tree: BacklightTree;
  let live: LiveAgent;
  let folder: string;
  let fd: number;

  beforeAll(async () => {
    tree = await backlightTree();
    await tree.add('panel', { type: 'raw', max_brightness: 200, brightness: 120, bl_power: 0 });
    folder = mkdtempSync(join(tmpdir(), 'sconce-wake-'));
    mkdirSync(join(folder, 'class/event0/device/capabilities'), { recursive: true });
    for (const [file, text] of Object.entries({ ev: '3', key: '10000000000000 0', abs: '0', rel: '0' })) {
      writeFileSync(join(folder, 'class/event0/device/capabilities', file), text);
    }
    mkdirSync(join(folder, 'dev'));
    execFileSync('mkfifo', [join(folder, 'dev/event0')]);
    fd = openSync(join(folder, 'dev/event0'), constants.O_RDWR | constants.O_NONBLOCK);
    const input = linuxInput({ root: join(folder, 'class'), dev: join(folder, 'dev') });
    live = await startLive({
      profile: withSlots(
        { ...simulatedProfile(), simulated: false },
        {
          screen: [{ id: 'screen', driver: sysfsBacklight(decisions, { root: tree.root }) }],
          input: { id: 'input', driver: input },
        },
      ),
    });
    await until('screen and key', async () => {
      const { screen, input: keys } = await statusOf(live.url);
      return screen?.lit === true && keys?.devices.key === 1;
    });
  });
  afterAll(async () => {
    await live.close();
    closeSync(fd);
    rmSync(folder, { recursive: true, force: true });
    await tree.end();
  });

  const goDark = async (): Promise<void> => {
    await post(`${live.url}/api/v1/action`, { a: 'screen_off' });
    await until(
      'dark',
      async () => (await tree.read('panel', 'bl_power')) === 4 && (await statusOf(live.url)).screen?.lit === false,
    );
  };

  test('lights the screen at the press of a key, within a hand’s notice', async () => {
    const times: number[] = [];
    for (let wakes = 1; wakes <= 10; wakes += 1) {
      // oxlint-disable-next-line no-await-in-loop -- one after another
      await goDark();
      press(fd);
      // oxlint-disable-next-line no-await-in-loop -- as above
      const input = await until('the wake', async () => {
        const status = await statusOf(live.url);
        return status.input?.wakes === wakes ? status.input : null;
      });
      // oxlint-disable-next-line no-await-in-loop -- as above
      expect(await tree.read('panel', 'bl_power')).toBe(0);
      times.push(input.last_wake_ms);
    }
    const sorted = times.toSorted((a, b) => a - b);
    console.log(`event to write: p50 ${sorted[5]} ms, max ${sorted.at(-1)} ms`);
    // The goal is 10 ms on an idle panel; a busy test machine is given more, and still less than it would take without
    // the kernel's signal.
    expect(sorted[5]).toBeLessThan(250);
    expect((await statusOf(live.url)).screen?.changed?.by).toBe('touch');
  }, 30_000);

  test('lights the screen when it stops', async () => {
    await goDark();
    const stopped = live.agent.shutdown();
    await until('light', async () => (await tree.read('panel', 'bl_power')) === 0, 1000);
    await stopped;
    expect(await tree.read('panel', 'brightness')).toBe(120);
  });
});
