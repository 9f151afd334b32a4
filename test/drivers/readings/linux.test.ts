import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { linuxReadings } from '#drivers/readings/linux.ts';
import { findTemperatureFiles, readTemperature } from '#drivers/readings/temperature.ts';
import { readWifi, type RunTool } from '#drivers/readings/wifi.ts';
import type { ReadingsDriverCommand, ReadingsEvent } from '#machines/readings/events.ts';
import { isFact, runDriver } from '#test/drivers/run-driver.ts';

let root = '';
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'sconce-readings-'));
});
afterEach(async () => {
  await rm(root, { recursive: true, force: true });
});

async function put(path: string, text: string): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true });
  await writeFile(join(root, path), text);
}

describe('the temperature', () => {
  it('is that of the best zone, whatever its number', async () => {
    await put('sys/class/thermal/thermal_zone0/type', 'acpitz\n');
    await put('sys/class/thermal/thermal_zone0/temp', '27800\n');
    await put('sys/class/thermal/thermal_zone1/type', 'x86_pkg_temp\n');
    await put('sys/class/thermal/thermal_zone1/temp', '51500\n');
    await put('sys/class/thermal/cooling_device0/type', 'Processor\n');
    expect(await readTemperature(await findTemperatureFiles(root))).toBe(51.5);
  });

  it('comes from hwmon where no zone measures the processor', async () => {
    await put('sys/class/thermal/thermal_zone0/type', 'battery\n');
    await put('sys/class/thermal/thermal_zone0/temp', '30000\n');
    await put('sys/class/hwmon/hwmon0/name', 'nvme\n');
    await put('sys/class/hwmon/hwmon0/temp1_input', '40000\n');
    await put('sys/class/hwmon/hwmon1/name', 'k10temp\n');
    await put('sys/class/hwmon/hwmon1/temp1_input', '47250\n');
    expect(await readTemperature(await findTemperatureFiles(root))).toBe(47.25);
  });

  it('passes over sensors that are switched off or broken', async () => {
    await put('sys/class/thermal/thermal_zone0/type', 'cpu-thermal\n');
    await put('sys/class/thermal/thermal_zone0/temp', '0\n');
    await put('sys/class/thermal/thermal_zone1/type', 'cpu1-thermal\n');
    await put('sys/class/thermal/thermal_zone1/temp', '999000\n');
    await put('sys/class/thermal/thermal_zone2/type', 'acpitz\n');
    await put('sys/class/thermal/thermal_zone2/temp', '');
    expect(await readTemperature(await findTemperatureFiles(root))).toBeNull();
    expect(await findTemperatureFiles('/nowhere')).toEqual([]);
  });
});

describe('the wireless network', () => {
  const joined = async (): Promise<void> => {
    await put('sys/class/net/eth0/operstate', 'up\n');
    await put('sys/class/net/wlan0/operstate', 'up\n');
    await put('sys/class/net/wlan0/phy80211/name', 'phy0\n');
    await put('proc/net/wireless', 'a\nb\n wlan0: 0000   56.  -58.  -256  0 0 0 0 0 0\n');
  };
  const tools = (answers: Readonly<Record<string, string>>): { readonly run: RunTool; readonly calls: string[] } => {
    const calls: string[] = [];
    return {
      calls,
      run: async (command, args) => {
        calls.push([command, ...args].join(' '));
        return answers[command] ?? null;
      },
    };
  };

  it('is none without a wireless interface, and no tool runs', async () => {
    await put('sys/class/net/eth0/operstate', 'up\n');
    const { run, calls } = tools({});
    expect(await readWifi(root, run)).toEqual({ wifi: 'none', wifiName: null, wifiSignalDbm: null });
    expect(calls).toEqual([]);
  });

  it('is idle while the interface is down, and no tool runs', async () => {
    await put('sys/class/net/wlan0/operstate', 'down\n');
    await put('sys/class/net/wlan0/wireless/x', '');
    const { run, calls } = tools({});
    expect(await readWifi(root, run)).toMatchObject({ wifi: 'idle' });
    expect(calls).toEqual([]);
  });

  it('is told by iw', async () => {
    await joined();
    const { run } = tools({ iw: 'Connected\n\tSSID: Attic\n\tsignal: -61 dBm\n' });
    expect(await readWifi(root, run)).toEqual({ wifi: 'joined', wifiName: 'Attic', wifiSignalDbm: -61 });
  });

  it('is told by iwgetid and the kernel without iw', async () => {
    await joined();
    const { run } = tools({ iwgetid: 'Attic 2\n' });
    expect(await readWifi(root, run)).toEqual({ wifi: 'joined', wifiName: 'Attic 2', wifiSignalDbm: -58 });
  });

  it('has a signal and no name without any tool', async () => {
    await joined();
    expect(await readWifi(root, tools({}).run)).toEqual({ wifi: 'joined', wifiName: null, wifiSignalDbm: -58 });
  });
});

const start = (logic = linuxReadings({ root })) => runDriver<ReadingsDriverCommand, ReadingsEvent>(logic);
const taken = isFact<ReadingsEvent, 'readings.taken'>('readings.taken');

describe('the readings of a machine', () => {
  it('are all null where nothing can be read, which is no crash', async () => {
    const driver = start(linuxReadings({ root, interfaces: () => ({}), now: () => 7 }));
    const { reading, at } = await driver.until(taken);
    driver.stop();
    expect(at).toBe(7);
    expect(reading).toEqual({
      cpuPercent: null,
      memoryPercent: null,
      socCelsius: null,
      bootedAt: null,
      address: null,
      wifi: 'none',
      wifiName: null,
      wifiSignalDbm: null,
      routeFamily: 'ipv4',
    });
    expect(driver.crashed()).toBeUndefined();
  });

  it('know the load from the second look on', async () => {
    await put('proc/stat', 'cpu  0 0 0 100 0 0 0 0 0 0\nbtime 1000\n');
    await put('proc/meminfo', 'MemTotal: 100 kB\nMemAvailable: 40 kB\n');
    const driver = start();
    expect((await driver.until(taken)).reading).toMatchObject({
      cpuPercent: null,
      memoryPercent: 60,
      bootedAt: 1_000_000,
    });
    await put('proc/stat', 'cpu  50 0 0 150 0 0 0 0 0 0\nbtime 1000\n');
    driver.tell({ type: 'readings.read' });
    const second = await driver.until(
      isFact<ReadingsEvent, 'readings.taken'>('readings.taken', ({ reading }) => reading.cpuPercent !== null),
    );
    driver.stop();
    expect(second.reading.cpuPercent).toBe(50);
  });

  it('are those of this very machine', async () => {
    const driver = start(linuxReadings());
    const { reading } = await driver.until(taken);
    driver.stop();
    expect(reading.memoryPercent).toBeGreaterThan(0);
    expect(reading.bootedAt).toBeLessThan(Date.now());
    expect(['ipv4', 'ipv6']).toContain(reading.routeFamily);
  });
});
