import type { StatusDocument } from '#machines/status.ts';
import type { CardName } from '../cards.ts';
import { settingsParts } from './settings-parts.tsx';
import { setupParts, type SetupStage } from './setup-steps.tsx';
import { securityParts } from './security.tsx';
import type { AnyPart } from './sections.ts';
import type { shellParts } from './shell-parts.tsx';
import { earlyParts, lateParts } from './status-parts.ts';
import { treeParts } from './tree.tsx';
import { aboutParts } from './updates.tsx';

/** Name of a part that follows the status. */
export type LivePart =
  | CardName
  | keyof typeof shellParts
  | keyof typeof settingsParts
  | keyof typeof treeParts
  | keyof typeof aboutParts
  | keyof typeof securityParts
  | `setup-${'progress' | 'finish' | 'go' | 'again' | SetupStage | `mark-${SetupStage}`}`;

/** Every part that follows the status, drawn by the same function on the server and in the browser. */
export const liveParts: ReadonlyMap<string, AnyPart> = new Map<string, AnyPart>([
  ...earlyParts(),
  ...lateParts(),
  ...Object.entries(settingsParts),
  ...Object.entries(setupParts),
  ...Object.entries(treeParts),
  ...Object.entries(aboutParts),
  ...Object.entries(securityParts),
]);

/** A part of the page that the browser redraws whenever a status section it reads changes. */
export const Live = ({ part, status }: { readonly part: LivePart; readonly status: StatusDocument }) => (
  <sconce-live part={part}>{liveParts.get(part)?.draw({ status, now: status.taken_at }) ?? null}</sconce-live>
);
