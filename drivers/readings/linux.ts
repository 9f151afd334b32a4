import { networkInterfaces } from 'node:os';
import { join } from 'node:path';

import { fromDriver } from '#drivers/kit/from-driver.ts';
import { readProc } from '#drivers/kit/read-proc.ts';
import { rounds } from '#drivers/kit/rounds.ts';
import type { ReadingsDriverCommand, ReadingsFact } from '#machines/readings/events.ts';

import { type Interfaces, primaryAddress, routeFamily } from './address.ts';
import {
  cpuShare,
  type CpuTimes,
  parseBootTime,
  parseCpuTimes,
  parseIpv4Route,
  parseIpv6Route,
  parseMemory,
} from './parse-proc.ts';
import { findTemperatureFiles, readTemperature } from './temperature.ts';
import { readWifi, type RunTool, toolsHere, type WifiReading } from './wifi.ts';

const READ_MS = 10_000;
/** Shortest time between two readings of the wireless network, each of which starts a process. */
const WIFI_MS = 30_000;
/**
 * Delay of the second reading: the first load figure needs two, and a new page should not wait a whole round for it.
 */
const FIRST_SHARE_MS = 1_000;

/** Sources of the driver; defaults outside tests. */
export interface ReadingsSources {
  /** Root of the file system; `/` by default. */
  readonly root?: string;
  readonly interfaces?: () => Interfaces;
  readonly run?: RunTool;
  /** Milliseconds since the Unix epoch. */
  readonly now?: () => number;
  /** Milliseconds of a monotonic clock, for ages. */
  readonly steady?: () => number;
}

/** Reads the machine's figures from procfs and sysfs, every 10 seconds and on command. */
export function linuxReadings(sources: ReadingsSources = {}) {
  const { root = '/', interfaces = networkInterfaces, now = Date.now, steady = () => performance.now() } = sources;
  const read = (path: string): Promise<string> => readProc(join(root, path)).catch(() => '');

  return fromDriver<ReadingsDriverCommand, undefined, ReadingsFact>((scope) => {
    const run = sources.run ?? toolsHere(scope.signal);
    let times: CpuTimes | null = null;
    let share: number | null = null;
    let files: readonly string[] | null = null;
    let wifi: { readonly at: number; readonly reading: WifiReading } | null = null;

    const readAll = async (): Promise<void> => {
      files ??= await findTemperatureFiles(root);
      const [stat, meminfo, ipv4, ipv6, socCelsius] = await Promise.all([
        read('proc/stat'),
        read('proc/meminfo'),
        read('proc/net/route'),
        read('proc/net/ipv6_route'),
        readTemperature(files),
      ]);
      const current = parseCpuTimes(stat);
      // No load can be computed over no time; keep the previous one.
      share = cpuShare(times, current) ?? share;
      times = current;
      if (wifi === null || steady() - wifi.at >= WIFI_MS) wifi = { at: steady(), reading: await readWifi(root, run) };
      const routes = { ipv4: parseIpv4Route(ipv4), ipv6: parseIpv6Route(ipv6) };
      const reading = {
        cpuPercent: share,
        memoryPercent: parseMemory(meminfo),
        socCelsius,
        bootedAt: parseBootTime(stat),
        address: primaryAddress(routes, interfaces()),
        ...wifi.reading,
        routeFamily: routeFamily(routes),
      };
      scope.send({ type: 'readings.taken', reading, at: now() });
    };

    const readings = rounds(scope, async () => {
      await readAll();
      return share === null && times !== null ? FIRST_SHARE_MS : READ_MS;
    });
    scope.onEvent(readings.now);
    readings.nextIn(0);
    return () => void readings.stop();
  });
}
