import { controlsCard } from './parts/controls.tsx';
import { drawingCard } from './parts/panel-drawing.tsx';
import { summaryCard } from './parts/summary.tsx';

/** The first cards of the page `/`, whose page brings what draws them again. */
export const earlyCards = [
  // One card a line, in reading order.
  drawingCard,
  summaryCard,
  controlsCard,
] as const;
