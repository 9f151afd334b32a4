import { useContext } from 'hono/jsx';
import { t } from '../strings/t.ts';
import { Kiosk } from './on-device.ts';

/**
 * The QR code to continue on a phone: on the panel itself, where typing is slow, and beside the steps on a wide
 * screen.
 */
export function ByPhone({ link }: { readonly link: string | null }) {
  const place = useContext(Kiosk);
  return link === null ? null : (
    <section class={`card setup-phone${place === 'elsewhere' ? ' is-elsewhere' : ''}`} aria-label={t('setup.phone')}>
      <img
        src="/api/v1/ha/oauth/qr.svg?page=setup"
        width={128}
        height={128}
        alt={t('setup.phone_code')}
        loading="lazy"
      />
      <div>
        <p>{t('setup.phone')}</p>
        <p class="hint setup-link">{link}</p>
      </div>
    </section>
  );
}
