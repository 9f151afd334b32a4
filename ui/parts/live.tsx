import type { StatusDocument } from '#machines/status.ts';
import { About } from './about.tsx';
import { Capabilities } from './capabilities.tsx';
import { Controls } from './controls.tsx';
import { Happened } from './happened.tsx';
import { Broker, Links } from './links.tsx';
import { SignIn } from './sign-in.tsx';
import { PanelDrawing } from './panel-drawing.tsx';
import { StateMark } from './state-mark.tsx';
import { Summary } from './summary.tsx';
import { Tree } from './tree.tsx';

/** Every part of a page that follows the status, drawn by the same function on the server and in the browser. */
export const liveParts = {
  name: (status: StatusDocument) => <span class="header-words">{status.panel.name}</span>,
  state: (status: StatusDocument) => <StateMark state={status.state} />,
  drawing: (status: StatusDocument, now: number) => <PanelDrawing status={status} now={now} />,
  summary: (status: StatusDocument) => <Summary status={status} />,
  controls: (status: StatusDocument, now: number) => <Controls status={status} now={now} />,
  capabilities: (status: StatusDocument) => <Capabilities status={status} />,
  links: (status: StatusDocument, now: number) => <Links status={status} now={now} />,
  broker: (status: StatusDocument, now: number) => <Broker status={status} now={now} />,
  'sign-in': (status: StatusDocument) => <SignIn status={status} />,
  happened: (status: StatusDocument, now: number) => <Happened status={status} now={now} />,
  tree: (status: StatusDocument) => <Tree root={status.supervision} />,
  about: (status: StatusDocument, now: number) => <About status={status} now={now} />,
} as const;

/** Name of a part that follows the status. */
export type LivePart = keyof typeof liveParts;

/** A part of the page that the browser redraws whenever the status changes. */
export const Live = ({ part, status }: { readonly part: LivePart; readonly status: StatusDocument }) => (
  <sconce-live part={part}>{liveParts[part](status, status.taken_at)}</sconce-live>
);
