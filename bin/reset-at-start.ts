import { resetFolder, sectionsAtStart } from '#drivers/reset/at-start.ts';
import { chunk } from '#machines/kit/chunk.ts';
import type { ResetScope } from '#machines/reset/events.ts';
import { dueOrder } from '#machines/reset/record.ts';

const reset = chunk(() => import('#actors/reset-after.ts'));

/** What a start did about a reset. */
export interface ResetAtStart {
  readonly scope: ResetScope;
  /** Null if it is done; else the code of what the disk refused, and the next start tries again. */
  readonly failure: string | null;
}

/**
 * Carries out the ordered reset before anything else reads the data folder; null if none was ordered. A start that dies
 * halfway leaves the order, and the next one does all of it again.
 */
export async function finishReset(folder: string): Promise<ResetAtStart | null> {
  const sections = sectionsAtStart(folder);
  const order = sections === null ? null : dueOrder(sections['reset']);
  if (sections === null || order === null) return null;
  const { filesAfter, sectionsAfter } = await reset();
  const after = { sections: sectionsAfter(sections, order), ...filesAfter(sections, order) };
  return { scope: order.scope, failure: await resetFolder(folder, after) };
}
