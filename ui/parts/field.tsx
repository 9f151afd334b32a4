import type { StatusDocument } from '#machines/status.ts';
import { t, tOr } from '../strings/t.ts';
import { chosenFor, isSecretSet, type FormItem, type FormValues } from './form-item.ts';
import { Icon } from './icon.tsx';
import { SettingShield } from './shield.tsx';

type Value = string | number | boolean;

const placeholderOf = ({ key, placeholder }: FormItem, value: Value, status: StatusDocument): string | undefined =>
  chosenFor(key, value !== '', status) ??
  (placeholder === null ? undefined : t('form.example', { value: placeholder }));

function Input({
  item,
  value,
  status,
}: {
  readonly item: FormItem;
  readonly value: Value;
  readonly status: StatusDocument;
}) {
  const common = { id: `field-${item.key}`, name: item.key, 'aria-describedby': `help-${item.key}` };
  if (item.type === 'ENUM') {
    return (
      <select class="input" {...common}>
        {item.options.map((option) => {
          const words = tOr(`form.option.${option}`, option);
          return (
            <option key={option} value={words === option ? undefined : option} selected={option === String(value)}>
              {words}
            </option>
          );
        })}
      </select>
    );
  }
  const numeric = item.type === 'INT' || item.type === 'LONG' || item.type === 'FLOAT';
  return (
    <span class={numeric ? 'input-box is-number' : 'input-box'}>
      <input
        class="input"
        {...common}
        type={numeric ? 'number' : 'text'}
        value={value === '' ? undefined : String(value)}
        placeholder={placeholderOf(item, value, status)}
        min={numeric && item.min !== null ? item.min : undefined}
        max={numeric && item.max !== null ? item.max : undefined}
        step={item.type === 'FLOAT' ? (item.step ?? 'any') : undefined}
        maxlength={!numeric && item.maxLength !== null ? item.maxLength : undefined}
        inputmode={numeric && (item.min ?? 0) >= 0 ? 'decimal' : undefined}
      />
      {item.unit ? <span class="input-unit">{item.unit}</span> : null}
    </span>
  );
}

const Secret = ({ item, set }: { readonly item: FormItem; readonly set: boolean }) => (
  <sconce-secret class="secret" data-set={set ? '1' : '0'}>
    <span class="secret-word" data-secret-word hidden={!set}>
      {t('form.secret_set')}
    </span>
    <span class="input-box" hidden={set} data-secret-box>
      <input
        class="input"
        id={`field-${item.key}`}
        name={item.key}
        type="password"
        autocomplete="new-password"
        aria-describedby={`help-${item.key}`}
        maxlength={item.maxLength ?? undefined}
      />
      <button
        type="button"
        class="button icon-button eye"
        data-secret-eye
        aria-label={t('form.secret_show', { label: item.label })}
        aria-pressed="false"
        disabled
      >
        <Icon name="mdi:eye-outline" />
      </button>
    </span>
    <button type="button" class="button quiet" data-secret-replace disabled hidden={!set}>
      {t('form.secret_replace')}
    </button>
    <button type="button" class="button quiet" data-secret-clear disabled hidden={!set}>
      {t('form.secret_clear')}
    </button>
  </sconce-secret>
);

const Switch = (props: {
  readonly id: string;
  readonly name: string;
  readonly checked: boolean;
  readonly 'aria-describedby': string;
}) => <input type="checkbox" role="switch" class="toggle" {...props} />;

/** The toggle beside a title that shows the setting in Home Assistant. */
const Expose = ({ item, shown }: { readonly item: FormItem; readonly shown: boolean }) => (
  <label class="expose">
    <input
      type="checkbox"
      class="unseen"
      name={`ha_expose_${item.key}`}
      checked={shown}
      aria-label={t('form.expose_label', { label: item.label })}
    />
    <Icon name="mdi:home-assistant" size={20} />
    <span>{t('form.exposed')}</span>
    <span>{t('form.not_exposed')}</span>
  </label>
);

/** The row of one reading, to show or hide in Home Assistant. */
export const Reading = ({ item, shown }: { readonly item: FormItem; readonly shown: boolean }) => (
  <div class="field">
    <div class="field-head has-switch">
      <label class="label" for={`expose-${item.key}`}>
        {item.label}
      </label>
      <Switch
        id={`expose-${item.key}`}
        name={`ha_expose_${item.key}`}
        checked={shown}
        aria-describedby={`help-${item.key}`}
      />
    </div>
    <p class="hint" id={`help-${item.key}`}>
      {item.help}
    </p>
  </div>
);

/** The word that the script adds beside the label of a changed field. */
export const Changed = () => <span class="changed">{t('form.changed')}</span>;

/** The button beside it that undoes the change. */
export const Undo = ({ name, label }: { readonly name: string; readonly label: string }) => (
  <button type="button" class="undo" data-undo={name} aria-label={`${t('form.undo')}: ${label}`}>
    <Icon name="mdi:undo-variant" size={18} />
    {t('form.undo')}
  </button>
);

/** Why a value is refused; the script adds it beside the field. */
export const Refusal = ({ id, reason }: { readonly id: string; readonly reason: string }) => (
  <p class="refusal" id={id}>
    <Icon name="mdi:alert" />
    <span>{reason}</span>
  </p>
);

/** Settings on a full line: addresses and hours are long. */
const wide: ReadonlySet<string> = new Set([
  'mqtt_broker',
  'ha_url',
  'home_dashboard',
  'screen_off_hours',
  'night_dim_hours',
  'stay_awake_dashboard',
]);

/** One setting: label above, help below, the unit inside; a switch is beside its label. */
export function Field({
  item,
  values,
  status,
}: {
  readonly item: FormItem;
  readonly values: FormValues;
  readonly status: StatusDocument;
}) {
  const value = values.settings[item.key] ?? item.default;
  return (
    <div
      class={wide.has(item.key) ? 'field is-wide' : 'field'}
      data-words={tOr(`words.${item.key}`, '') || undefined}
      data-beside={item.beside?.join(' ') || undefined}
    >
      <div class={item.type === 'BOOL' ? 'field-head has-switch' : 'field-head'}>
        <label class="label" for={`field-${item.key}`}>
          {item.label}
        </label>
        <SettingShield item={item} />
        {item.ha ? <Expose item={item} shown={values.ha_expose[item.key] === true} /> : null}
        {item.type === 'BOOL' ? (
          <Switch
            id={`field-${item.key}`}
            name={item.key}
            checked={value === true}
            aria-describedby={`help-${item.key}`}
          />
        ) : null}
      </div>
      {item.type === 'BOOL' ? null : item.secret ? (
        <Secret item={item} set={isSecretSet(values, item.key)} />
      ) : (
        <Input item={item} value={value} status={status} />
      )}
      {item.key === 'mqtt_broker' || item.key === 'ha_url' ? <sconce-address></sconce-address> : null}
      {item.key === 'home_dashboard' ? <sconce-dashboards></sconce-dashboards> : null}
      {item.key === 'panel_id' ? <p class="hint" role="status" data-becomes hidden></p> : null}
      {item.key === 'mqtt_password' || item.key === 'ha_token' ? (
        <p class="hint warn" role="status" data-old-recipient={item.key} hidden>
          {t(item.key === 'ha_token' ? 'form.secret_old_home_assistant' : 'form.secret_old_broker')}
        </p>
      ) : null}
      <p class="hint" id={`help-${item.key}`}>
        {item.help}
        {item.restart ? ` ${t('form.restart')}` : ''}
      </p>
    </div>
  );
}
