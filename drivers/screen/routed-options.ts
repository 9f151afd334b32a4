import type { Milliseconds } from '#machines/kit/units.ts';
import type { Verdict } from '#machines/kit/verdict.ts';

import type { RemarkOf } from './display-facts.ts';
import type { DisplaySources, Refusals } from './find-display.ts';

/** What the driver of one display is made of. */
export interface RoutedOptions extends DisplaySources {
  /** The verdict where no route reaches a display; `connected` names the connectors with a display on them. */
  readonly judge: (refusals: Refusals, connected: readonly string[]) => Verdict;
  /** What is worth knowing beside a display that was found: what it cannot do, and the one command for it. */
  readonly remark?: RemarkOf;
  /** What else makes a route come or go, such as sessions that begin after the agent; their order says nothing. */
  readonly sessions?: () => Promise<readonly string[]>;
  /** Pause between two checks of which displays and sessions there are; null where nothing can come or go. */
  readonly changesMs: Milliseconds | null;
}
