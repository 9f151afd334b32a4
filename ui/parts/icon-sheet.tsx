import { raw } from 'hono/html';
import { type IconName, icons } from '../icons.ts';
import { iconRef } from './icon.tsx';

/** Defines these icons and those that `markup` refers to, each once, for `Icon`. */
export function IconSheet({ markup, also }: { readonly markup: string; readonly also: readonly IconName[] }) {
  const referred = new Set(markup.match(/#i-[\w-]+/g));
  const wanted = new Set<string>(also);
  return (
    <svg class="unseen" aria-hidden="true" width="0" height="0">
      {Object.entries(icons).map(([name, path]) => {
        const ref = iconRef(name);
        return wanted.has(name) || referred.has(ref)
          ? raw(`<symbol id="${ref.slice(1)}" viewBox="0 0 24 24"><path d="${path}"/></symbol>`)
          : null;
      })}
    </svg>
  );
}
