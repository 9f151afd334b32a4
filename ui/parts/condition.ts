import type { StatusDocument } from '#machines/status.ts';

/** What must hold of the panel for something of a page to be there; it may change while the page is open. */
export type Condition = 'simulated' | 'real';

/** Whether it holds. */
export const holds = (condition: Condition, { panel }: StatusDocument): boolean =>
  panel.profile.simulated === (condition === 'simulated');

/** Attributes of an element that is there only while the condition holds; none where it always is. */
export const shownWhile = (
  condition: Condition | undefined,
  status: StatusDocument,
): { readonly 'data-while'?: Condition; readonly hidden?: boolean } =>
  condition === undefined ? {} : { 'data-while': condition, hidden: !holds(condition, status) };
