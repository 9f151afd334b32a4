import type { PageFilter } from '#machines/renderer/events.ts';

import { giveFilter } from './entity-script.ts';
import type { PageSession } from './session.ts';

/** Limits the entities that Home Assistant sends to the dashboards. */
export interface SubscriptionFilter {
  /** Filters the open page, without a reload, and later ones; null removes the filter. */
  readonly apply: (filter: PageFilter | null) => Promise<void>;
  /**
   * Hands Home Assistant's page in a script context its filter. It is in time: a page that asks for its token has not
   * subscribed to anything yet.
   */
  readonly give: (context: string) => Promise<void>;
}

/** As sent to the page; a list, so that no dashboard's name becomes the key of an object. */
const written = (filter: PageFilter | null): string =>
  JSON.stringify(filter === null ? null : { learn: filter.learn, sets: Object.entries(filter.sets) });

/** The filter of a page that was given none. */
const NONE = written(null);

/** `open` returns the script context of Home Assistant's page, if it is open. */
export function openSubscriptionFilter(page: PageSession, open: () => string | null): SubscriptionFilter {
  let wanted = NONE;
  let given: { readonly context: string; readonly text: string } | null = null;
  const give = async (context: string): Promise<void> => {
    if (wanted === (given?.context === context ? given.text : NONE)) return;
    const mine = { context, text: wanted };
    given = mine;
    const taken = await page.evaluate(giveFilter(mine.text), { context });
    // The page may have applied it without answering in time; applying it again changes nothing.
    if (taken !== true && given === mine) given = null;
  };
  return {
    give,
    apply: async (filter) => {
      wanted = written(filter);
      const context = open();
      if (context !== null) await give(context);
    },
  };
}
