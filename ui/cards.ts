import { aboutCard } from './parts/about.tsx';
import { capabilitiesCard } from './parts/capabilities.tsx';
import type { Card } from './parts/card.ts';
import { controlsCard } from './parts/controls.tsx';
import { happenedCard } from './parts/happened.tsx';
import { linksCard } from './parts/links.tsx';
import { drawingCard } from './parts/panel-drawing.tsx';
import { setupDueCard } from './parts/setup-due.tsx';
import { summaryCard } from './parts/summary.tsx';
import { treeCard } from './parts/tree.tsx';

const order = [
  setupDueCard,
  drawingCard,
  summaryCard,
  controlsCard,
  linksCard,
  capabilitiesCard,
  [happenedCard, aboutCard],
  treeCard,
] as const;

type CardIn<P> = P extends readonly (infer C)[] ? C : P;

/** Name of a card's part that follows the status. */
export type CardName = CardIn<(typeof order)[number]>['name'];

/** A card with a name that is known. */
export type NamedCard = Card & { readonly name: CardName };

/** The cards of the page `/`, in order; those in a list of their own share a column. */
export const cards: readonly (NamedCard | readonly NamedCard[])[] = order;

/** Each card by itself. */
export const eachCard: readonly NamedCard[] = cards.flat();
