import { useContext } from 'hono/jsx';
import { t } from '../strings/t.ts';
import { Kiosk } from './on-device.ts';
import { hasPicture } from './screen-picture.tsx';
import type { Sections } from './sections.ts';

/**
 * The button that shows and hides the picture, which comes by itself except on the screen that it would show. Nothing
 * if no browser of this panel shows anything.
 */
export function ScreenButton({ status }: { readonly status: Sections<'renderer'> }) {
  const isElsewhere = useContext(Kiosk) === 'elsewhere';
  return hasPicture(status) ? (
    <sconce-screen class="shot" data-auto={isElsewhere ? '' : undefined}>
      <span class="said" role="status"></span>
      <button type="button" class="button quiet" disabled>
        {t('shot.take')}
      </button>
    </sconce-screen>
  ) : null;
}
