import { t } from '../strings/t.ts';
import { screenBox } from './screen-picture.tsx';
import type { Sections } from './sections.ts';

/**
 * Side of the mark and its edge, and its distance from the corner at the top left, in units of the drawing; larger than
 * to scale.
 */
const [SIDE, EDGE, GAP] = [26, 4, 14];

const isOnScreen = ({ in_use: inUse }: Sections<'in_use'>): boolean => inUse.shown === 'overlay';

/** The mark on the drawn screen while the camera is in use: a panel without a browser draws it nowhere else. */
export const MarkOnScreen = ({ status }: { readonly status: Sections<'in_use'> }) =>
  isOnScreen(status) ? (
    <rect
      class="glass-mark"
      x={screenBox.x + GAP}
      y={screenBox.y + GAP}
      width={SIDE}
      height={SIDE}
      stroke-width={EDGE}
    />
  ) : null;

/** A sentence about it for the drawing's label, with a leading space. */
export const markWords = (status: Sections<'in_use'>): string => (isOnScreen(status) ? ` ${t('sim.mark')}.` : '');
