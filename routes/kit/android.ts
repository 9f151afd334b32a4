import type { Context } from 'hono';
import type { AdbCommand, AdbOutcome } from '#machines/adb/events.ts';
import type { Env } from '#routes/kit/declare.ts';
import type { RouteDeps } from '#routes/kit/deps.ts';
import { problem, restarting } from '#routes/kit/problem.ts';
import { noStore } from './no-store.ts';

/** Longest wait for one command of an Android panel, in milliseconds; a picture of a slow one takes seconds. */
const androidMs = 25_000;

/** Has the Android panel do one thing: what it said, or the refusal as a response. */
export const askAndroid = async (
  c: Context<Env>,
  deps: RouteDeps,
  command: AdbCommand,
): Promise<Extract<AdbOutcome, { ok: true }> | Response> => {
  const asked = await deps.registry.ask('adb', { type: 'adb.ask', command }, androidMs);
  if (!asked.ok)
    return asked.reason === 'timeout'
      ? problem(c, 'panel-unavailable', 'The Android panel did not answer in time. Try again in a few seconds.')
      : restarting(c, 'adb');
  if (asked.value.ok) return asked.value;
  const verdict = deps.registry.read('adb')?.context.verdict;
  return problem(
    c,
    'panel-unavailable',
    asked.value.reason === 'offline' && verdict !== undefined
      ? verdict.detail
      : 'The Android panel refused it. Its screen may be off or protected.',
  );
};

/** A picture of the Android panel's screen. */
export const androidPicture = async (c: Context<Env>, deps: RouteDeps): Promise<Response> => {
  const done = await askAndroid(c, deps, { do: 'screenshot' });
  if (done instanceof Response) return done;
  return c.body(new Uint8Array(done.png ?? []), 200, { 'Content-Type': 'image/png', ...noStore });
};
