import type { IconName } from '../icons.ts';

/** Reference to an icon of the page's `IconSheet`; short, since a page has some of them fifty times. */
export const iconRef = (name: string): string => `#i-${name.slice('mdi:'.length)}`;

/**
 * One Material Design icon; decorative, always beside its word. Its path is in the page's `IconSheet`. Without `size`
 * it has that of the style sheet: 24 pixels, 20 in a mark.
 */
export const Icon = ({ name, size }: { readonly name: IconName; readonly size?: number | undefined }) => (
  <svg class="icon" width={size} height={size} aria-hidden="true">
    <use href={iconRef(name)} />
  </svg>
);
