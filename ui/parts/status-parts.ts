import { eachCard } from '../cards.ts';
import { type DrawPart, shellParts } from './shell-parts.tsx';

/** The parts of the page `/` that follow the status, with those of every page. */
export const statusParts: ReadonlyMap<string, DrawPart> = new Map<string, DrawPart>([
  ...Object.entries(shellParts),
  ...eachCard.map(({ name, draw }): [string, DrawPart] => [name, (status, now) => draw({ status, now })]),
]);
