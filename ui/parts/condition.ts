import type { Sections } from './sections.ts';

/** A condition of the panel for an element to exist; it may change while the page is open. */
export type Condition = 'simulated' | 'real';

/** True if it holds. */
export const holds = (condition: Condition, { panel }: Sections<'panel'>): boolean =>
  panel.profile.simulated === (condition === 'simulated');

/** Attributes of an element that exists only while the condition holds; none for an unconditional one. */
export const shownWhile = (
  condition: Condition | undefined,
  status: Sections<'panel'>,
): { readonly 'data-while'?: Condition; readonly hidden?: boolean } =>
  condition === undefined ? {} : { 'data-while': condition, hidden: !holds(condition, status) };
