import type { StorageHealthObject } from './events.ts';

const MIB = 1024 * 1024;

/** Free bytes and percent used at which a band is entered and left (as panel-assistant). */
const BANDS = {
  warning: { freeOn: 512 * MIB, freeOff: 768 * MIB, usedOn: 90, usedOff: 85 },
  critical: { freeOn: 128 * MIB, freeOff: 256 * MIB, usedOn: 97, usedOff: 94 },
} as const;

/** How full the file system is, with hysteresis. */
export type Pressure = StorageHealthObject['pressure_state'];

/** Free and total bytes of one file system. */
export interface Capacity {
  readonly usableBytes: number;
  readonly totalBytes: number;
}

/** Share of the file system in use, 0 to 100 with one decimal. */
export const usedPercent = ({ usableBytes, totalBytes }: Capacity): number =>
  totalBytes <= 0 ? 100 : Math.min(100, Math.max(0, Math.round(1000 * (1 - usableBytes / totalBytes)) / 10));

const enters = (band: (typeof BANDS)['warning' | 'critical'], free: number, used: number): boolean =>
  free <= band.freeOn || used >= band.usedOn;

const isClear = (band: (typeof BANDS)['warning' | 'critical'], free: number, used: number): boolean =>
  free >= band.freeOff && used <= band.usedOff;

/**
 * The pressure after one inspection. Either signal enters a band; both must be clear to leave it; critical steps down
 * to warning unless that is clear as well. With an unknown capacity an earlier warning or critical stays.
 */
export function nextPressure(previous: Pressure, capacity: Capacity | null): Pressure {
  if (capacity === null) return previous === 'warning' || previous === 'critical' ? previous : 'unchecked';
  const free = capacity.usableBytes;
  const used = capacity.totalBytes <= 0 ? 100 : 100 * (1 - free / capacity.totalBytes);
  if (enters(BANDS.critical, free, used)) return 'critical';
  if (previous === 'critical' && !isClear(BANDS.critical, free, used)) return 'critical';
  if (enters(BANDS.warning, free, used)) return 'warning';
  if (previous !== 'healthy' && previous !== 'unchecked' && !isClear(BANDS.warning, free, used)) return 'warning';
  return 'healthy';
}
