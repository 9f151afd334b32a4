import { fromDriver } from '#drivers/kit/from-driver.ts';
import type { Milliseconds } from '#machines/kit/units.ts';
import type { ProfilesEvent, PulseFact } from '#machines/profiles/asks.ts';
import type { HealthFacts } from '#machines/profiles/health.ts';

import type { Registry } from '../kit/registry.ts';

/** What the pulse is taken with. */
export interface PulseDeps {
  readonly registry: Pick<Registry, 'read'>;
  /** Whether the profile declares a screen. */
  readonly screen: boolean;
  /** Asks the own port for its health line; never rejects. */
  readonly answers: (signal: AbortSignal) => Promise<boolean>;
  /** Pause between two looks. */
  readonly everyMs: Milliseconds;
}

const baseIsUp = ({ registry }: PulseDeps): boolean =>
  (['store', 'identity', 'profile'] as const).every((id) => registry.read(id) !== undefined) &&
  (registry.read('settings')?.context.revision ?? 0) > 0;

const screenOf = ({ registry, screen }: PulseDeps): HealthFacts['screen'] => {
  if (!screen) return 'absent';
  const state = registry.read('screen')?.context.verdict.state ?? 'checking';
  if (state === 'checking') return 'unsettled';
  return state === 'working' || state === 'off' ? 'proven' : 'unproven';
};

/** Looks at the start again and again, and tells what changed. */
export const startPulse = (deps: PulseDeps) =>
  fromDriver<ProfilesEvent, undefined, PulseFact>(({ send, guard, signal }) => {
    let told = '';
    let timer: NodeJS.Timeout | undefined;
    const look = async (): Promise<void> => {
      const http = await deps.answers(signal);
      if (signal.aborted) return;
      const facts: HealthFacts = { http, base: baseIsUp(deps), screen: screenOf(deps) };
      const now = JSON.stringify(facts);
      if (now !== told) send({ type: 'pulse.seen', facts });
      told = now;
      timer = setTimeout(guard(look), deps.everyMs);
    };
    guard(look)();
    return () => clearTimeout(timer);
  });
