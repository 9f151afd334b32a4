import type { StatusDocument } from '#machines/status.ts';
import { t } from '../strings/t.ts';
import { Shield } from './shield.tsx';

/**
 * The button that clears what Home Assistant's pages store in this panel's browser, with its dialog; nothing if Sconce
 * does not run that browser.
 */
export const DashboardStorage = ({ status: { renderer } }: { readonly status: StatusDocument }) =>
  renderer === null || renderer.mode !== 'builtin' || renderer.phase === 'off' ? null : (
    <div class="inset stack" role="group" aria-labelledby="storage-title">
      <h2 id="storage-title">{t('storage.title')}</h2>
      <p class="hint">{t('storage.help')}</p>
      <sconce-storage>
        <p>
          <button type="button" class="button" data-storage="ask" disabled>
            {t('storage.clear')} <Shield />
          </button>
        </p>
        <p class="said" role="status"></p>
        <dialog class="question" aria-labelledby="storage-question">
          <h2 id="storage-question">{t('storage.question')}</h2>
          <p>{t('storage.goes')}</p>
          <p>{t('storage.stays')}</p>
          <p>{t('storage.loads')}</p>
          <div class="question-buttons">
            <button type="button" class="button" data-storage="no">
              {t('controls.cancel')}
            </button>
            <button type="button" class="button primary" data-storage="yes">
              {t('storage.yes')}
            </button>
          </div>
        </dialog>
      </sconce-storage>
    </div>
  );
