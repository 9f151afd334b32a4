import type { Part } from '#actors/kit/part.ts';
import { accessParts } from './access.ts';
import { baseParts } from './base.ts';
import type { PartDeps } from './deps.ts';
import { edgeParts } from './edge.ts';
import { linkParts } from './link.ts';
import { mediaParts } from './media.ts';
import { panelParts } from './panel.ts';
import { upkeepParts } from './upkeep.ts';
import { viewParts } from './view.ts';

/** Every worker of the agent with its concrete drivers: the one place where rooms meet. */
export const assembleParts = (deps: PartDeps): readonly Part[] =>
  [baseParts, edgeParts, linkParts, panelParts, viewParts, mediaParts, accessParts, upkeepParts].flatMap((wire) =>
    wire(deps),
  );
