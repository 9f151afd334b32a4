import { chosenOf, historyOf } from '#machines/auto-brightness/view.ts';
import { shownValue } from '#machines/sensors/ranges.ts';
import type { RoomPageProps } from '#ui/pages/room-page.tsx';
import type { SensorProof } from '#ui/parts/room-view.tsx';
import type { RouteDeps } from '#routes/kit/deps.ts';
import type { Refusal } from '#routes/kit/problem.ts';
import { readSleep } from '#routes/auto-sleep/requests.ts';
import { documentOf, sourcesOf } from '#machines/auto-sleep/view.ts';
import { readChart, readRoom, valuesOf, whyNotRunning } from './requests.ts';

/** How long the page waits for its chart, in milliseconds; its script asks for it again. */
const CHART_MS = 3_000;
const WEEK_HOURS = 168;

/** The panel's own light sensor; null if it has none. */
function ownSensor({ registry }: RouteDeps): SensorProof | null {
  const sensor = registry.read('illuminance')?.context;
  if (sensor === undefined || !sensor.shown) return null;
  return { name: '', lux: shownValue('illuminance', sensor.measured, sensor.offset), at: sensor.at };
}

/** The last week with the saved settings; null if it cannot be drawn soon. */
async function weekOf(deps: RouteDeps): Promise<RoomPageProps['history']> {
  if (whyNotRunning(deps) !== null) return null;
  const chart = await readChart(deps, WEEK_HOURS, {}, CHART_MS);
  return chart.ok ? historyOf(chart.value, WEEK_HOURS) : null;
}

/** The page is served also while that part restarts. */
const restartingSleep = (deps: RouteDeps) =>
  documentOf('restarting', { values: valuesOf(deps) ?? {}, areaName: null, now: deps.now() });

/** What the page `/room` shows; a refusal while a part restarts. */
export async function roomPageOf(
  deps: RouteDeps,
): Promise<{ readonly ok: true; readonly props: Omit<RoomPageProps, 'status'> } | Refusal<'restarting'>> {
  const read = readRoom(deps);
  if (!read.ok) return read;
  const [history, sleep] = await Promise.all([weekOf(deps), readSleep(deps)]);
  return {
    ok: true,
    props: {
      room: { doc: read.doc, own: ownSensor(deps), now: deps.now() },
      sleep: {
        doc: sleep.ok ? sleep.doc : restartingSleep(deps),
        sources: sleep.ok && sleep.sources !== null ? sourcesOf(sleep.sources) : null,
        now: deps.now(),
      },
      chosen: chosenOf(valuesOf(deps) ?? {}),
      history,
    },
  };
}
