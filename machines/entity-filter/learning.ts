import type { FilterFact } from '../renderer/events.ts';
import type { EpochMs } from '../kit/units.ts';
import { type FilterFacts, learnedOf, MOST_BEGUN, settled, withAccount, withLearned } from './facts.ts';
import type { ScanFact, WishFact } from './events.ts';
import type { Learned } from './persisted.ts';
import { replaced } from './sets.ts';
import { afterEnumerated, afterOpened, afterRead, afterScan } from './members.ts';

type Scan<T extends ScanFact['type']> = Extract<ScanFact, { readonly type: T }>;

/** Wait before a scan that failed is made again: 2 s doubled to 60 s. */
export const scanBackoff = { firstMs: 2000, capMs: 60_000, jitter: 0.2 } as const;

/**
 * What is wished now; another credential or server begins anew, also with the scans: one that runs may have read whose
 * the panel was before, and the dashboard as somebody else sees it.
 */
export function takeWish(facts: FilterFacts, wish: WishFact): FilterFacts {
  const isSame = facts.wish?.credential === wish.credential && facts.wish.server === wish.server;
  return settled(facts, {
    wish,
    ...(isSame ? {} : { queue: [], begun: [], others: [], scan: null, scanFailure: null, failures: 0 }),
    // The first credential of this run is taken for the account that was used last, also where there is none: whoever
    // signs in then may be anybody.
    ...(isSame || facts.wish === null ? {} : { accountCredential: facts.accountCredential ?? facts.wish.credential }),
  });
}

/** Where the page is; a dashboard that stands is not held back any more. */
export const takePlace = (facts: FilterFacts, place: string | null): FilterFacts =>
  settled(facts, { place, heldOnce: facts.heldOnce || place !== null });

/** The next scan begins. */
export function beginScan(facts: FilterFacts): FilterFacts {
  const [dashboard = '', ...queue] = facts.queue;
  const number = facts.scans + 1;
  return settled(facts, {
    queue,
    scans: number,
    scan: { number, dashboard, step: 1, entities: 0, since: facts.at },
  });
}

/** A milestone of the scan that runs. */
export const takeMilestone = (facts: FilterFacts, { step, entities, since }: Scan<'scan.milestone'>): FilterFacts =>
  facts.scan === null ? facts : { ...facts, scan: { ...facts.scan, step, entities, since } };

/** What a scan read: whose it is, and the dashboard's set. */
export function takeScan(facts: FilterFacts, { user, input, at }: Scan<'scan.done'>): FilterFacts {
  const { persisted, wish, scan } = facts;
  if (persisted === null || wish === null || wish.server === null) return { ...facts, scan: null };
  const account = { server: wish.server, user };
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
    accountCredential: wish.credential,
    begun: [...new Set([...facts.begun, input.dashboard])],
    others: input.isDashboard ? others : [...others, input.dashboard].slice(-MOST_BEGUN),
    scan: null,
    scanFailure: null,
    failures: 0,
    at,
  });
}

/** Whether a dashboard is on the screen or at home. */
const isShown = ({ place, wish }: FilterFacts, dashboard: string): boolean =>
  dashboard === place || dashboard === wish?.home;

/** The scan that runs is made later. */
export const postponeScan = (facts: FilterFacts): FilterFacts =>
  settled(facts, { queue: facts.scan === null ? facts.queue : [facts.scan.dashboard, ...facts.queue], scan: null });

/**
 * A scan failed: it is made again after the others. One that Home Assistant did not tell, as of a dashboard that is
 * gone, is made again when that is next shown, or in a day.
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

/** A dashboard is to be scanned next. */
export const queueScan = (facts: FilterFacts, dashboard: string | null): FilterFacts =>
  dashboard === null
    ? facts
    : settled(facts, { queue: [dashboard, ...facts.queue.filter((one) => one !== dashboard)] });

/** Every dashboard that is known is scanned once more. */
export const queueKnown = (facts: FilterFacts): FilterFacts =>
  settled(facts, { queue: [...new Set([...facts.queue, ...facts.dashboards.map(({ dashboard }) => dashboard)])] });

/** What is learned of one dashboard of this account while it is on the screen. */
function learn(facts: FilterFacts, dashboard: string, change: (learned: Learned) => Learned): FilterFacts {
  const { persisted, account } = facts;
  if (persisted === null || account === null || !facts.learning || facts.noFilter !== null) return facts;
  const before = learnedOf(facts.dashboards, dashboard);
  // Before its first scan it is not known what it is.
  if (before.scannedAt === null) return facts;
  const after = change(before);
  if (after === before) return facts;
  return settled(facts, {
    persisted: withAccount(persisted, account, ({ dashboards }) => ({
      dashboards: replaced(dashboards, after),
    })),
  });
}

/** What the page reported of its entities. */
export function takeReport(facts: FilterFacts, report: FilterFact): FilterFacts {
  const { runtime } = facts;
  switch (report.type) {
    case 'page.subscribed':
      // A card that asks for some entities by itself says nothing of what the dashboard is sent.
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
