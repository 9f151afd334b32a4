import type { FilterFact } from '../renderer/events.ts';
import type { EpochMs } from '../kit/units.ts';
import { type FilterFacts, learnedOf, MOST_BEGUN, settled, withAccount, withLearned } from './facts.ts';
import type { ScanFact, DesiredFact } from './events.ts';
import type { Learned } from './persisted.ts';
import { replaced } from './sets.ts';
import { afterEnumerated, afterOpened, afterRead, afterScan } from './members.ts';

type Scan<T extends ScanFact['type']> = Extract<ScanFact, { readonly type: T }>;

/** Pause before a failed scan is retried: 2 s, doubled up to 60 s. */
export const scanBackoff = { firstMs: 2000, capMs: 60_000, jitter: 0.2 } as const;

/**
 * Takes the desired state. A new credential or server restarts all scans, including the running one, which may have
 * read another user's view of the dashboard.
 */
export function takeDesired(facts: FilterFacts, desired: DesiredFact): FilterFacts {
  const isSame = facts.desired?.credential === desired.credential && facts.desired.server === desired.server;
  return settled(facts, {
    desired,
    ...(isSame ? {} : { queue: [], begun: [], others: [], scan: null, scanFailure: null, failures: 0 }),
    // The first credential of this run is assumed to belong to the account last used. If there was no such account, it
    // still counts as the first: a later credential may belong to anyone.
    ...(isSame || facts.desired === null
      ? {}
      : { accountCredential: facts.accountCredential ?? facts.desired.credential }),
  });
}

/** Takes the dashboard that the page shows; once one is shown, it is no longer held back. */
export const takePlace = (facts: FilterFacts, place: string | null): FilterFacts =>
  settled(facts, { place, heldOnce: facts.heldOnce || place !== null });

export function beginScan(facts: FilterFacts): FilterFacts {
  const [dashboard = '', ...queue] = facts.queue;
  const number = facts.scans + 1;
  return settled(facts, {
    queue,
    scans: number,
    scan: { number, dashboard, step: 1, entities: 0, since: facts.at },
  });
}

export const takeMilestone = (facts: FilterFacts, { step, entities, since }: Scan<'scan.milestone'>): FilterFacts =>
  facts.scan === null ? facts : { ...facts, scan: { ...facts.scan, step, entities, since } };

/** Takes the result of a scan: its account, and the dashboard's set. */
export function takeScan(facts: FilterFacts, { user, input, at }: Scan<'scan.done'>): FilterFacts {
  const { persisted, desired, scan } = facts;
  if (persisted === null || desired === null || desired.server === null) return { ...facts, scan: null };
  const account = { server: desired.server, user };
  const isStart = scan?.dashboard === '';
  const next = withAccount(persisted, account, ({ start, dashboards }) => ({
    start: isStart ? input.dashboard : start,
    dashboards: input.isDashboard
      ? withLearned(dashboards, afterScan(learnedOf(dashboards, input.dashboard), input, persisted.policy, at))
      : dashboards.filter(({ dashboard }) => dashboard !== input.dashboard),
  }));
  const others = facts.others.filter((other) => other !== input.dashboard);
  return settled(facts, {
    persisted: next,
    account,
    accountCredential: desired.credential,
    begun: [...new Set([...facts.begun, input.dashboard])],
    others: input.isDashboard ? others : [...others, input.dashboard].slice(-MOST_BEGUN),
    scan: null,
    scanFailure: null,
    failures: 0,
    at,
  });
}

/** True if the dashboard is on the screen or is home. */
const isShown = ({ place, desired }: FilterFacts, dashboard: string): boolean =>
  dashboard === place || dashboard === desired?.home;

/** Puts the running scan back at the front of the queue. */
export const postponeScan = (facts: FilterFacts): FilterFacts =>
  settled(facts, { queue: facts.scan === null ? facts.queue : [facts.scan.dashboard, ...facts.queue], scan: null });

/**
 * Queues a failed scan again, after the others. One without an answer, as for a dashboard that was deleted, is retried
 * only when that dashboard is next shown, or after a day.
 */
export function failScan(facts: FilterFacts, reason: Scan<'scan.failed'>['reason'], at: EpochMs): FilterFacts {
  const dashboard = facts.scan?.dashboard ?? null;
  const isLeft = dashboard !== null && reason === 'no-answer' && !isShown(facts, dashboard);
  return settled(facts, {
    queue: dashboard === null || isLeft ? facts.queue : [...facts.queue, dashboard],
    begun: isLeft ? facts.begun.filter((one) => one !== dashboard) : facts.begun,
    scan: null,
    scanFailure: isLeft ? facts.scanFailure : reason,
    failures: facts.failures + 1,
    at,
  });
}

/** Queues a dashboard as the next scan. */
export const queueScan = (facts: FilterFacts, dashboard: string | null): FilterFacts =>
  dashboard === null
    ? facts
    : settled(facts, { queue: [dashboard, ...facts.queue.filter((one) => one !== dashboard)] });

/** Queues every known dashboard for another scan. */
export const queueKnown = (facts: FilterFacts): FilterFacts =>
  settled(facts, { queue: [...new Set([...facts.queue, ...facts.dashboards.map(({ dashboard }) => dashboard)])] });

/** Changes a learned dashboard of this account while learning is on. */
function learn(facts: FilterFacts, dashboard: string, change: (learned: Learned) => Learned): FilterFacts {
  const { persisted, account } = facts;
  if (persisted === null || account === null || !facts.learning || facts.noFilter !== null) return facts;
  const before = learnedOf(facts.dashboards, dashboard);
  // Before its first scan it may not be a dashboard at all.
  if (before.scannedAt === null) return facts;
  const after = change(before);
  if (after === before) return facts;
  return settled(facts, {
    persisted: withAccount(persisted, account, ({ dashboards }) => ({
      dashboards: replaced(dashboards, after),
    })),
  });
}

/** Takes a report of the page about its entities. */
export function takeReport(facts: FilterFacts, report: FilterFact): FilterFacts {
  const { runtime } = facts;
  switch (report.type) {
    case 'page.subscribed':
      // A card's own subscription to some entities says nothing about what the dashboard receives.
      if (report.ownChoice) return { ...facts, at: report.at };
      return settled(facts, {
        at: report.at,
        uncut: false,
        runtime: {
          ...runtime,
          modifiedSubscriptions: runtime.modifiedSubscriptions + (report.entities === null ? 0 : 1),
          entities: report.entities,
        },
      });
    case 'page.uncut':
      return settled(facts, {
        at: report.at,
        uncut: true,
        runtime: {
          ...runtime,
          failures: runtime.failures + 1,
          directFallbacks: runtime.directFallbacks + 1,
          entities: null,
        },
      });
    case 'page.entity-opened':
      return learn({ ...facts, at: report.at }, report.dashboard, (learned) =>
        afterOpened(learned, report.entityId, facts.policy),
      );
    case 'page.entities-read':
      return learn({ ...facts, at: report.at }, report.dashboard, (learned) =>
        afterRead(learned, report.entityIds, facts.policy),
      );
    case 'page.enumerated':
      return learn({ ...facts, at: report.at }, report.dashboard, (learned) => afterEnumerated(learned, report.file));
  }
}
