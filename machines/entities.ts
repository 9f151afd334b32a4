import type { AnyActor } from './actors.ts';
import { rowsFromSettings } from './entities/from-settings.ts';
import type { EntityRow } from './kit/entity.ts';
import { descriptors } from './settings.ts';
import type { Manifest } from './subsystem.ts';
import { subsystems } from './subsystems.ts';

const manifests: readonly Manifest[] = subsystems;

/**
 * Every entity of the panel, one row each; both ways to Home Assistant, the pages and the documents walk these rows.
 */
export const entityRows: readonly EntityRow<AnyActor>[] = [
  ...manifests.flatMap(({ entities }) => entities ?? []),
  ...rowsFromSettings(descriptors),
];
