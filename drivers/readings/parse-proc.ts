/** Time counters of all processors together, in clock ticks since boot. */
export interface CpuTimes {
  readonly busy: number;
  readonly total: number;
}

/** Parses the counters of `/proc/stat`; null if the text has none. Guest time is part of user time and is left out. */
export function parseCpuTimes(stat: string): CpuTimes | null {
  const line = /^cpu +([\d ]+)$/m.exec(stat)?.[1];
  if (line === undefined) return null;
  const ticks = line.trim().split(/ +/).slice(0, 8).map(Number);
  if (ticks.length < 4) return null;
  const total = ticks.reduce((sum, tick) => sum + tick, 0);
  return { total, busy: total - (ticks[3] ?? 0) - (ticks[4] ?? 0) };
}

/** Busy share between two readings in percent, 0 to 100; null if no time has passed or the counters went backwards. */
export function cpuShare(before: CpuTimes | null, after: CpuTimes | null): number | null {
  if (before === null || after === null) return null;
  const total = after.total - before.total;
  if (total <= 0) return null;
  return Math.min(100, Math.max(0, (100 * (after.busy - before.busy)) / total));
}

/** Parses the boot time from the line `btime` (whole seconds), in milliseconds since the Unix epoch. */
export function parseBootTime(stat: string): number | null {
  const seconds = /^btime (\d+)$/m.exec(stat)?.[1];
  return seconds === undefined ? null : Number(seconds) * 1000;
}

function kibibytes(meminfo: string, key: string): number | null {
  const found = new RegExp(`^${key}: +(\\d+) kB$`, 'm').exec(meminfo)?.[1];
  return found === undefined ? null : Number(found);
}

/** Percent of memory that is not available to programs, from `/proc/meminfo`; null if the kernel does not say. */
export function parseMemory(meminfo: string): number | null {
  const total = kibibytes(meminfo, 'MemTotal');
  const available = kibibytes(meminfo, 'MemAvailable');
  if (total === null || available === null || total === 0) return null;
  return Math.min(100, Math.max(0, 100 * (1 - available / total)));
}

export interface DefaultRoute {
  readonly interface: string;
  readonly metric: number;
}

const cheapest = (routes: readonly DefaultRoute[]): DefaultRoute | null =>
  routes.reduce<DefaultRoute | null>(
    (best, route) => (best === null || route.metric < best.metric ? route : best),
    null,
  );

const UP = 0x1;
const REJECT = 0x200;

/** The IPv4 default route with the lowest metric in `/proc/net/route`. */
export const parseIpv4Route = (table: string): DefaultRoute | null =>
  cheapest(
    table
      .split('\n')
      .slice(1)
      .map((line) => line.trim().split(/\s+/))
      .flatMap(([name, destination, , flags, , , metric, mask]) => {
        const bits = Number.parseInt(flags ?? '0', 16);
        const isDefault = destination === '00000000' && mask === '00000000';
        return name !== undefined && isDefault && (bits & UP) !== 0 && (bits & REJECT) === 0
          ? [{ interface: name, metric: Number(metric) }]
          : [];
      }),
  );

/**
 * The IPv6 default route with the lowest metric in `/proc/net/ipv6_route`; the kernel's own reject routes are on `lo`.
 */
export const parseIpv6Route = (table: string): DefaultRoute | null =>
  cheapest(
    table
      .split('\n')
      .map((line) => line.trim().split(/\s+/))
      .flatMap((fields) => {
        const [destination, prefix, , , , metric, , , flags, name] = fields;
        const bits = Number.parseInt(flags ?? '0', 16);
        const isDefault = destination === '0'.repeat(32) && prefix === '00';
        return name !== undefined && name !== 'lo' && isDefault && (bits & UP) !== 0 && (bits & REJECT) === 0
          ? [{ interface: name, metric: Number.parseInt(metric ?? '0', 16) }]
          : [];
      }),
  );

/** Signal of an interface in dBm, from `/proc/net/wireless`; null if it is not listed or not in dBm. */
export function parseWirelessSignal(table: string, name: string): number | null {
  const line = table.split('\n').find((candidate) => candidate.trim().startsWith(`${name}:`));
  const level = line?.trim().split(/\s+/)[3];
  if (level === undefined) return null;
  const value = Number.parseFloat(level);
  // Positive numbers are on a driver's own scale; drivers without a value write 0.
  return Number.isFinite(value) && value < 0 ? value : null;
}

/** Decodes the bytes that `iw` writes as `\xNN`, as UTF-8. */
function unescapeIw(text: string): string {
  const bytes: number[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const hex = /^\\x([0-9a-f]{2})/i.exec(text.slice(at, at + 4))?.[1];
    if (hex !== undefined) {
      bytes.push(Number.parseInt(hex, 16));
      at += 3;
    } else if (text[at] === '\\' && text[at + 1] === '\\') {
      bytes.push(0x5c);
      at += 1;
    } else {
      bytes.push(...Buffer.from(text[at] ?? ''));
    }
  }
  return Buffer.from(bytes).toString('utf8');
}

/** Parses `iw dev <interface> link`: the joined network and its signal. */
export function parseIwLink(output: string): { readonly name: string | null; readonly signalDbm: number | null } {
  const name = /^\s*SSID: (.*)$/m.exec(output)?.[1];
  const signal = /^\s*signal: (-?\d+(?:\.\d+)?) dBm/m.exec(output)?.[1];
  return {
    name: name === undefined || name === '' ? null : unescapeIw(name),
    signalDbm: signal === undefined ? null : Number(signal),
  };
}
