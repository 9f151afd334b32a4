import { capabilitiesCard } from './parts/capabilities.tsx';
import type { Card, Place } from './parts/card.ts';
import { controlsCard } from './parts/controls.tsx';
import { engineCard } from './parts/engine.tsx';
import { historyCard } from './parts/history-card.tsx';
import { linksCard } from './parts/links.tsx';
import { drawingCard } from './parts/panel-drawing.tsx';
import { summaryCard } from './parts/summary.tsx';

const order = [
  // A card a line, in the order in which they are read.
  drawingCard,
  summaryCard,
  controlsCard,
  linksCard,
  capabilitiesCard,
  historyCard,
  engineCard,
] as const;

/** Name of a card's part that follows the status. */
export type CardName = (typeof order)[number]['name'];

/** A card with a name that is known. */
export type NamedCard = Card & { readonly name: CardName };

/** The cards of the page `/`, in the order in which they are read. */
export const eachCard: readonly NamedCard[] = order;

/** The cards of one place, in their order. */
export const cardsOf = (place: Place): readonly NamedCard[] =>
  eachCard.filter((card) => (card.place ?? 'right') === place);
