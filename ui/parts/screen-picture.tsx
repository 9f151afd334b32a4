import { t } from '../strings/t.ts';
import type { Sections } from './sections.ts';

/** True if a browser of this panel shows something that can be captured. */
const hasPicture = ({ renderer }: Sections<'renderer'>): boolean =>
  renderer !== null && renderer.phase !== 'off' && renderer.mode !== 'external';

/** Position of the screen, in the drawing's units. */
export const screenBox = { x: 72, y: 56, width: 576, height: 368 };

/** Place of the picture in the drawing, behind its screen; the script fills it. */
export const PanelPicture = ({ status }: { readonly status: Sections<'renderer'> }) =>
  hasPicture(status) ? (
    <g id="glass-picture" data-keep hidden>
      <clipPath id="glass-edge">
        <rect {...screenBox} rx="14" />
      </clipPath>
      <rect class="glass" {...screenBox} rx="14" />
      <image {...screenBox} clip-path="url(#glass-edge)" />
    </g>
  ) : null;

/** What the screen shows, on demand; nothing if no browser of this panel shows anything. */
export const ScreenPicture = ({ status }: { readonly status: Sections<'renderer'> }) =>
  hasPicture(status) ? (
    <sconce-screen class="shot">
      <span class="said" role="status"></span>
      <button type="button" class="button quiet" disabled>
        {t('shot.take')}
      </button>
    </sconce-screen>
  ) : null;
