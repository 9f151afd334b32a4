import type { AutoSleepContext, RuleView, SleepView } from './events.ts';

const restingRule: RuleView = { isActive: false, changesAt: null, why: null };

/** While nothing is wanted of it, and before the first decision. */
export const restingView: SleepView = {
  phase: 'off',
  reason: 'disabled',
  gap: null,
  until: null,
  lastPresenceAt: null,
  leaseMs: null,
  sourceCount: 0,
  isSuppressed: false,
  asleep: [],
  offHours: restingRule,
  dim: restingRule,
  changes: [],
};

/** The facts at the start, and while the part is off. */
export const restingFacts: AutoSleepContext = {
  view: restingView,
  ceiling: null,
  decidedAt: null,
  discoveredCount: 0,
  source: null,
  offHoursClock: null,
};
