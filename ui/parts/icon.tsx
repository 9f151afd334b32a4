import type { IconName } from '../icons.ts';

/** The size that the style sheet gives: the marks of the many rows have it, in pixels. */
const usual = 20;

/** One Material Design icon; decoration only, the word stands beside it. Its path is in the page's `IconSheet`. */
export const Icon = ({ name, size = 24 }: { readonly name: IconName; readonly size?: number }) => (
  <svg class="icon" {...(size !== usual && { width: size, height: size })} aria-hidden="true">
    <use href={`#i-${name}`} />
  </svg>
);
