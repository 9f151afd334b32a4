import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { MachineReading } from '#machines/readings/events.ts';

import { parseIwLink, parseWirelessSignal } from './parse-proc.ts';

/** Runs a command and gives what it wrote; null when it does not exist, fails or takes too long. */
export type RunTool = (command: string, args: readonly string[]) => Promise<string | null>;

/** Longest time for a tool that only asks the kernel. */
const TOOL_TIMEOUT_MS = 2_000;

/** `RunTool` on this machine; the administrator's folders are searched too, where Debian keeps `iw`. */
export const runTool: RunTool = (command, args) =>
  new Promise((resolve) => {
    const env = { ...process.env, PATH: `${process.env['PATH'] ?? ''}:/usr/sbin:/sbin`, LC_ALL: 'C.UTF-8' };
    execFile(command, [...args], { timeout: TOOL_TIMEOUT_MS, maxBuffer: 64 * 1024, env }, (error, stdout) =>
      resolve(error === null ? stdout : null),
    );
  });

/** What is known of the wireless network. */
export type WifiReading = Pick<MachineReading, 'wifi' | 'wifiName' | 'wifiSignalDbm'>;

const read = (path: string): Promise<string | null> => readFile(path, 'utf8').catch(() => null);

/** Wireless interfaces, by the folder that the kernel gives them. */
export const wirelessInterfaces = async (root: string): Promise<readonly string[]> => {
  const net = join(root, 'sys/class/net');
  const names: string[] = await readdir(net).catch(() => []);
  const found = await Promise.all(
    names.map(async (name) => {
      const parts: string[] = await readdir(join(net, name)).catch(() => []);
      return parts.includes('phy80211') || parts.includes('wireless') ? [name] : [];
    }),
  );
  return found.flat().toSorted();
};

const fromTools = async (
  name: string,
  run: RunTool,
): Promise<{ readonly name: string | null; readonly signalDbm: number | null }> => {
  const iw = await run('iw', ['dev', name, 'link']);
  if (iw !== null) return parseIwLink(iw);
  const essid = await run('iwgetid', [name, '--raw']);
  return { name: essid === null || essid.trim() === '' ? null : essid.replace(/\n$/, ''), signalDbm: null };
};

/** Reads the wireless network that is joined, if there is one; a tool runs only then. */
export const readWifi = async (root: string, run: RunTool): Promise<WifiReading> => {
  const names = await wirelessInterfaces(root);
  if (names.length === 0) return { wifi: 'none', wifiName: null, wifiSignalDbm: null };
  for (const name of names) {
    if ((await read(join(root, 'sys/class/net', name, 'operstate')))?.trim() !== 'up') continue;
    const link = await fromTools(name, run);
    const signal = link.signalDbm ?? parseWirelessSignal((await read(join(root, 'proc/net/wireless'))) ?? '', name);
    return { wifi: 'joined', wifiName: link.name, wifiSignalDbm: signal };
  }
  return { wifi: 'idle', wifiName: null, wifiSignalDbm: null };
};
