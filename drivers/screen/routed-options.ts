import type { Milliseconds } from '#machines/kit/units.ts';
import type { Verdict } from '#machines/kit/verdict.ts';

import type { RemarkOf } from './display-facts.ts';
import type { DisplaySources, Refusals } from './find-display.ts';

export interface RoutedOptions extends DisplaySources {
  /** The verdict if no route reaches the display; `connected` lists the connectors with a display. */
  readonly judge: (refusals: Refusals, connected: readonly string[]) => Verdict;
  /** What a display that was found cannot do, and the command that helps. */
  readonly remark?: RemarkOf;
  /** Names of what else makes routes come or go, such as sessions that start after the agent; in any order. */
  readonly sessions?: () => Promise<readonly string[]>;
  /** Pause between two checks of displays and sessions; null if neither can change. */
  readonly changesMs: Milliseconds | null;
}
