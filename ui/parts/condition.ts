import type { Sections } from './sections.ts';

/** What must hold of the panel for something of a page to be there; it may change while the page is open. */
export type Condition = 'simulated' | 'real';

/** Whether it holds. */
export const holds = (condition: Condition, { panel }: Sections<'panel'>): boolean =>
  panel.profile.simulated === (condition === 'simulated');

/** Attributes of an element that is there only while the condition holds; none where it always is. */
export const shownWhile = (
  condition: Condition | undefined,
  status: Sections<'panel'>,
): { readonly 'data-while'?: Condition; readonly hidden?: boolean } =>
  condition === undefined ? {} : { 'data-while': condition, hidden: !holds(condition, status) };
