import { certificateFaults } from '#machines/kit/certificate.ts';
import type { Verdict } from '#machines/kit/verdict.ts';
import { judgeRenderer, type JudgedFacts } from '#machines/renderer/verdict.ts';
import type { StorageFacts } from '#machines/storage-health/events.ts';
import { afterFailure, nothingKnown } from '#machines/storage-health/judge-storage.ts';
import { projectStorage } from '#machines/storage-health/project-storage.ts';
import { judgeStorage } from '#machines/storage-health/verdict.ts';

const page: JudgedFacts = {
  phase: 'waiting',
  desired: null,
  credential: null,
  away: null,
  certificate: null,
  everReached: false,
  route: null,
  restarts: [],
  at: 0,
  homeMissing: false,
  standIn: null,
  mode: 'builtin',
  held: false,
  isOtherUsersDisplay: false,
};
const dashboard = (facts: Partial<JudgedFacts>): Verdict => judgeRenderer({ ...page, ...facts });

/** What is wanted of the browser, as far as the verdict reads it. */
const wanted = (facts: object): NonNullable<JudgedFacts['desired']> =>
  // The rest says nothing to this verdict.
  ({ origin: 'http://192.168.1.10:8123', program: 'builtin', simulated: false, ...facts }) as NonNullable<
    JudgedFacts['desired']
  >;

// Only the phase is read.
const signedOut = { phase: 'needed' } as unknown as JudgedFacts['credential'];
const failing = Array.from({ length: 9 }, () => ({ reason: 'crashed' as const, at: 0 }));
const standsIn = (shown: 'start' | 'calm', reason: 'hung' | 'crashed' | 'blank'): Verdict =>
  dashboard({ phase: 'showing', standIn: { page: shown, since: 0, reason, news: null } });

/** What is said of the dashboard. */
export const dashboardVerdicts: readonly Verdict[] = [
  dashboard({}),
  dashboard({ desired: wanted({}), credential: signedOut }),
  dashboard({ phase: 'not-installed', desired: wanted({}) }),
  dashboard({ phase: 'not-installed', desired: wanted({ program: 'firefox' }) }),
  dashboard({ phase: 'no-display' }),
  dashboard({ phase: 'no-display', isOtherUsersDisplay: true }),
  dashboard({ phase: 'recovering', restarts: failing }),
  dashboard({ desired: wanted({}), away: { since: 0, reason: 'ECONNREFUSED' } }),
  ...certificateFaults.map((reason) => dashboard({ desired: wanted({}), certificate: { since: 0, reason } })),
  ...(['hung', 'crashed', 'blank'] as const).flatMap((reason) => [standsIn('start', reason), standsIn('calm', reason)]),
  dashboard({ phase: 'off' }),
  dashboard({ phase: 'off', desired: wanted({ simulated: true }) }),
];

const storage = (facts: StorageFacts): Verdict => judgeStorage({ health: projectStorage(facts) });

/** What is said of the storage. */
export const storageVerdicts: readonly Verdict[] = [
  ...(['warning', 'critical'] as const).map((pressure) => storage({ ...nothingKnown, pressure })),
  storage({ ...nothingKnown, checkedAt: 0 }),
  ...['ENOSPC', 'EIO', 'unreadable', 'EBUSY', 'unknown'].map((code) => storage(afterFailure(nothingKnown, code, 0))),
];
