import { cameraCard } from './parts/camera-card.tsx';
import { capabilitiesCard } from './parts/capabilities.tsx';
import { engineCard } from './parts/engine.tsx';
import { historyCard } from './parts/history-card.tsx';
import { linksCard } from './parts/links.tsx';
import { voiceCard } from './parts/voice-card.tsx';

/** The other cards of the page `/`: what draws them again is loaded once the panel differs from what the page shows. */
export const lateCards = [
  // One card a line, in reading order.
  cameraCard,
  voiceCard,
  linksCard,
  capabilitiesCard,
  historyCard,
  engineCard,
] as const;
