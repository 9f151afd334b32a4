import type { MatchFacts } from '#machines/profile-catalog/reading.ts';

import type { MatchGroup, MatchPredicate, MatchRules, ProfileShape } from './document.ts';
import { fallbackId } from './rules.ts';

/** The part of a profile that matching needs. */
export interface Matchable {
  readonly id: string;
  readonly match: MatchRules;
}

/** A matching profile, with the priority of the group that decided. */
interface Match {
  readonly id: string;
  readonly groupPriority: number;
  readonly priority: number;
}

/** The profile for a machine: the best match, or the fallback if none matches or two match equally. */
export interface Matched {
  readonly id: string;
  readonly why: 'matched' | 'none' | 'tie';
  /** Every profile that matches, best first. */
  readonly matches: readonly Match[];
}

const compare: Readonly<Record<MatchPredicate['op'], (fact: string, value: string) => boolean>> = {
  equals: (fact, value) => fact === value,
  starts_with: (fact, value) => fact.startsWith(value),
  contains: (fact, value) => fact.includes(value),
};

function holds({ field, op, values }: MatchPredicate, facts: MatchFacts): boolean {
  const fact = facts[field];
  const known = fact === null ? [] : typeof fact === 'string' ? [fact] : fact;
  return known.some((one) => values.some((value) => compare[op](one, value)));
}

const groupHolds = ({ all }: MatchGroup, facts: MatchFacts): boolean =>
  all.length > 0 && all.every((predicate) => holds(predicate, facts));

/** The highest priority of a group that holds; null if none does. */
function groupPriority({ any }: MatchRules, facts: MatchFacts): number | null {
  const holding = any.filter((group) => groupHolds(group, facts)).map(({ priority }) => priority);
  return holding.length === 0 ? null : Math.max(...holding);
}

/**
 * Chooses the bundled profile for a machine: the highest matched group wins, then the profile's own priority. A tie or
 * no match gives the fallback.
 */
export function matchProfiles(facts: MatchFacts, bundled: readonly Matchable[]): Matched {
  const matches = bundled
    .flatMap(({ id, match }): readonly Match[] => {
      const best = match.fallback ? null : groupPriority(match, facts);
      return best === null ? [] : [{ id, groupPriority: best, priority: match.priority }];
    })
    .toSorted((one, other) => other.groupPriority - one.groupPriority || other.priority - one.priority);
  const [first, second] = matches;
  if (first === undefined) return { id: fallbackId, why: 'none', matches };
  const equal = second?.groupPriority === first.groupPriority && second.priority === first.priority;
  return equal ? { id: fallbackId, why: 'tie', matches } : { id: first.id, why: 'matched', matches };
}

export const matchable = ({ id, match }: ProfileShape): Matchable => ({ id, match });
