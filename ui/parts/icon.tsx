import type { IconName } from '../icons.ts';

/** Reference to an icon of the page's `IconSheet`; short, since a page has some of them fifty times. */
export const iconRef = (name: string): string => `#i-${name.slice('mdi:'.length)}`;

/** The size that the style sheet gives: the marks of the many rows have it, in pixels. */
const usual = 20;

/** One Material Design icon; decoration only, the word stands beside it. Its path is in the page's `IconSheet`. */
export const Icon = ({ name, size = 24 }: { readonly name: IconName; readonly size?: number }) => (
  <svg class="icon" {...(size !== usual && { width: size, height: size })} aria-hidden="true">
    <use href={iconRef(name)} />
  </svg>
);
