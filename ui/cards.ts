import { earlyCards } from './early-cards.ts';
import { lateCards } from './late-cards.ts';
import type { Card, Place } from './parts/card.ts';

const order = [...earlyCards, ...lateCards];

export type CardName = (typeof order)[number]['name'];

export type NamedCard = Card & { readonly name: CardName };

/** The cards of the page `/`, in reading order. */
export const eachCard: readonly NamedCard[] = order;

export const cardsOf = (place: Place): readonly NamedCard[] =>
  eachCard.filter((card) => (card.place ?? 'right') === place);
