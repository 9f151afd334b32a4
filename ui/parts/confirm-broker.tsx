import type { StatusDocument } from '#machines/status.ts';
import { t } from '../strings/t.ts';

/** The way to confirm a broker that was found, while one waits for that; its sentence stands above. */
export const ConfirmBroker = ({ status }: { readonly status: StatusDocument }) => (
  <div>
    <div>
      {status.mqtt === null || status.mqtt.confirm === null ? null : (
        <button type="button" class="button" data-confirm-broker disabled>
          {t('form.confirm_broker')}
        </button>
      )}
    </div>
    <p class="said" role="status" data-said="broker" data-keep></p>
  </div>
);
