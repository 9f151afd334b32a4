import type { FilterDocument } from '#machines/entity-filter/documents.ts';
import { t } from '../strings/t.ts';
import { Icon } from './icon.tsx';

/** The switches of this page. */
type LearningSwitch = keyof FilterDocument['learning'];

const Switch = ({ of, on, live }: { readonly of: LearningSwitch; readonly on: boolean; readonly live: boolean }) => (
  <div class="entity-switch">
    <div>
      <p class="label" id={`entities-${of}`}>
        {t(`entities.learn.${of}`)}
      </p>
      <p class="hint" id={`entities-${of}-help`}>
        {t(`entities.learn_help.${of}`)}
      </p>
    </div>
    <button
      type="button"
      class="switch"
      role="switch"
      aria-checked={on ? 'true' : 'false'}
      aria-labelledby={`entities-${of}`}
      aria-describedby={`entities-${of}-help`}
      data-entities="switch"
      data-switch={of}
      disabled={!live}
    ></button>
  </div>
);

/** The learning options, and what is rarely needed: pinning an entity, the export and the reset. */
export const Learning = ({ filter, live }: { readonly filter: FilterDocument; readonly live: boolean }) => (
  <>
    {(['enabled', 'auto_static', 'auto_runtime'] as const).map((of) => (
      <Switch key={of} of={of} on={filter.learning[of]} live={live} />
    ))}
    <form class="entity-name" data-entities-form="pin">
      <label class="label" for="entity-name">
        {t('entities.name')}
      </label>
      <div class="entity-name-row">
        <input
          class="input"
          id="entity-name"
          name="entity_id"
          placeholder="light.kitchen"
          maxlength={255}
          autocomplete="off"
          aria-describedby="entity-name-help"
          required
          data-keep
          disabled={!live}
        />
        <button type="submit" class="button" disabled={!live}>
          {t('entities.name_add')}
        </button>
      </div>
      <p class="said" role="status" data-said-name data-keep></p>
      <p class="hint" id="entity-name-help">
        {t('entities.name_help')}
      </p>
    </form>
    <div class="entity-buttons">
      <a class="button" href="/api/v1/dashboard/entities/export" download="sconce-entities.json">
        <Icon name="mdi:download" size={20} />
        <span>{t('entities.export')}</span>
      </a>
      <button type="button" class="button" data-entities="reset" disabled={!live}>
        <Icon name="mdi:delete-outline" size={20} />
        <span>{t('entities.reset')}</span>
      </button>
    </div>
  </>
);
