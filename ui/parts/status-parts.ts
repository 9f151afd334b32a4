import { eachCard } from '../cards.ts';
import type { AnyPart } from './sections.ts';
import { shellParts } from './shell-parts.tsx';

/** The parts of the page `/` that follow the status, including those of every page. */
export const statusParts: ReadonlyMap<string, AnyPart> = new Map<string, AnyPart>([
  ...Object.entries(shellParts),
  ...eachCard.map((card): [string, AnyPart] => [card.name, card]),
]);
