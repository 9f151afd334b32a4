import { serial } from '#drivers/kit/serial.ts';

import { textAt } from './json-fields.ts';
import { documentStart, type DocumentWishes } from './page-script.ts';
import type { PageSession } from './session.ts';

/** The script that runs at the start of every document that comes. */
export interface DocumentScript {
  /** Places it anew with what is wanted otherwise now. */
  readonly place: (change: Partial<DocumentWishes>) => Promise<void>;
}

/** Opens it for one page; nothing is placed before the first call. */
export const openDocumentScript = (page: PageSession, origin: string | null): DocumentScript => {
  let wishes: DocumentWishes = { headerHidden: false, entities: null };
  let placed: string | null = null;
  /** One after the other: of two scripts that stand, the older would have its way. */
  const placing = serial();
  const place = async (): Promise<void> => {
    const before = placed;
    const answer = await page.call('Page.addScriptToEvaluateOnNewDocument', { source: documentStart(origin, wishes) });
    placed = answer.ok ? textAt(100, answer.value, 'identifier') : before;
    if (before !== null && placed !== before)
      await page.call('Page.removeScriptToEvaluateOnNewDocument', { identifier: before });
  };
  return {
    place: (change) => {
      wishes = { ...wishes, ...change };
      return placing(place);
    },
  };
};
