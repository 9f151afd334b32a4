import { icons } from '../icons.ts';
import type { PageName } from './shell.tsx';

/** Icons that one page alone draws. */
const owned: Readonly<Record<string, PageName>> = { 'radiobox-marked': 'simulator', 'white-balance-sunny': 'simulator', 'undo-variant': 'configure' };

/** Every icon that `page` may draw, once, for `Icon` to refer to. */
export const IconSheet = ({ page }: { readonly page: PageName | null }) => (
  <svg class="unseen" aria-hidden="true" width="0" height="0">
    {Object.entries(icons).flatMap(([name, path]) =>
      owned[name] === undefined || owned[name] === page
        ? [
            <symbol key={name} id={`i-${name}`} viewBox="0 0 24 24">
              <path d={path} />
            </symbol>,
          ]
        : [],
    )}
  </svg>
);
