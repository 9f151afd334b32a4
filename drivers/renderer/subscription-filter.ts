import type { PageFilter } from '#machines/renderer/events.ts';

import { giveFilter } from './entity-script.ts';
import type { PageSession } from './session.ts';

/** Lets the dashboards be sent some entities only. */
export interface SubscriptionFilter {
  /** Cuts the page that is open, without a load, and those that come; null ends it. */
  readonly apply: (filter: PageFilter | null) => Promise<void>;
  /**
   * Gives Home Assistant's page of a script context its filter. What comes after it there finds it: a page that asks
   * for its token has subscribed to nothing yet.
   */
  readonly give: (context: string) => Promise<void>;
}

/** As the page is told; names of dashboards are no keys of an object there. */
const written = (filter: PageFilter | null): string =>
  JSON.stringify(filter === null ? null : { learn: filter.learn, sets: Object.entries(filter.sets) });

/** What a page does that was given nothing. */
const NONE = written(null);

/** Opens it for one page, with the script context of Home Assistant's page that is open. */
export function openSubscriptionFilter(page: PageSession, open: () => string | null): SubscriptionFilter {
  let wanted = NONE;
  let given: { readonly context: string; readonly text: string } | null = null;
  const give = async (context: string): Promise<void> => {
    if (wanted === (given?.context === context ? given.text : NONE)) return;
    const mine = { context, text: wanted };
    given = mine;
    const taken = await page.evaluate(giveFilter(mine.text), { context });
    // It may have been taken too late to be answered; to be given the same again changes nothing.
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
