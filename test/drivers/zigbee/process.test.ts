import { spawn } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { EventObject } from 'xstate';

import { zigbeeProcess } from '#drivers/zigbee/process.ts';
import { findProcesses, isGateway, parseStat, runningFor, shareOf } from '#drivers/zigbee/processes.ts';
import { simulatedZigbee } from '#drivers/zigbee/simulated.ts';
import { SimulatedDevice } from '#drivers/simulator/device.ts';
import type { GatewaySample, ZigbeeFact, ZigbeeGateway } from '#machines/zigbee/events.ts';

import { isFact, runDriver } from '../run-driver.ts';

const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0).toReversed()) end();
});

const sampled = (passes: (sample: GatewaySample) => boolean = () => true) =>
  isFact<ZigbeeFact, 'zigbee.sampled'>('zigbee.sampled', ({ sample }) => passes(sample));

describe('a process is the gateway', () => {
  it.each<[ZigbeeGateway, string, string[], string | null, boolean]>([
    ['cpcd', 'cpcd', ['/usr/local/bin/cpcd'], null, true],
    ['cpcd', 'cpcd-helper', ['/usr/bin/cpcd-helper'], null, false],
    ['siliconlabs_host', 'siliconlabs_hos', ['/vendor/bin/siliconlabs_host', '-p'], null, true],
    ['siliconlabs_host', 'siliconlabs_hos', ['/vendor/bin/siliconlabs_hosts'], null, false],
    ['zigbee2mqtt', 'node', ['/usr/bin/node', '--max-old-space-size=256', 'index.js'], '/opt/zigbee2mqtt', true],
    ['zigbee2mqtt', 'MainThread', ['node', '/opt/zigbee2mqtt/index.js'], null, true],
    ['zigbee2mqtt', 'node', ['node', 'index.js'], '/opt/other', false],
    ['zigbee2mqtt', 'node', ['node', 'index.js'], null, false],
    ['zigbee2mqtt', 'bash', ['bash', '/opt/zigbee2mqtt/index.js'], null, false],
    ['otbr-agent', 'node', ['node', '/opt/otbr-agent/index.js'], null, false],
  ])('%s: %s %j in %s: %s', (gateway, comm, args, folder, expected) =>
    expect(isGateway(gateway, { comm, args, folder })).toBe(expected),
  );
});

describe('its times', () => {
  it('are read behind whatever its name holds', () => {
    expect(parseStat('12 (a) b (c) S 1 1 1 0 -1 4 9 9 9 9 700 50 0 0 20 0 1 0 4242 9 9')).toEqual({
      cpuTicks: 750,
      startedTicks: 4242,
    });
    expect(parseStat('12 (x) S 1')).toBeNull();
  });
  it('come to a share of one core, of what ran all the time', () => {
    const one = (key: string, cpuTicks: number) => ({ key, cpuTicks, startedTicks: 1000 });
    expect(shareOf([one('a', 100)], [one('a', 3100), one('b', 50)], 60_000)).toBe(50);
    expect(shareOf([one('a', 100)], [one('b', 50)], 60_000)).toBeNull();
    expect(runningFor([one('a', 1)], 70)).toBe(60_000);
    expect(runningFor([], 70)).toBeNull();
  });
});

describe('zigbee.process', () => {
  it('finds a real process by its exact name, measures it, and sees it end', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sconce-gateway-'));
    ends.push(() => rmSync(folder, { recursive: true, force: true }));
    const program = join(folder, 'zigbeed');
    copyFileSync('/bin/sleep', program);
    chmodSync(program, 0o755);
    const driver = runDriver<EventObject, ZigbeeFact>(zigbeeProcess({ gateway: 'zigbeed', everyMs: 100 }));
    ends.push(driver.stop);
    await driver.until(sampled(({ running }) => !running));
    const child = spawn(program, ['60'], { stdio: 'ignore' });
    ends.push(() => void child.kill('SIGKILL'));
    const { sample, gateway } = await driver.until(
      sampled(({ running, cpuPercent }) => running && cpuPercent !== null),
    );
    expect(gateway).toBe('zigbeed');
    expect(sample).toMatchObject({ joined: null });
    expect(sample.cpuPercent).toBeLessThan(50);
    expect(sample.runningForMs).toBeLessThan(60_000);
    const before = driver.facts.length;
    child.kill('SIGKILL');
    await driver.until(
      sampled(({ running }) => !running),
      before,
    );
    expect(driver.crashed()).toBeUndefined();
  });

  it('says so where the processes of others are hidden', async () => {
    const proc = mkdtempSync(join(tmpdir(), 'sconce-proc-'));
    ends.push(() => rmSync(proc, { recursive: true, force: true }));
    mkdirSync(join(proc, '77'));
    writeFileSync(join(proc, '77/comm'), 'cpcd\n');
    expect(await findProcesses('cpcd', proc)).toBeNull();
    const driver = runDriver<EventObject, ZigbeeFact>(zigbeeProcess({ gateway: 'cpcd', proc }));
    ends.push(driver.stop);
    expect((await driver.until(isFact<ZigbeeFact, 'zigbee.missing'>('zigbee.missing'))).verdict.reason).toBe(
      'no-process-list',
    );
  });
});

describe('zigbee.simulated', () => {
  it('tells at once what hands do to it', async () => {
    const device = new SimulatedDevice();
    const driver = runDriver<EventObject, ZigbeeFact>(simulatedZigbee(device));
    ends.push(driver.stop);
    await driver.until(sampled(({ running, joined, cpuPercent }) => running && joined === true && cpuPercent === 2));
    device.setZigbee({ joined: false, cpuPercent: 80 });
    await driver.until(sampled(({ joined, cpuPercent }) => joined === false && cpuPercent === 80));
    const before = driver.facts.length;
    device.setLux(7);
    expect(driver.facts).toHaveLength(before);
    device.plug('zigbee', false);
    await driver.until(isFact<ZigbeeFact, 'zigbee.missing'>('zigbee.missing'));
    device.plug('zigbee', true);
    await driver.until(sampled(), before + 1);
  });
});
