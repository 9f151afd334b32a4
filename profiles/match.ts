import type { MatchFacts } from '#machines/profile-catalog/reading.ts';

import type { MatchGroup, MatchPredicate, MatchRules, ProfileShape } from './document.ts';
import { fallbackId } from './rules.ts';

/** A profile as far as matching needs it. */
export interface Matchable {
  readonly id: string;
  readonly match: MatchRules;
}

/** A profile that matches, with the group that decided. */
interface Match {
  readonly id: string;
  readonly groupPriority: number;
  readonly priority: number;
}

/**
 * Which profile a machine is given: one that matches best, or the fallback because none matches or two match equally.
 */
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

/** How well rules fit a machine: the highest priority of a group that holds; null where none does. */
function groupPriority({ any }: MatchRules, facts: MatchFacts): number | null {
  const holding = any.filter((group) => groupHolds(group, facts)).map(({ priority }) => priority);
  return holding.length === 0 ? null : Math.max(...holding);
}

/**
 * The bundled profile for a machine (issue, 3): highest matched group, then the profile's own priority; a tie or
 * nothing gives the fallback.
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

/** A document as matching needs it. */
export const matchable = ({ id, match }: ProfileShape): Matchable => ({ id, match });
