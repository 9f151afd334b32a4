import type { subsystems } from './subsystems.ts';

/** Sections of the durable document; each is written by the one subsystem whose manifest names it. */
export type StoredSection = Extract<
  (typeof subsystems)[number],
  { readonly sections: readonly string[] }
>['sections'][number];
