import { readBundle } from '#machines/config-copies/bundle.ts';
import type { ConfigCopiesEvent, ImportOutcome } from '#machines/config-copies/events.ts';
import { importEnd } from '#machines/config-copies/ends.ts';
import { previewOf, refusedImport } from '#machines/config-copies/judge-import.ts';
import { type ImportPlan, planImport } from '#machines/config-copies/values.ts';

import type { Lane } from '../kit/one-at-a-time.ts';
import type { CopiesDeps } from './deps.ts';
import { readInForce } from './in-force.ts';
import { isOrigin } from './origin.ts';
import { saveTogether } from './save-together.ts';

type ImportEvent = Extract<ConfigCopiesEvent, { readonly type: 'config.import' }>;

/** The outcome of a plan that was carried out, by what the settings answered. */
async function carryOut(
  deps: CopiesDeps,
  plan: ImportPlan,
  { from, digest, lane }: { readonly from: ImportEvent['from']; readonly digest: string; readonly lane: Lane },
): Promise<ImportOutcome> {
  const { skipped, warnings, errors } = plan;
  const lists = { skipped, warnings, errors };
  if (plan.changes.length === 0) return { status: 'no-op', applied: [], ...lists };
  const saved = await saveTogether(deps, plan.patch, { from, digest, lane });
  switch (saved.status) {
    case 'saved':
      return { status: errors.length === 0 ? 'applied' : 'partial', applied: saved.applied, ...lists };
    case 'no-op':
      return { status: 'no-op', applied: [], ...lists };
    case 'refused':
      return { status: 'rejected', reasons: saved.reasons, applied: [], ...lists };
    case 'stale':
      return { status: 'stale-preview', expectedCfg: digest, actualCfg: saved.digest };
    case 'busy':
      return { status: 'busy', running: null };
    case 'commit-failed':
      return { status: 'error', reason: saved.reason };
  }
}

/**
 * Imports a bundle, or tells what that would do. Everything is one save, of which other saves see nothing or all; it is
 * judged again once no other save can come between.
 */
export async function importBundle(deps: CopiesDeps, { bundle, options, from }: ImportEvent): Promise<ImportOutcome> {
  const read = readBundle(bundle);
  if (!read.ok) return { status: read.reason, message: read.message };
  /** Without a lane it only tells what would be done. */
  const attempt = async (lane: Lane | null): Promise<ImportOutcome> => {
    const inForce = await readInForce(deps.registry);
    if (inForce === null) return { status: 'error', reason: 'store-silent' };
    const { configuration, digest, origins } = inForce;
    const crossing = { mode: options.mode, isOrigin: isOrigin(read.value.origin, origins) };
    const plan = planImport(configuration, read.value.values, crossing);
    const refused = refusedImport(plan, options, digest);
    if (refused !== null) return refused;
    return lane === null ? previewOf(plan, digest, options) : carryOut(deps, plan, { from, digest, lane });
  };
  if (options.dryRun) return attempt(null);
  const ran = await deps.inLane('import', async (lane) => {
    const outcome = await attempt(lane);
    return { value: outcome, end: importEnd(outcome) };
  });
  return 'busy' in ran ? { status: 'busy', running: ran.busy } : ran.done;
}
