import type { RequestedFrom } from '#machines/kit/requested-from.ts';
import type { Milliseconds } from '#machines/kit/units.ts';
import type { MergeOutcome } from '#machines/settings/events.ts';
import { operationsOf } from '#machines/settings/operations-of.ts';

import type { Lane } from '../kit/one-at-a-time.ts';
import type { CopiesDeps } from './deps.ts';

/** Longest wait for the save: twice the 6 s of a write, and a margin. */
const SAVE_MS: Milliseconds = 14_000;

/**
 * Makes one save of everything, unless the configuration was changed since it was looked at. The admission of the job
 * covers what it changes; nothing that needs a consent is in it.
 */
export async function saveTogether(
  { registry }: Pick<CopiesDeps, 'registry'>,
  patch: Readonly<Record<string, unknown>>,
  { from, digest, lane }: { readonly from: RequestedFrom; readonly digest: string; readonly lane: Lane },
): Promise<MergeOutcome> {
  const values = registry.read('settings')?.context.values ?? {};
  const needs = operationsOf(patch, values).filter(({ isConsent }) => !isConsent);
  const asked = await registry.ask(
    'settings',
    {
      type: 'settings.merge',
      patch,
      from,
      admitted: [...new Set(needs.map(({ operation }) => operation))],
      token: lane.token,
      expectDigest: digest,
    },
    SAVE_MS,
  );
  return asked.ok ? asked.value : { status: 'commit-failed', reason: asked.reason };
}
