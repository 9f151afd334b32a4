import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { runTool } from '#drivers/kit/run-tool.ts';
import type { MachineReading } from '#machines/readings/events.ts';

import { parseIwLink, parseWirelessSignal } from './parse-proc.ts';

/** Runs a tool and returns its output; null if it is not installed, fails or takes too long. */
export type RunTool = (tool: string, args: readonly string[]) => Promise<string | null>;

/** `RunTool` on this machine; aborting the signal ends the tool. */
export const toolsHere =
  (signal: AbortSignal): RunTool =>
  async (tool, args) => {
    const answer = await runTool(tool, args, process.env, signal);
    return answer.ok ? answer.value : null;
  };

export type WifiReading = Pick<MachineReading, 'wifi' | 'wifiName' | 'wifiSignalDbm'>;

const read = (path: string): Promise<string | null> => readFile(path, 'utf8').catch(() => null);

/** Wireless interfaces, recognised by the folders that the kernel adds to them. */
async function wirelessInterfaces(root: string): Promise<readonly string[]> {
  const net = join(root, 'sys/class/net');
  const names: string[] = await readdir(net).catch(() => []);
  const found = await Promise.all(
    names.map(async (name) => {
      const parts: string[] = await readdir(join(net, name)).catch(() => []);
      return parts.includes('phy80211') || parts.includes('wireless') ? [name] : [];
    }),
  );
  return found.flat().toSorted();
}

async function fromTools(
  name: string,
  run: RunTool,
): Promise<{ readonly name: string | null; readonly signalDbm: number | null }> {
  const iw = await run('iw', ['dev', name, 'link']);
  if (iw !== null) return parseIwLink(iw);
  const essid = await run('iwgetid', [name, '--raw']);
  return { name: essid === null || essid.trim() === '' ? null : essid.replace(/\n$/, ''), signalDbm: null };
}

/** Reads the joined wireless network. A tool runs only if a wireless interface is up. */
export async function readWifi(root: string, run: RunTool): Promise<WifiReading> {
  const names = await wirelessInterfaces(root);
  if (names.length === 0) return { wifi: 'none', wifiName: null, wifiSignalDbm: null };
  for (const name of names) {
    if ((await read(join(root, 'sys/class/net', name, 'operstate')))?.trim() !== 'up') continue;
    const link = await fromTools(name, run);
    const signal = link.signalDbm ?? parseWirelessSignal((await read(join(root, 'proc/net/wireless'))) ?? '', name);
    return { wifi: 'joined', wifiName: link.name, wifiSignalDbm: signal };
  }
  return { wifi: 'idle', wifiName: null, wifiSignalDbm: null };
}
