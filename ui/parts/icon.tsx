import type { IconName } from '../icons.ts';

/** Reference to an icon of the page's `IconSheet`; short, since a page has some of them fifty times. */
export const iconRef = (name: string): string => `#i-${name.slice('mdi:'.length)}`;

/** The default size of the style sheet, in pixels, which the marks of the many rows have. */
const usual = 20;

/** One Material Design icon; decorative, always beside its word. Its path is in the page's `IconSheet`. */
export const Icon = ({ name, size = 24 }: { readonly name: IconName; readonly size?: number }) => (
  <svg class="icon" {...(size !== usual && { width: size, height: size })} aria-hidden="true">
    <use href={iconRef(name)} />
  </svg>
);
