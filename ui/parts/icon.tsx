import type { IconName } from '../icons.ts';

/** One Material Design icon; decoration only, the word stands beside it. Its path is in the page's `IconSheet`. */
export const Icon = ({ name, size = 24, mark }: { readonly name: IconName; readonly size?: number; readonly mark?: string }) => (
  <svg class={mark ? `icon ${mark}` : 'icon'} width={size} height={size} aria-hidden="true">
    <use href={`#i-${name}`} />
  </svg>
);
