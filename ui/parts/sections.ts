import type { JSX } from 'hono/jsx/jsx-runtime';
import type { StatusDocument } from '#machines/status.ts';
import type { Section } from '#machines/status/compare.ts';

/** Some sections of the status. */
export type Sections<R extends Section = Section> = Pick<StatusDocument, R>;

/** What a part that reads the sections in `L` is drawn from; `now` is the moment of drawing (epoch milliseconds). */
export interface PartProps<L extends readonly Section[]> {
  readonly status: Sections<L[number]>;
  readonly now: number;
}

/**
 * A part of a page that follows the status. It is redrawn when a section it reads differs, and has access to no other.
 */
export interface DrawnPart<L extends readonly Section[] = readonly []> {
  readonly reads: L;
  /** Draws it, on the server and in the browser. */
  readonly draw: (props: PartProps<L>) => JSX.Element;
  /** For a card: its state, for its styles; the card is hidden while that is `absent`. */
  readonly stateOf?: (status: Sections<L[number]>) => string;
}

/** Any part; its caller has the whole status. */
export type AnyPart = DrawnPart<readonly Section[]>;
