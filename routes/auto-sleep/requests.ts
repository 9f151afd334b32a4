import type { AreaSources, Prerequisite } from '#machines/auto-sleep/events.ts';
import { isSleepWanted } from '#machines/auto-sleep/settings.ts';
import { documentOf, prerequisiteIn } from '#machines/auto-sleep/view.ts';
import type { AutoSleepDocument } from '#machines/auto-sleep/document.ts';
import { refuse } from '#machines/kit/result.ts';
import type { SettingValue } from '#machines/kit/setting.ts';
import { deviceIdentifier } from '#machines/publisher/topics.ts';
import type { RouteDeps } from '#routes/kit/deps.ts';
import { type Refusal, restarting } from '#routes/kit/problem.ts';

/** Longest wait for what the part knows already, in milliseconds. */
const KNOWN_MS = 2000;
/** Longest wait for Home Assistant, in milliseconds: to connect, and for its answer. */
const AREA_MS = 22_000;

/** The values of all settings; undefined while their part restarts. */
const valuesOf = (deps: RouteDeps): Readonly<Record<string, SettingValue>> | undefined =>
  deps.registry.read('settings')?.context.values;

/** Why the part takes no request: the settings keep it off, or it is being restarted; null if it runs. */
export function whyNotRunning(deps: RouteDeps): Refusal<'not-running' | 'restarting'> | null {
  if (deps.registry.read('auto-sleep') !== undefined) return null;
  const values = valuesOf(deps);
  if (values === undefined) return restarting('settings');
  return isSleepWanted(values)
    ? restarting('auto-sleep')
    : refuse('not-running', 'Auto-sleep is off. Turn it on first: setting auto_sleep.');
}

/** The area and its sensors; null while they are unknown, or not what goes by. */
export async function readSources(deps: RouteDeps): Promise<AreaSources | null> {
  if (deps.registry.read('auto-sleep') === undefined) return null;
  const asked = await deps.registry.ask('auto-sleep', { type: 'auto-sleep.sources' }, KNOWN_MS);
  return asked.ok && asked.value.ok ? asked.value.value : null;
}

/** The decision as of now, and the sensors it goes by; a refusal while a part restarts. */
export async function readSleep(
  deps: RouteDeps,
): Promise<
  { readonly ok: true; readonly doc: AutoSleepDocument; readonly sources: AreaSources | null } | Refusal<'restarting'>
> {
  const values = valuesOf(deps);
  if (values === undefined) return restarting('settings');
  const why = whyNotRunning(deps);
  if (why?.reason === 'restarting') return restarting('auto-sleep');
  const sources = await readSources(deps);
  const facts = deps.registry.read('auto-sleep')?.context ?? 'off';
  const doc = documentOf(facts, { values, areaName: sources?.areaName ?? null, now: deps.now() });
  return { ok: true, doc, sources };
}

/** The panel's area, read from Home Assistant now. */
export async function readPrerequisite(deps: RouteDeps): Promise<Prerequisite> {
  const panelId = deps.registry.read('identity')?.context.panelId;
  const unavailable: Prerequisite = { phase: 'unavailable', areaName: null };
  if (panelId === undefined) return unavailable;
  const topic = { kind: 'area-presence', identifier: deviceIdentifier(panelId) } as const;
  const asked = await deps.registry.ask('home-assistant', { type: 'home-assistant.read', topic }, AREA_MS);
  // Without an address there is no connection to ask.
  if (!asked.ok)
    return asked.reason === 'absent' && valuesOf(deps)?.['ha_url'] === ''
      ? { phase: 'auth_failed', areaName: null }
      : unavailable;
  return prerequisiteIn(asked.value);
}
