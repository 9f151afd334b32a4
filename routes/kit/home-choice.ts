import { judgeHomeChoice, pageToLookUp } from '#machines/dashboard/home-choice.ts';
import type { Result } from '#machines/kit/result.ts';
import type { RouteDeps } from './deps.ts';

/** Longest wait for the list of Home Assistant before a home dashboard is accepted unseen, in milliseconds. */
const lookMs = 5_000;

/**
 * Asks Home Assistant whether it has the page that is to be the home dashboard: ok with `isKnown` false if it could not
 * be asked, null if there is nothing to ask about.
 */
export async function lookUpHome(
  deps: RouteDeps,
  value: unknown,
): Promise<Result<{ readonly isKnown: boolean }, 'unknown'> | null> {
  const saved = deps.registry.read('settings')?.context.values['home_dashboard'];
  const page = pageToLookUp(value, saved);
  if (page === null) return null;
  if (deps.registry.read('sign-in')?.context.phase !== 'signed-in') return { ok: true, value: { isKnown: false } };
  const topic = { kind: 'dashboards' } as const;
  const asked = await deps.registry.ask('home-assistant', { type: 'home-assistant.read', topic }, lookMs);
  const reading = asked.ok && asked.value.ok ? asked.value.reading : null;
  if (reading?.kind !== 'dashboards') return { ok: true, value: { isKnown: false } };
  const judged = judgeHomeChoice(page, reading);
  return judged.ok ? { ok: true, value: { isKnown: true } } : judged;
}
