import type { JSX } from 'hono/jsx/jsx-runtime';
import type { StatusDocument } from '#machines/status.ts';
import type { StringKey } from '../strings/t.ts';
import type { Children } from './children.ts';

/** What a card is drawn from; `now` is the moment of drawing (epoch milliseconds). */
export interface CardProps {
  readonly status: StatusDocument;
  readonly now: number;
}

/** Where a card stands: in the hero, in one of the two columns below it, or among the folds at the end. */
export type Place = 'hero' | 'left' | 'right' | 'folds';

interface AnyCard {
  /** Name of its part that follows the status, in lower case. */
  readonly name: string;
  /** Where it stands; in the right column when absent. */
  readonly place?: Place;
  /** Draws that part, on the server and in the browser alike. */
  readonly draw: (props: CardProps) => JSX.Element;
}

/** A card under a heading, the usual one. */
export interface TitledCard extends AnyCard {
  readonly title: StringKey;
  /** A link or a button beside the heading; drawn once, by the server. */
  readonly beside?: () => Children;
  /** Id of the heading, for links to the card; made from the name when absent. */
  readonly anchor?: string;
}

/** A card that draws its own heading, or has none. */
export interface BareCard extends AnyCard {
  /** Id of the heading that it draws. */
  readonly labelledBy?: string;
}

/** A card of the page `/`; its component's file exports it, and `ui/cards.ts` says where it stands. */
export type Card = TitledCard | BareCard;
