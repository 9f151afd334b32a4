import type { Fix } from './verdict.ts';

/** One thing that needs a person. */
export interface Need {
  readonly kind: 'undecided' | 'capability' | 'loss' | 'newer' | 'parked';
  /** Stable code of what it is about and why; lower case. */
  readonly code: string;
  /** True if the panel is for that, or is not itself without it; false for a part that it can do without. */
  readonly isSerious: boolean;
  /** What to do, as the next step on the pages. */
  readonly step: {
    /** As a headline. */
    readonly title: string;
    /** What to do, and why; as the sentence of a verdict, without addresses. */
    readonly sentence: string;
    readonly fix: Fix | null;
    /** Path of the page on which it is done; null beside a command. */
    readonly href: string | null;
  };
}
