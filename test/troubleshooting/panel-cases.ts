import { openRow } from '#bin/open-files.ts';
import { certificateFaults } from '#machines/kit/certificate.ts';
import type { Verdict } from '#machines/kit/verdict.ts';
import { judgeRenderer, type JudgedFacts } from '#machines/renderer/verdict.ts';
import type { StorageFacts } from '#machines/storage-health/events.ts';
import { afterFailure } from '#machines/storage-health/judge-storage.ts';
import { nothingKnown } from '#machines/storage-health/nothing-known.ts';
import { storageView } from '#machines/storage-health/view.ts';
import { judgeStorage } from '#machines/storage-health/verdict.ts';
import type { NewerDocument } from '#machines/store/events.ts';
import { lossOf, newerNotice } from '#machines/store/loss.ts';
import { summarise, type SummaryFacts } from '#machines/status/summary.ts';

/** A sentence of the panel with its title; `where` is the page that puts it right, in words. */
export interface Told extends Omit<Verdict, 'reason'> {
  readonly title: string;
  readonly where: string | null;
}

const page: JudgedFacts = {
  phase: 'waiting',
  desired: null,
  credential: null,
  unreachable: null,
  certificate: null,
  everReached: false,
  route: null,
  restarts: [],
  at: 0,
  homeMissing: false,
  isHomeListed: null,
  fallback: null,
  mode: 'builtin',
  held: false,
  lastEnd: null,
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
const standsIn = (shown: 'start' | 'calm'): Verdict =>
  dashboard({ phase: 'showing', fallback: { page: shown, since: 0, reason: 'hung', trigger: null } });

/** What is said of the dashboard. */
export const dashboardVerdicts: readonly Verdict[] = [
  dashboard({}),
  dashboard({ desired: wanted({}), credential: signedOut }),
  dashboard({ phase: 'not-installed', desired: wanted({}) }),
  dashboard({ phase: 'not-installed', desired: wanted({ program: 'firefox' }) }),
  dashboard({ phase: 'no-display' }),
  dashboard({ phase: 'no-display', lastEnd: 'other-users-display' }),
  dashboard({ phase: 'recovering', restarts: failing }),
  dashboard({ desired: wanted({}), unreachable: { since: 0, reason: 'ECONNREFUSED' } }),
  ...certificateFaults.map((reason) => dashboard({ desired: wanted({}), certificate: { since: 0, reason } })),
  dashboard({ phase: 'showing', isHomeListed: false }),
  standsIn('start'),
  standsIn('calm'),
  dashboard({ phase: 'off' }),
  dashboard({ phase: 'off', desired: wanted({ simulated: true }) }),
];

const storage = (facts: StorageFacts): Verdict => judgeStorage({ facts, health: storageView(facts) });

/** What is said of the storage. */
export const storageVerdicts: readonly Verdict[] = [
  ...(['warning', 'critical'] as const).map((pressure) => storage({ ...nothingKnown, pressure })),
  ...(['journal', 'packages', 'crashes'] as const).map((holds) =>
    storage({ ...nothingKnown, pressure: 'critical', large: [{ holds, bytes: 1e9 }] }),
  ),
  storage({ ...nothingKnown, checkedAt: 0 }),
  ...['ENOSPC', 'EIO', 'unreadable', 'EBUSY', 'unknown'].map((code) => storage(afterFailure(nothingKnown, code, 0))),
];

/** The headline of the status page where no capability needs a person. */
function headlineOf(facts: Partial<SummaryFacts>): readonly Told[] {
  const { next, sentence } = summarise({
    simulated: false,
    capabilities: [],
    connected: true,
    announced: 12,
    home: null,
    parked: [],
    loss: null,
    newer: null,
    ...facts,
  });
  if (next === null) return [];
  // Of a loss its own sentence says what is kept.
  const isOwn = facts.loss !== undefined || facts.newer !== undefined;
  const detail = !isOwn ? `${sentence} ${next.sentence}` : next.sentence;
  return [{ title: next.title, state: 'needs_you', detail, missing: null, fix: next.fix, where: null }];
}

/** What is said of a part that failed again and again. */
export const partTold: readonly Told[] = headlineOf({ parked: ['NAME'] });

const losses: readonly Parameters<typeof lossOf>[0][] = [
  { from: 'previous', trouble: 'missing', damaged: [] },
  { from: 'previous', trouble: 'unreadable', damaged: [] },
  { from: 'empty', trouble: 'unreadable', damaged: [] },
  ...(['previous', 'empty', 'unreadable', 'copy', 'newer'] as const).map((from) => ({
    from: 'current' as const,
    trouble: null,
    damaged: [{ section: 'history', from }],
  })),
];

const newerDocuments: readonly NewerDocument[] = [
  { version: 2, copyFrom: Date.UTC(2026, 2, 3) },
  { version: 2, copyFrom: null },
];

/** What is said of settings that were lost at the last start, or that a newer version wrote. */
export const lossTold: readonly Told[] = [
  ...losses.flatMap((loss) => headlineOf({ loss: lossOf(loss) })),
  ...newerDocuments.flatMap((newer) => headlineOf({ newer: newerNotice(newer) })),
];

/** What doctor says of a file with passwords. */
export const passwordFileTold: readonly Told[] = [openRow('NAME')].map(({ fix, ...row }) => ({
  ...row,
  title: `${row.title}: needs you`,
  fix: fix === null ? null : { command: fix.command, effect: fix.effect ?? '' },
  where: null,
}));
