import type { AdbCommand, AdbOutcome } from '#machines/adb/events.ts';
import type { RouteDeps } from '#routes/kit/deps.ts';
import { refuse } from '#machines/kit/result.ts';
import { type Refusal, restarting } from '#routes/kit/problem.ts';

/** Longest wait for one command of an Android panel, in milliseconds; a picture from a slow one takes seconds. */
const androidMs = 25_000;

/** Sends one command to the Android panel; returns its answer, or why there is none. */
export async function askAndroid(
  deps: RouteDeps,
  command: AdbCommand,
): Promise<Extract<AdbOutcome, { ok: true }> | Refusal<'panel-unavailable' | 'restarting'>> {
  const asked = await deps.registry.ask('adb', { type: 'adb.ask', command }, androidMs);
  if (!asked.ok)
    return asked.reason === 'timeout'
      ? refuse('panel-unavailable', 'The Android panel did not answer in time. Try again in a few seconds.')
      : restarting('adb');
  if (asked.value.ok) return asked.value;
  const verdict = deps.registry.read('adb')?.context.verdict;
  return refuse(
    'panel-unavailable',
    asked.value.reason === 'offline' && verdict !== undefined
      ? verdict.detail
      : 'The Android panel refused it. Its screen may be off or protected.',
  );
}

/** A picture of the Android panel's screen, PNG. */
export async function androidPicture(
  deps: RouteDeps,
): Promise<{ readonly ok: true; readonly png: Uint8Array<ArrayBuffer> } | Refusal<'panel-unavailable' | 'restarting'>> {
  const done = await askAndroid(deps, { do: 'screenshot' });
  return done.ok ? { ok: true, png: new Uint8Array(done.png ?? []) } : done;
}
