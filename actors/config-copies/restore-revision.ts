import { revisionEnd } from '#machines/config-copies/ends.ts';
import type { ConfigCopiesEvent, RestoreRevisionOutcome } from '#machines/config-copies/events.ts';
import { isFromNewer, planRevision, type RevisionPlan } from '#machines/config-copies/plan-revision.ts';
import type { Revision } from '#machines/config-copies/revisions.ts';

import type { Lane } from '../kit/one-at-a-time.ts';
import type { CopiesDeps } from './deps.ts';
import { readInForce } from './in-force.ts';
import { saveTogether } from './save-together.ts';

type RestoreEvent = Extract<ConfigCopiesEvent, { readonly type: 'config.restore-revision' }>;

const fromNewer: RestoreRevisionOutcome = {
  status: 'rejected',
  reasons: { schema: 'A newer version of Sconce saved it. Update this panel first.' },
};

async function carryOut(
  deps: CopiesDeps,
  { patch, skipped }: RevisionPlan,
  where: Parameters<typeof saveTogether>[2],
): Promise<RestoreRevisionOutcome> {
  if (Object.keys(patch).length === 0) return { status: 'no-op' };
  const saved = await saveTogether(deps, patch, where);
  switch (saved.status) {
    case 'saved':
      return { status: 'restored', applied: saved.applied, cleared: saved.cleared ?? [], skipped };
    case 'no-op':
      return { status: 'no-op' };
    case 'refused':
      return { status: 'rejected', reasons: saved.reasons };
    case 'stale':
    case 'busy':
      return { status: 'busy', running: null };
    case 'commit-failed':
      return { status: 'error', reason: saved.reason, ...(saved.off !== undefined && { off: saved.off }) };
  }
}

/** Returns to the configuration of a revision, by one save; `find` looks for it once no other save can come between. */
export async function restoreRevision(
  deps: CopiesDeps,
  { id, from }: RestoreEvent,
  find: (id: number) => Revision | undefined,
): Promise<RestoreRevisionOutcome> {
  const attempt = async (lane: Lane): Promise<RestoreRevisionOutcome> => {
    const revision = find(id);
    if (revision === undefined) return { status: 'not-found' };
    if (isFromNewer(revision)) return fromNewer;
    const inForce = await readInForce(deps.registry);
    if (inForce === null) return { status: 'error', reason: 'store-silent' };
    const { configuration, digest } = inForce;
    return carryOut(deps, planRevision(configuration, revision), { from, digest, lane });
  };
  const ran = await deps.inLane('revision-restore', async (lane) => {
    const outcome = await attempt(lane);
    return { value: outcome, end: revisionEnd(outcome) };
  });
  return 'busy' in ran ? { status: 'busy', running: ran.busy } : ran.done;
}
