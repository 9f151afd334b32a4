import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { adbBridge } from '#drivers/adb/bridge.ts';
import { AdbLink } from '#drivers/adb/link.ts';
import { adbPower } from '#drivers/power/adb.ts';
import { adbScreen } from '#drivers/screen/adb.ts';
import { adbVolume } from '#drivers/volume/adb.ts';
import type { AdbDriverCommand, AdbFact, AdbPhase } from '#machines/adb/events.ts';
import type { PowerDriverCommand, PowerFact } from '#machines/power/events.ts';
import type { ScreenDriverCommand, ScreenFact } from '#machines/screen/events.ts';
import type { VolumeDriverCommand, VolumeFact } from '#machines/volume/events.ts';
import { isFact, runDriver, type RunningDriver } from '../run-driver.ts';
import { decisions } from '../screen/decisions.ts';
import { startAdbd } from './fake-adbd.ts';

const hasAdb = (() => {
  try {
    execFileSync('adb', ['version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

describe.skipIf(!hasAdb)(
  `an Android panel behind the real adb server${hasAdb ? '' : ' (skipped: adb is not installed)'}`,
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'sconce-adb-'));
    const link = new AdbLink();
    let daemon: Awaited<ReturnType<typeof startAdbd>>;
    let bridge: RunningDriver<AdbDriverCommand, AdbFact>;
    const seen = (phase: AdbPhase, from = 0) =>
      bridge.until(
        isFact<AdbFact, 'adb.observed'>('adb.observed', (fact) => fact.phase === phase),
        from,
        30_000,
      );

    beforeAll(async () => {
      daemon = await startAdbd();
      bridge = runDriver<AdbDriverCommand, AdbFact>(adbBridge({ link, folder, scanMs: 100 }));
      bridge.tell({ type: 'adb.use', target: { kind: 'network', host: '127.0.0.1', port: daemon.port } });
      await seen('online');
      // A server that is being started is no program that is missing.
      expect(bridge.facts.map((fact) => (fact.type === 'adb.observed' ? fact.phase : fact.type))).not.toContain(
        'no-bridge',
      );
    }, 60_000);
    afterAll(async () => {
      bridge.stop();
      await daemon.end();
      rmSync(folder, { recursive: true, force: true });
    });

    test('its screen is found, dimmed, put to sleep and woken, each read back', async () => {
      const screen = runDriver<ScreenDriverCommand, ScreenFact>(adbScreen(link, decisions));
      try {
        const found = await screen.until(isFact<ScreenFact, 'display.found'>('display.found'), 0, 20_000);
        expect([found.display.power, found.reading]).toEqual([true, { raw: 120, powered: true }]);
        screen.tell({ type: 'display.write', generation: 1, raw: 40, powered: null });
        expect(
          (
            await screen.until(
              isFact<ScreenFact, 'display.written'>('display.written', (fact) => fact.generation === 1),
              0,
              20_000,
            )
          ).reading.raw,
        ).toBe(40);
        expect(daemon.panel).toMatchObject({ brightness: 40, mode: 0 });
        screen.tell({ type: 'display.write', generation: 2, raw: null, powered: false });
        expect(
          (
            await screen.until(
              isFact<ScreenFact, 'display.written'>('display.written', (fact) => fact.generation === 2),
              0,
              20_000,
            )
          ).reading.powered,
        ).toBe(false);
        screen.tell({ type: 'display.write', generation: 3, raw: null, powered: true });
        await screen.until(
          isFact<ScreenFact, 'display.written'>('display.written', (fact) => fact.generation === 3),
          0,
          20_000,
        );
        expect(daemon.panel.awake).toBe(true);
      } finally {
        screen.stop();
      }
    }, 60_000);

    test('one that a credential protects is only dimmed', async () => {
      daemon.panel.locked = true;
      const screen = runDriver<ScreenDriverCommand, ScreenFact>(adbScreen(link, decisions));
      try {
        const found = await screen.until(isFact<ScreenFact, 'display.found'>('display.found'), 0, 20_000);
        expect(found.display.power).toBe(false);
        expect(daemon.panel.awake).toBe(true);
      } finally {
        screen.stop();
        daemon.panel.locked = false;
      }
    }, 60_000);

    test('its volume is set to the nearest of its steps', async () => {
      const volume = runDriver<VolumeDriverCommand, VolumeFact>(adbVolume(link, 100));
      try {
        expect((await volume.until(isFact<VolumeFact, 'mixer.found'>('mixer.found'), 0, 20_000)).percent).toBe(33);
        volume.tell({ type: 'mixer.write', generation: 1, percent: 50 });
        expect((await volume.until(isFact<VolumeFact, 'mixer.written'>('mixer.written'), 0, 20_000)).percent).toBe(53);
        daemon.panel.step = 15;
        await volume.until(
          isFact<VolumeFact, 'mixer.observed'>('mixer.observed', (fact) => fact.percent === 100),
          0,
          20_000,
        );
      } finally {
        volume.stop();
      }
    }, 60_000);

    test('a picture of its screen comes whole, and keys and taps arrive as they were asked', async () => {
      const { signal } = new AbortController();
      const picture = await link.picture(signal);
      expect(picture.ok && [picture.value.length, picture.value.subarray(1, 4).toString()]).toEqual([10_008, 'PNG']);
      expect(await link.run({ do: 'tap', x: 12.4, y: 1e9 }, signal)).toMatchObject({ ok: true });
      expect(daemon.panel.services).toContain(`shell:'input' 'tap' '12' '16383'; echo "exit=$?"`);
      expect(await link.run({ do: 'packages' }, signal)).toMatchObject({
        ok: true,
        value: 'package:com.android.settings\npackage:org.example.panel\n',
      });
    }, 60_000);

    test('what is asked of it is answered to whom it is for', async () => {
      const done = (requestId: string) =>
        bridge.until(
          isFact<AdbFact, 'adb.done'>('adb.done', (fact) => fact.requestId === requestId),
          0,
          20_000,
        );
      bridge.tell({ type: 'adb.do', requestId: 'one', command: { do: 'packages' } });
      bridge.tell({ type: 'adb.do', requestId: 'two', command: { do: 'screenshot' } });
      const [one, two] = await Promise.all([done('one'), done('two')]);
      expect(one.outcome).toMatchObject({ ok: true, png: null, text: expect.stringContaining('org.example.panel') });
      expect(two.outcome).toMatchObject({ ok: true, text: '' });
    }, 60_000);

    test('it is rebooted', async () => {
      const power = runDriver<PowerDriverCommand, PowerFact>(adbPower(link));
      try {
        await power.until(
          isFact<PowerFact, 'reboot.route'>('reboot.route', (fact) => fact.route === 'adb'),
          0,
          20_000,
        );
        power.tell({ type: 'reboot.do' });
        await power.until(isFact<PowerFact, 'reboot.begun'>('reboot.begun'), 0, 20_000);
        expect(daemon.panel.reboots).toBe(1);
      } finally {
        power.stop();
      }
    }, 60_000);

    test('when it is gone that is a state, and when it is back it is used again', async () => {
      const from = bridge.facts.length;
      daemon.cut();
      await seen('online', from);
      expect(bridge.facts.slice(from).map((fact) => (fact.type === 'adb.observed' ? fact.phase : fact.type))).toContain(
        'waiting',
      );
      expect(bridge.crashed()).toBeUndefined();
    }, 60_000);

    test('a server whose socket was taken away is replaced', async () => {
      const from = bridge.facts.length;
      rmSync(join(folder, 'server'));
      await seen('no-bridge', from);
      await seen('online', from);
      expect(bridge.crashed()).toBeUndefined();
    }, 60_000);

    test('another device that is desired takes the panel away at once, and the same one again is served at once', async () => {
      const from = bridge.facts.length;
      bridge.tell({ type: 'adb.use', target: { kind: 'serial', serial: 'another' } });
      expect(link.online).toBe(false);
      await seen('waiting', from);
      bridge.tell({ type: 'adb.use', target: { kind: 'network', host: '127.0.0.1', port: daemon.port } });
      await seen('online', from);
    }, 60_000);

    test('without a desired device there is neither a device nor a server', async () => {
      bridge.tell({ type: 'adb.use', target: null });
      expect(link.online).toBe(false);
      expect(await link.run({ do: 'packages' }, new AbortController().signal)).toMatchObject({
        ok: false,
        reason: 'no-bridge',
      });
    });
  },
);
