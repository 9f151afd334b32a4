import type { JSX } from 'hono/jsx/jsx-runtime';
import type { StatusDocument } from '#machines/status.ts';
import { StateMark } from './state-mark.tsx';

/** Draws a part of a page that follows the status; `now` is the moment of drawing (epoch milliseconds). */
export type DrawPart = (status: StatusDocument, now: number) => JSX.Element;

/** Every part of the shell that follows the status: all that most pages have. */
export const shellParts = {
  name: (status: StatusDocument) => <span class="header-words">{status.panel.name}</span>,
  state: (status: StatusDocument) => <StateMark state={status.state} />,
} as const;
