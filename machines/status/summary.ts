import type { Need } from '../kit/need.ts';
import { isUnprobed } from '../kit/verdict.ts';
import type { StatusDocument } from '../status.ts';
import { type NeedFacts, needsOf } from './needs.ts';

/** Everything that the one sentence is made from. */
export interface SummaryFacts extends NeedFacts {
  readonly simulated: boolean;
  readonly connected: boolean;
  readonly announced: number;
  /** The verdict on Home Assistant; null while its part restarts. */
  readonly home: StatusDocument['home_presence'];
}

/** What the panel is like with these needs, as the end of a sentence. */
function neediness({ kind, step: { title } }: Need, needs: readonly Need[], { parked }: SummaryFacts): string {
  switch (kind) {
    case 'undecided':
      return `needs you: ${title}.`;
    case 'capability': {
      const { length } = needs.filter((need) => need.kind === kind);
      return length === 1 ? `needs you: ${title}.` : `needs you for ${length} things, first: ${title}.`;
    }
    case 'loss':
      return 'lost settings at the last start.';
    case 'newer':
      return 'uses the settings from before a newer version.';
    case 'parked':
      return `works, but a part of it was parked after failing repeatedly: ${parked.join(', ')}.`;
  }
}

/** The panel's one sentence of state and its single next step, decided from all verdicts. */
export function summarise(facts: SummaryFacts): Pick<StatusDocument, 'state' | 'sentence' | 'next'> {
  const kind = facts.simulated ? 'This simulated panel' : 'This panel';
  const needs = needsOf(facts);
  const [first] = needs;
  if (first !== undefined)
    return { state: 'needs_you', sentence: `${kind} ${neediness(first, needs, facts)}`, next: first.step };
  if (facts.capabilities.some(isUnprobed)) {
    return { state: 'checking', sentence: `${kind} is starting.`, next: null };
  }
  if (facts.home?.state === 'restarting') return { state: 'checking', sentence: facts.home.detail, next: null };
  if (facts.connected) {
    const things = facts.announced === 1 ? 'one entity' : `${facts.announced} entities`;
    return {
      state: 'working',
      sentence:
        facts.home?.shows === 'shown'
          ? `${kind} is working, with ${things} announced, and Home Assistant shows it.`
          : `${kind} is working, with ${things} announced at the broker.`,
      next: null,
    };
  }
  return { state: 'working', sentence: `${kind} is working.`, next: null };
}
