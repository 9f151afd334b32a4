import { earlyCards } from '../early-cards.ts';
import { lateCards } from '../late-cards.ts';
import type { Card } from './card.ts';
import type { AnyPart } from './sections.ts';
import { shellParts } from './shell-parts.tsx';

const partsOf = (cards: readonly Card[]) => cards.map((card): [string, AnyPart] => [card.name, card]);

/** The parts of the page `/` that its own script draws again, including those of every page. */
export const earlyParts = (): ReadonlyMap<string, AnyPart> =>
  new Map<string, AnyPart>([...Object.entries(shellParts), ...partsOf(earlyCards)]);

/** Those that another script draws again. */
export const lateParts = (): ReadonlyMap<string, AnyPart> => new Map(partsOf(lateCards));
