import { runTool, type ToolEnv } from '#drivers/kit/run-tool.ts';
import { ok, refuse, type Result } from '#machines/kit/result.ts';
import type { Milliseconds } from '#machines/kit/units.ts';

import type { DisplayRoute, RouteReading, RouteRefusal, RouteTarget } from './route.ts';

/**
 * Time limits. A scan of every bus takes seconds; a query takes a fraction of one, up to three on a reluctant monitor.
 */
const DETECT_MS: Milliseconds = 10_000;
const ASK_MS: Milliseconds = 4000;
/** Features of the Monitor Control Command Set: luminance, and power mode with its values for on and off. */
const LUMINANCE = '10';
const POWER_MODE = 'D6';
const POWER_ON = 1;
const POWER_OFF = 4;

/** A monitor that `ddcutil detect --brief` lists. */
export interface DetectedMonitor {
  readonly bus: number;
  readonly connector: string | null;
}

/** Parses `ddcutil detect --brief`; monitors that it calls invalid are left out. */
export const parseDetect = (text: string): readonly DetectedMonitor[] =>
  text
    .split(/^(?=\S)/m)
    .filter((block) => /^Display \d+/.test(block))
    .flatMap((block) => {
      const bus = /\/dev\/i2c-(\d{1,3})/.exec(block)?.[1];
      const connector = /DRM[ _]connector:\s+(?:card\d+-)?(\S+)/.exec(block)?.[1] ?? null;
      return bus === undefined ? [] : [{ bus: Number(bus), connector }];
    });

/**
 * Parses `ddcutil --brief getvcp`: a continuous feature with value and maximum (`VCP 10 C 50 100`), or a simple one
 * (`VCP D6 SNC x01`).
 */
export function parseFeature(text: string): { readonly value: number; readonly max: number | null } | null {
  const continuous = /^VCP [\dA-F]{2} C (\d{1,5}) (\d{1,5})\s*$/m.exec(text);
  if (continuous !== null) return { value: Number(continuous[1]), max: Number(continuous[2]) };
  const simple = /^VCP [\dA-F]{2} (?:SNC|CNC) (?:x[\da-f]{2} x[\da-f]{2} x[\da-f]{2} )?x([\da-f]{2})\s*$/m.exec(text);
  return simple === null ? null : { value: Number.parseInt(simple[1] ?? '', 16), max: null };
}

function monitorTarget(
  env: ToolEnv,
  { bus, connector }: DetectedMonitor,
  rawMax: number | null,
  power: boolean,
  signal: AbortSignal,
): RouteTarget {
  const ask = (...args: readonly string[]) =>
    runTool('ddcutil', ['--bus', String(bus), '--brief', ...args], env, signal, ASK_MS);
  const get = async (feature: string) => {
    const text = await ask('getvcp', feature);
    return text.ok ? parseFeature(text.value) : null;
  };
  let off = false;
  return {
    route: 'ddc',
    connector,
    name: connector ?? `i2c-${bus}`,
    rawMax,
    power,
    // Polling wakes some monitors and occupies the bus.
    pollMs: null,
    answerMs: 10_000,
    read: async (): Promise<Result<RouteReading, RouteRefusal>> => {
      const mode = power ? await get(POWER_MODE) : null;
      // Some monitors leave the bus when they are switched off, so silence then means off.
      if (mode === null && power)
        return off ? ok({ raw: null, powered: false }) : refuse('no-answer', 'The monitor does not answer.');
      const powered = mode === null ? null : mode.value === POWER_ON;
      if (powered === false || rawMax === null) return ok({ raw: null, powered });
      const level = await get(LUMINANCE);
      return level === null
        ? refuse('no-answer', 'The monitor does not answer.')
        : ok({ raw: Math.min(level.value, rawMax), powered });
    },
    write: async ({ raw, powered }) => {
      // A monitor that is off accepts no brightness, so it is switched on first.
      if (powered === true) {
        const set = await ask('--noverify', 'setvcp', POWER_MODE, String(POWER_ON));
        if (!set.ok) return set;
        off = false;
      }
      if (raw !== null && !off) {
        const set = await ask('--noverify', 'setvcp', LUMINANCE, String(raw));
        if (!set.ok) return set;
      }
      if (powered === false) {
        const set = await ask('--noverify', 'setvcp', POWER_MODE, String(POWER_OFF));
        if (!set.ok) return set;
        off = true;
      }
      return ok(null);
    },
  };
}

/** The monitor itself, over DDC/CI. Brightness is in the monitor's own units, whose maximum it reports. */
export const ddcRoute = (env: ToolEnv): DisplayRoute => ({
  name: 'ddc',
  list: async (signal) => {
    const text = await runTool('ddcutil', ['detect', '--brief'], env, signal, DETECT_MS);
    if (!text.ok) return text;
    if (/permission|EACCES/i.test(text.value)) return refuse('not-permitted', 'This user may not talk to monitors.');
    const targets: RouteTarget[] = [];
    for (const monitor of parseDetect(text.value).slice(0, 4)) {
      const ask = (feature: string) =>
        runTool('ddcutil', ['--bus', String(monitor.bus), '--brief', 'getvcp', feature], env, signal, ASK_MS);
      // oxlint-disable-next-line no-await-in-loop -- buses share the tool's lock
      const level = await ask(LUMINANCE);
      // oxlint-disable-next-line no-await-in-loop -- as above
      const mode = await ask(POWER_MODE);
      const rawMax = level.ok ? (parseFeature(level.value)?.max ?? null) : null;
      const power = mode.ok && parseFeature(mode.value) !== null;
      if ((rawMax ?? 0) > 0 || power) targets.push(monitorTarget(env, monitor, rawMax, power, signal));
    }
    return targets.length === 0 ? refuse('nothing-there', 'No monitor answers over its cable.') : ok(targets);
  },
});
