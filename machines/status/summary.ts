import type { Capability } from '../kit/capability.ts';
import type { JudgedRow } from '../kit/status.ts';
import { isUnprobed } from '../kit/verdict.ts';
import type { StatusDocument } from '../status.ts';

/** A capability with its verdict, and its words as the next step. */
export type JudgedCapability = JudgedRow &
  Pick<Capability, 'urgency'> & {
    /** The page that fixes it; absent if no page does. */
    readonly page?: string;
    /** What to do, as a headline; absent if its manifest has no words for it. */
    readonly headline?: string;
  };

/** Everything that the one sentence is made from. */
export interface SummaryFacts {
  readonly simulated: boolean;
  readonly capabilities: readonly JudgedCapability[];
  readonly connected: boolean;
  readonly announced: number;
  /** The verdict on Home Assistant; null while its part restarts. */
  readonly home: StatusDocument['home_presence'];
  /** Ids of the parked parts of the supervision tree. */
  readonly parked: readonly string[];
  readonly loss: string | null;
  /** What is said of settings that a newer version wrote; null if there are none. */
  readonly newer: {
    readonly sentence: string;
    /** True until the owner decides: nothing is saved, and nothing is connected. */
    readonly isUndecided: boolean;
  } | null;
}

/** Link to the evidence for a verdict. */
const evidenceOf = ({ id }: JudgedCapability): string => `/#capability-${id}`;

/** Sorts after every capability with an urgency. */
const LATEST = Number.MAX_SAFE_INTEGER;

/** The panel's one sentence of state and its single next step, decided from all verdicts. */
export function summarise(facts: SummaryFacts): Pick<StatusDocument, 'state' | 'sentence' | 'next'> {
  const needing = facts.capabilities
    .filter((row) => row.state === 'needs_you')
    .toSorted((a, b) => (a.urgency ?? LATEST) - (b.urgency ?? LATEST));
  const first = needing[0];
  const kind = facts.simulated ? 'This simulated panel' : 'This panel';
  // Before all else: nothing that the others need can be saved.
  if (facts.newer?.isUndecided === true) {
    const title = 'Decide about the settings of a newer version';
    return {
      state: 'needs_you',
      sentence: `${kind} needs you: ${title}.`,
      next: { title, sentence: facts.newer.sentence, fix: null, href: '/reset' },
    };
  }
  if (first !== undefined) {
    const title = first.headline ?? `Get ${first.title} working`;
    return {
      state: 'needs_you',
      sentence:
        needing.length === 1
          ? `${kind} needs you: ${title}.`
          : `${kind} needs you for ${needing.length} things, first: ${title}.`,
      next: {
        title,
        sentence: first.detail,
        fix: first.fix,
        href: first.fix === null ? (first.page ?? evidenceOf(first)) : null,
      },
    };
  }
  if (facts.loss !== null) {
    return {
      state: 'needs_you',
      sentence: `${kind} lost settings at the last start.`,
      next: { title: 'Check your settings', sentence: facts.loss, fix: null, href: '/configure' },
    };
  }
  if (facts.newer !== null) {
    return {
      state: 'needs_you',
      sentence: `${kind} uses the settings from before a newer version.`,
      next: { title: 'Check your settings', sentence: facts.newer.sentence, fix: null, href: '/configure' },
    };
  }
  if (facts.parked.length > 0) {
    const parts = facts.parked.join(', ');
    return {
      state: 'needs_you',
      sentence: `${kind} works, but a part of it was parked after failing repeatedly: ${parts}.`,
      next: {
        title: facts.parked.length === 1 ? `The part ${parts} keeps failing` : `Parts keep failing: ${parts}`,
        sentence: 'It is retried automatically, or at once with Check again; the page of the parts says why it failed.',
        fix: null,
        href: '/parts',
      },
    };
  }
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
