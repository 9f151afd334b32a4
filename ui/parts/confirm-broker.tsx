import { t } from '../strings/t.ts';
import type { Sections } from './sections.ts';

/** Facts shown about the found broker, with their labels. */
const fields = () => [
  { field: 'name', word: t('form.broker_name') },
  { field: 'address', word: t('form.broker_address') },
  { field: 'port', word: t('form.broker_port') },
];

/**
 * Confirms a broker while one awaits confirmation; its sentence is shown above. The status does not name the broker:
 * the browser requests it, and keeps what it shows until a person acts.
 */
export const ConfirmBroker = ({ status }: { readonly status: Sections<'mqtt'> }) => (
  <div>
    <div>
      {status.mqtt === null || status.mqtt.confirm === null ? null : (
        <sconce-confirm id={`confirm-${status.mqtt.confirm}`} data-keep>
          <dl class="facts" hidden>
            {fields().map(({ field, word }) => (
              <div key={field}>
                <dt>{word}</dt>
                <dd data-waiting={field}></dd>
              </div>
            ))}
          </dl>
          <label hidden>
            {t('form.confirm_password')}
            <input class="input" type="password" autocomplete="off" />
          </label>
          <button type="button" class="button" disabled>
            {t('form.confirm_broker')}
          </button>
        </sconce-confirm>
      )}
    </div>
    <p class="said" role="status" data-said="broker" data-keep></p>
  </div>
);
