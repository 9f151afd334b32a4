import type { StatusDocument } from '#machines/status.ts';
import { t } from '../strings/t.ts';

/** What the screen shows, on demand; nothing where no browser of this panel shows anything. */
export const ScreenPicture = ({ status: { renderer } }: { readonly status: StatusDocument }) =>
  renderer === null || renderer.phase === 'off' || renderer.mode === 'external' ? null : (
    <sconce-screen class="shot">
      <img class="shot-image" alt={t('shot.alt')} hidden />
      <p class="shot-line">
        <button type="button" class="button" disabled>
          {t('shot.take')}
        </button>
        <span class="said" role="status"></span>
      </p>
    </sconce-screen>
  );
