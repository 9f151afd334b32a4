import { t } from '../strings/t.ts';
import type { Sections } from './sections.ts';

/** Whether a browser of this panel shows something of which there can be a picture. */
const hasPicture = ({ renderer }: Sections<'renderer'>): boolean =>
  renderer !== null && renderer.phase !== 'off' && renderer.mode !== 'external';

/** Where the glass is, in the units of the drawing. */
export const glassBox = { x: 72, y: 56, width: 576, height: 368 };

/** Where the picture is put into the drawing, behind its glass; the script brings it. */
export const GlassPicture = ({ status }: { readonly status: Sections<'renderer'> }) =>
  hasPicture(status) ? (
    <g id="glass-picture" data-keep hidden>
      <clipPath id="glass-edge">
        <rect {...glassBox} rx="14" />
      </clipPath>
      <rect class="glass" {...glassBox} rx="14" />
      <image {...glassBox} clip-path="url(#glass-edge)" />
    </g>
  ) : null;

/** What the screen shows, on demand; nothing where no browser of this panel shows anything. */
export const ScreenPicture = ({ status }: { readonly status: Sections<'renderer'> }) =>
  hasPicture(status) ? (
    <sconce-screen class="shot">
      <span class="said" role="status"></span>
      <button type="button" class="button quiet" disabled>
        {t('shot.take')}
      </button>
    </sconce-screen>
  ) : null;
