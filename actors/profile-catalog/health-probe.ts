import { fromDriver } from '#drivers/kit/from-driver.ts';
import type { EpochMs, Milliseconds } from '#machines/kit/units.ts';
import type { HealthFact, ProfilesEvent } from '#machines/profile-catalog/events.ts';
import type { HealthFacts } from '#machines/profile-catalog/health.ts';

import type { Registry } from '../kit/registry.ts';

export interface HealthProbeDeps {
  readonly registry: Pick<Registry, 'read'>;
  /** True if the profile declares a screen. */
  readonly screen: boolean;
  /** Requests the health line from the agent's own port; never rejects. */
  readonly answers: (signal: AbortSignal) => Promise<boolean>;
  readonly now: () => EpochMs;
  /** Pause between two probes. */
  readonly everyMs: Milliseconds;
}

const baseIsUp = ({ registry }: HealthProbeDeps): boolean =>
  (['store', 'identity', 'active-profile'] as const).every((id) => registry.read(id) !== undefined) &&
  (registry.read('settings')?.context.revision ?? 0) > 0;

function screenOf({ registry, screen }: HealthProbeDeps): HealthFacts['screen'] {
  if (!screen) return 'absent';
  const state = registry.read('screen')?.context.verdict.state ?? 'checking';
  if (state === 'checking') return 'unsettled';
  return state === 'working' || state === 'off' ? 'proven' : 'unproven';
}

/** Probes the start repeatedly, and reports changes. */
export const healthProbe = (deps: HealthProbeDeps) =>
  fromDriver<ProfilesEvent, undefined, HealthFact>(({ send, guard, signal }) => {
    let reported = '';
    let timer: NodeJS.Timeout | undefined;
    const probe = async (): Promise<void> => {
      const http = await deps.answers(signal);
      if (signal.aborted) return;
      const facts: HealthFacts = { http, base: baseIsUp(deps), screen: screenOf(deps) };
      const seen = JSON.stringify(facts);
      if (seen !== reported) send({ type: 'health.probed', facts, at: deps.now() });
      reported = seen;
      timer = setTimeout(guard(probe), deps.everyMs);
    };
    guard(probe)();
    return () => clearTimeout(timer);
  });
