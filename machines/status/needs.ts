import type { Capability } from '../kit/capability.ts';
import type { Need } from '../kit/need.ts';
import type { JudgedRow } from '../kit/status.ts';

/** A capability with its verdict, and its words as the next step. */
export type JudgedCapability = JudgedRow &
  Pick<Capability, 'urgency'> & {
    /** The page that fixes it; absent if no page does. */
    readonly page?: string;
    /** What to do, as a headline; absent if its manifest has no words for it. */
    readonly headline?: string;
  };

/** Everything that may need a person. */
export interface NeedFacts {
  readonly capabilities: readonly JudgedCapability[];
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

const capabilityNeed = (row: JudgedCapability): Need => ({
  kind: 'capability',
  code: `${row.id}-${row.reason}`,
  isSerious: row.urgency !== undefined,
  step: {
    title: row.headline ?? `Get ${row.title} working`,
    sentence: row.detail,
    fix: row.fix,
    href: row.fix === null ? (row.page ?? evidenceOf(row)) : null,
  },
});

function newerNeed({ sentence, isUndecided }: NonNullable<NeedFacts['newer']>): Need {
  return isUndecided
    ? {
        kind: 'undecided',
        code: 'settings-undecided',
        isSerious: true,
        step: { title: 'Decide about the settings of a newer version', sentence, fix: null, href: '/reset' },
      }
    : {
        kind: 'newer',
        code: 'settings-newer',
        isSerious: false,
        step: { title: 'Check your settings', sentence, fix: null, href: '/configure' },
      };
}

const lossNeed = (sentence: string): Need => ({
  kind: 'loss',
  code: 'settings-lost',
  isSerious: false,
  step: { title: 'Check your settings', sentence, fix: null, href: '/configure' },
});

const parkedNeed = (parked: readonly string[]): Need => ({
  kind: 'parked',
  code: 'parts-parked',
  isSerious: true,
  step: {
    title: parked.length === 1 ? `The part ${parked.join()} keeps failing` : `Parts keep failing: ${parked.join(', ')}`,
    sentence: 'It is retried automatically, or at once with Check again; the page of the parts says why it failed.',
    fix: null,
    href: '/parts',
  },
});

/** Everything that needs a person, the most urgent first. */
export function needsOf({ capabilities, parked, loss, newer }: NeedFacts): readonly Need[] {
  // Alone: nothing that the others need can be saved.
  if (newer?.isUndecided === true) return [newerNeed(newer)];
  return [
    ...capabilities
      .filter((row) => row.state === 'needs_you')
      .toSorted((a, b) => (a.urgency ?? LATEST) - (b.urgency ?? LATEST))
      .map(capabilityNeed),
    ...(loss === null ? [] : [lossNeed(loss)]),
    ...(newer === null ? [] : [newerNeed(newer)]),
    ...(parked.length === 0 ? [] : [parkedNeed(parked)]),
  ];
}
