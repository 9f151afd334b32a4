import type { Sections } from './sections.ts';

const withoutPicture: readonly string[] = ['off', 'not-installed', 'no-display'];

/** True if a browser of this panel shows something that can be captured. */
export const hasPicture = ({ renderer }: Sections<'renderer'>): boolean =>
  renderer !== null && renderer.mode !== 'external' && !withoutPicture.includes(renderer.phase);

/** Position of the screen, in the drawing's units. */
export const screenBox = { x: 72, y: 56, width: 576, height: 368 };

/** Place of the picture in the drawing, behind its screen; the script fills it. */
export const PanelPicture = () => (
  <g id="glass-picture" data-keep hidden>
    <clipPath id="glass-edge">
      <rect {...screenBox} rx="14" />
    </clipPath>
    <rect class="glass" {...screenBox} rx="14" />
    <image {...screenBox} clip-path="url(#glass-edge)" />
  </g>
);
