import { t } from '../strings/t.ts';
import { screenBox } from './screen-picture.tsx';
import type { Sections } from './sections.ts';

/**
 * Side of the mark and its edge, and its distance from the corner at the top left, in units of the drawing; larger than
 * to scale.
 */
const [SIDE, EDGE, GAP] = [26, 4, 14];

/** What the mark shows: amber for the microphone, red for the camera, red and twice as wide for both; null for none. */
function markOf({ in_use: { shown, holders } }: Sections<'in_use'>): 'camera' | 'microphone' | 'both' | null {
  if (shown !== 'overlay') return null;
  if (!holders.includes('microphone')) return 'camera';
  return holders.includes('camera') ? 'both' : 'microphone';
}

/** The mark on the drawn screen while something is in use: a panel without a browser draws it nowhere else. */
export function MarkOnScreen({ status }: { readonly status: Sections<'in_use'> }) {
  const mark = markOf(status);
  return mark === null ? null : (
    <rect
      class={mark === 'microphone' ? 'glass-mark is-microphone' : 'glass-mark'}
      x={screenBox.x + GAP}
      y={screenBox.y + GAP}
      width={mark === 'both' ? 2 * SIDE : SIDE}
      height={SIDE}
      stroke-width={EDGE}
    />
  );
}

/** Phases that tint the edge of the screen. */
const tinted: ReadonlySet<string> = new Set(['listening', 'processing', 'responding', 'error']);

/** Width of the tint, in units of the drawing. */
const TINT = 6;

/** The tint at the edge of the drawn screen while a turn runs. */
export function TintOnScreen({ status: { voice } }: { readonly status: Sections<'voice'> }) {
  const phase = voice?.state ?? 'off';
  return tinted.has(phase) ? (
    <rect
      class={`glass-tint is-${phase}`}
      x={screenBox.x + TINT / 2}
      y={screenBox.y + TINT / 2}
      width={screenBox.width - TINT}
      height={screenBox.height - TINT}
      rx="10"
      stroke-width={TINT}
    />
  ) : null;
}

/** Sentences about both for the drawing's label, with a leading space. */
export function markWords(status: Sections<'in_use' | 'voice'>): string {
  const mark = markOf(status);
  const phase = status.voice?.state ?? 'off';
  const ofMark = mark === null ? '' : ` ${t(`sim.mark.${mark}`)}.`;
  return phase === 'listening' || phase === 'processing' || phase === 'responding' || phase === 'error'
    ? `${ofMark} ${t(`sim.tint.${phase}`)}.`
    : ofMark;
}
