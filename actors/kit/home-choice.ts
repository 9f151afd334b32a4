import { judgeHomeChoice, pageToLookUp } from '#machines/dashboard/home-choice.ts';
import type { CommandRefused } from '#machines/kit/entity.ts';
import type { Result } from '#machines/kit/result.ts';

import type { Registry } from './registry.ts';

/** Longest wait for the list of Home Assistant before a home dashboard is accepted unseen, in milliseconds. */
const lookMs = 5_000;

/**
 * Asks Home Assistant whether it has the page that is to be the home dashboard: ok with `isKnown` false if it could not
 * be asked, null if there is nothing to ask about.
 */
export async function lookUpHome(
  registry: Pick<Registry, 'ask' | 'read'>,
  value: unknown,
): Promise<Result<{ readonly isKnown: boolean }, 'unknown'> | null> {
  const saved = registry.read('settings')?.context.values['home_dashboard'];
  const page = pageToLookUp(value, saved);
  if (page === null) return null;
  if (registry.read('sign-in')?.context.phase !== 'signed-in') return { ok: true, value: { isKnown: false } };
  const topic = { kind: 'dashboards' } as const;
  const asked = await registry.ask('home-assistant', { type: 'home-assistant.read', topic }, lookMs);
  const reading = asked.ok && asked.value.ok ? asked.value.reading : null;
  if (reading?.kind !== 'dashboards') return { ok: true, value: { isKnown: false } };
  const judged = judgeHomeChoice(page, reading);
  return judged.ok ? { ok: true, value: { isKnown: true } } : judged;
}

/** Why Home Assistant's own list speaks against this home dashboard; null if it does not, or could not be asked. */
export async function objectionToHome(
  registry: Pick<Registry, 'ask' | 'read'>,
  value: unknown,
): Promise<CommandRefused | null> {
  const looked = await lookUpHome(registry, value);
  return looked?.ok === false ? { reason: 'home-missing', message: looked.message } : null;
}
