import type { AutoBrightnessDocument } from '#machines/auto-brightness/document.ts';
import type { ChartOutcome, Preview } from '#machines/auto-brightness/events.ts';
import { documentOf } from '#machines/auto-brightness/view.ts';
import type { LightSensor, ReadOutcome, Topic } from '#machines/home-assistant/events.ts';
import { refuse } from '#machines/kit/result.ts';
import type { SettingValue } from '#machines/kit/setting.ts';
import type { RouteDeps } from '#routes/kit/deps.ts';
import { type Refusal, restarting } from '#routes/kit/problem.ts';

/** Longest wait for a chart, in milliseconds: it is drawn in slices beside everything else. */
const CHART_MS = 20_000;

/** The values of all settings; undefined while their part restarts. */
export const valuesOf = (deps: RouteDeps): Readonly<Record<string, SettingValue>> | undefined =>
  deps.registry.read('settings')?.context.values;

/** Why the part takes no request: the settings keep it off, or it is being restarted; null if it runs. */
export function whyNotRunning(deps: RouteDeps): Refusal<'not-running' | 'restarting'> | null {
  if (deps.registry.read('auto-brightness') !== undefined) return null;
  const values = valuesOf(deps);
  if (values === undefined) return restarting('settings');
  return values['auto_brightness'] === true
    ? restarting('auto-brightness')
    : refuse('not-running', 'Automatic brightness is off. Turn it on first: setting auto_brightness.');
}

/** The decision as of now; a refusal while a part restarts. */
export function readRoom(
  deps: RouteDeps,
): { readonly ok: true; readonly doc: AutoBrightnessDocument } | Refusal<'restarting'> {
  const values = valuesOf(deps);
  if (values === undefined) return restarting('settings');
  const room = deps.registry.read('auto-brightness')?.context.room ?? null;
  const why = whyNotRunning(deps);
  if (why?.reason === 'restarting') return restarting('auto-brightness');
  return { ok: true, doc: documentOf(room, values, deps.now()) };
}

/** The chart of the last hours with these settings, or why there is none. */
export async function readChart(
  deps: RouteDeps,
  hours: number,
  preview: Preview,
  boundMs = CHART_MS,
): Promise<Extract<ChartOutcome, { ok: true }> | Refusal<'not-running' | 'no-source' | 'chart-busy' | 'restarting'>> {
  const asked = await deps.registry.ask('auto-brightness', { type: 'auto-brightness.chart', hours, preview }, boundMs);
  if (!asked.ok) return whyNotRunning(deps) ?? restarting('auto-brightness');
  const outcome = asked.value;
  if (outcome.ok) return outcome;
  return outcome.reason === 'busy' ? chartBusy : noSource;
}

const chartBusy = refuse('chart-busy', 'Another chart is being drawn. Try again in a few seconds.');

/** The refusal of what needs a measured light. */
export const noSource = refuse(
  'no-source',
  'This panel measures no light. Choose a light sensor of Home Assistant on the page /room.',
);

/** One reading of Home Assistant, or the refusal that says why there is none. */
export async function readHome(
  deps: RouteDeps,
  topic: Topic,
  boundMs: number,
): Promise<Extract<ReadOutcome, { ok: true }> | Refusal<'signed-out' | 'home-assistant-away'>> {
  const asked = await deps.registry.ask('home-assistant', { type: 'home-assistant.read', topic }, boundMs);
  if (asked.ok && asked.value.ok) return asked.value;
  // Without an address there is no connection to ask.
  const isUnaddressed = !asked.ok && asked.reason === 'absent' && valuesOf(deps)?.['ha_url'] === '';
  if (isUnaddressed || (asked.ok && !asked.value.ok && asked.value.reason === 'signed-out'))
    return refuse('signed-out', 'The panel is not signed in to Home Assistant. Sign in first: page /sign-in.');
  return refuse(
    'home-assistant-away',
    'Home Assistant did not answer in time. Nothing was changed; try again once it does.',
  );
}

/** The light sensors of Home Assistant; null if it could not be asked. */
export async function readSensors(deps: RouteDeps, boundMs: number): Promise<readonly LightSensor[] | null> {
  const read = await readHome(deps, { kind: 'light-sensors' }, boundMs);
  return read.ok && read.reading.kind === 'light-sensors' ? read.reading.sensors : null;
}
