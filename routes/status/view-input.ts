import type { ProjectionInput } from '#machines/subsystem.ts';
import type { StatusSources } from '#routes/kit/deps.ts';

/** What the projections of the subsystems are made from, as of now. */
export const projectionInput = ({
  registry,
  now,
  elapsed,
  startedAt,
  version,
  build,
  tree,
}: StatusSources): ProjectionInput => ({
  read: (id) => (registry.read(id) ?? registry.off(id))?.context,
  view: (id) => registry.read(id) ?? registry.off(id),
  now: now(),
  elapsed: elapsed(),
  startedAt,
  version,
  build,
  tree: tree(),
  supervised: registry.ids(),
});
