import { icons } from '../icons.ts';

/** Every icon of the pages once, for `Icon` to refer to. */
export const IconSheet = () => (
  <svg class="unseen" aria-hidden="true" width="0" height="0">
    {Object.entries(icons).map(([name, path]) => (
      <symbol key={name} id={`i-${name}`} viewBox="0 0 24 24">
        <path d={path} fill="currentColor" />
      </symbol>
    ))}
  </svg>
);
