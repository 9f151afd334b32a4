import { isGone } from '#drivers/kit/attached.ts';
import { errorCode } from '#drivers/kit/error-code.ts';
import { serial } from '#drivers/kit/serial.ts';
import { ok, refuse, type Result } from '#machines/kit/result.ts';
import type { Milliseconds } from '#machines/kit/units.ts';

import {
  type BacklightDevice,
  type BacklightGauge,
  openGauge,
  scanBacklights,
  writeBrightness,
  writePower,
} from './backlight-device.ts';
import type { DisplayRoute, RouteReading, RouteRefusal, RouteTarget } from './route.ts';

export interface BacklightOptions {
  /** Class folder; the kernel's by default. */
  readonly root?: string;
  /** Pause between two readings; 500 ms by default, so that changes made elsewhere are seen within a second. */
  readonly pollMs?: Milliseconds;
}

const refusalOf = (error: unknown): RouteRefusal =>
  isGone(error) ? 'gone' : ['EACCES', 'EPERM', 'EROFS'].includes(errorCode(error)) ? 'not-permitted' : 'failed';

function target(device: BacklightDevice, gauge: BacklightGauge, pollMs: Milliseconds): RouteTarget {
  const { name, rawMax, power } = device.facts;
  /** Reads and writes take turns: a plain file may be empty while it is written. */
  const inTurn = serial();
  const attempt = async <T>(work: () => Promise<T>): Promise<Result<T, RouteRefusal>> => {
    try {
      return ok(await inTurn(work));
    } catch (error) {
      return refuse(refusalOf(error), 'The kernel refused.');
    }
  };
  return {
    route: 'backlight',
    connector: null,
    name,
    rawMax,
    power,
    pollMs,
    answerMs: 2000,
    read: async (wanted): Promise<Result<RouteReading, RouteRefusal>> => {
      const reading = await attempt(() => gauge.read(wanted.powered));
      if (!reading.ok) return reading;
      return reading.value === null
        ? refuse('not-understood', 'The kernel shows no number.')
        : ok({ ...reading.value, powered: wanted.powered ? reading.value.powered : null });
    },
    write: async ({ raw, powered }) => {
      // Write the brightness first: a screen that lights up at its old level would flash.
      const dimmed = raw === null ? ok(null) : await attempt(() => writeBrightness(device, raw));
      if (!dimmed.ok || powered === null || !power) return dimmed.ok ? ok(null) : dimmed;
      const switched = await attempt(() => writePower(device, powered));
      return switched.ok ? ok(null) : switched;
    },
    requested: () => attempt(() => gauge.requested()),
    close: () => gauge.close(),
  };
}

/** The kernel's backlight, found by trying and polled, since sysfs has no change events. */
export const backlightRoute = ({
  root = '/sys/class/backlight',
  pollMs = 500,
}: BacklightOptions = {}): DisplayRoute => ({
  name: 'backlight',
  list: async () => {
    const found = await scanBacklights(root);
    if (!('device' in found))
      return 'unwritable' in found
        ? refuse('not-permitted', found.unwritable)
        : refuse('nothing-there', 'No backlight.');
    const gauge = await openGauge(found.device).catch(() => null);
    return gauge === null ? refuse('nothing-there', 'No backlight.') : ok([target(found.device, gauge, pollMs)]);
  },
});
