import { cameraCard } from './parts/camera-card.tsx';
import { capabilitiesCard } from './parts/capabilities.tsx';
import type { Card, Place } from './parts/card.ts';
import { controlsCard } from './parts/controls.tsx';
import { engineCard } from './parts/engine.tsx';
import { historyCard } from './parts/history-card.tsx';
import { linksCard } from './parts/links.tsx';
import { drawingCard } from './parts/panel-drawing.tsx';
import { summaryCard } from './parts/summary.tsx';
import { voiceCard } from './parts/voice-card.tsx';

const order = [
  // One card a line, in reading order.
  drawingCard,
  summaryCard,
  controlsCard,
  cameraCard,
  voiceCard,
  linksCard,
  capabilitiesCard,
  historyCard,
  engineCard,
] as const;

export type CardName = (typeof order)[number]['name'];

export type NamedCard = Card & { readonly name: CardName };

/** The cards of the page `/`, in reading order. */
export const eachCard: readonly NamedCard[] = order;

export const cardsOf = (place: Place): readonly NamedCard[] =>
  eachCard.filter((card) => (card.place ?? 'right') === place);
