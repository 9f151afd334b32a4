import type { StatusDocument } from '#machines/status.ts';
import type { Section } from '#machines/status/compare.ts';
import type { StringKey } from '../strings/t.ts';
import type { Children } from './children.ts';
import type { DrawnPart, PartProps } from './sections.ts';

export type CardProps<L extends readonly Section[]> = PartProps<L>;

/** Where a card is placed: in the hero, in one of the two columns below it, or among the folds at the end. */
export type Place = 'hero' | 'left' | 'right' | 'folds';

/** The panel's address as others reach it. */
export interface PanelAddress {
  /** A name or an IP address, an IPv6 one in brackets. */
  readonly host: string;
  /** True if it is a loopback address, since the panel has no other yet. */
  readonly isLoopback: boolean;
}

/** What is drawn once below a card that follows the status. */
export interface BelowCard {
  readonly status: StatusDocument;
  /** Null if it is not known. */
  readonly address: PanelAddress | null;
}

interface AnyCard<L extends readonly Section[]> extends DrawnPart<L> {
  /** Name of its part that follows the status, in lower case. */
  readonly name: string;
  /** In the right column if absent. */
  readonly place?: Place;
}

/** A card under a heading, the usual one: `satisfies TitledCard<typeof reads>`. */
export interface TitledCard<L extends readonly Section[] = readonly []> extends AnyCard<L> {
  readonly title: StringKey;
  /** Page that the heading links to, if any. */
  readonly href?: string;
  /** A link or a button beside the heading; drawn once, by the server. */
  readonly beside?: () => Children;
  /** Id of the heading, for links to the card; derived from the name if absent. */
  readonly anchor?: string;
}

/** A card that draws its own heading, or has none. */
export interface BareCard<L extends readonly Section[] = readonly []> extends AnyCard<L> {
  /** Id of the heading that it draws. */
  readonly labelledBy?: string;
}

/** A card of the page `/`, exported by its component's file; `early-cards.ts` and `late-cards.ts` set the order. */
export type Card = TitledCard<readonly Section[]> | BareCard<readonly Section[]>;
