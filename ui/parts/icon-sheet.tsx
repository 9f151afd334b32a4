import { type IconName, icons } from '../icons.ts';
import { iconRef } from './icon.tsx';

/** The icons among these and those that `markup` refers to, each once, for `Icon` to refer to. */
export const IconSheet = ({ markup, also }: { readonly markup: string; readonly also: readonly IconName[] }) => {
  const referred = new Set(markup.match(/#i-[\w-]+/g));
  const wanted = new Set(also);
  return (
    <svg class="unseen" aria-hidden="true" width="0" height="0">
      {Object.entries(icons).map(([name, path]) => {
        // The keys of the table are the names.
        const ref = iconRef(name as IconName);
        return wanted.has(name as IconName) || referred.has(ref) ? (
          <symbol key={name} id={ref.slice(1)} viewBox="0 0 24 24">
            <path d={path} />
          </symbol>
        ) : null;
      })}
    </svg>
  );
};
