import { t } from '../strings/t.ts';
import { isSecretSet, type FormItem, type FormValues } from './form-item.ts';
import { Icon } from './icon.tsx';

type Value = string | number | boolean;

const describedBy = (key: string): string => `help-${key} refusal-${key}`;

const Input = ({ item, value }: { readonly item: FormItem; readonly value: Value }) => {
  const common = { id: `field-${item.key}`, name: item.key, 'aria-describedby': describedBy(item.key) };
  if (item.type === 'ENUM') {
    return (
      <select class="input" {...common}>
        {item.options.map((option) => (
          <option key={option} value={option} selected={option === String(value)}>
            {option}
          </option>
        ))}
      </select>
    );
  }
  const numeric = item.type === 'INT' || item.type === 'LONG' || item.type === 'FLOAT';
  return (
    <span class="input-box">
      <input
        class="input"
        {...common}
        type={numeric ? 'number' : 'text'}
        value={String(value)}
        placeholder={item.placeholder ?? undefined}
        min={numeric && item.min !== null ? item.min : undefined}
        max={numeric && item.max !== null ? item.max : undefined}
        step={item.type === 'FLOAT' ? (item.step ?? 'any') : undefined}
        maxlength={!numeric && item.maxLength !== null ? item.maxLength : undefined}
        inputmode={numeric && (item.min ?? 0) >= 0 ? 'decimal' : undefined}
      />
      {item.unit ? <span class="input-unit">{item.unit}</span> : null}
    </span>
  );
};

const Secret = ({ item, set }: { readonly item: FormItem; readonly set: boolean }) => (
  <sconce-secret class="secret" data-set={set ? '1' : '0'}>
    <span class="secret-word" data-secret-word>
      {set ? t('form.secret_set') : t('form.secret_not_set')}
    </span>
    <span class="input-box" hidden data-secret-box>
      <input
        class="input"
        id={`field-${item.key}`}
        name={item.key}
        type="password"
        autocomplete="new-password"
        aria-label={t('form.secret_new', { label: item.label })}
        aria-describedby={describedBy(item.key)}
        maxlength={item.maxLength ?? undefined}
      />
    </span>
    <button type="button" class="button quiet" data-secret-replace disabled>
      {set ? t('form.secret_replace') : t('form.secret_enter')}
    </button>
    <button type="button" class="button quiet" data-secret-clear disabled hidden={!set}>
      {t('form.secret_clear')}
    </button>
  </sconce-secret>
);

/**
 * "Show in Home Assistant" of one setting or reading; a box that is ticked or not is never refused, so it has no line
 * for that.
 */
export const Expose = ({
  item,
  shown,
  label,
  help,
}: {
  readonly item: FormItem;
  readonly shown: boolean;
  readonly label: string;
  readonly help?: string | null;
}) => (
  <div class="field expose" data-field={`ha_expose_${item.key}`}>
    <label class="check">
      <input
        type="checkbox"
        name={`ha_expose_${item.key}`}
        checked={shown}
        aria-label={help ? undefined : t('form.expose_label', { label: item.label })}
      />
      <span class="check-words">
        {help ? <span>{label}</span> : label}
        {help ? <span class="hint">{help}</span> : null}
      </span>
    </label>
  </div>
);

const Notes = ({ item }: { readonly item: FormItem }) => (
  <p class="hint" id={`help-${item.key}`}>
    {item.help ?? ''}
    {item.restart === true ? ` ${t('form.restart')}` : ''}
  </p>
);

/** The word that the script puts beside the label of a field whose value was changed. */
export const Changed = () => <span class="changed">{t('form.changed')}</span>;

/** The button beside it that takes the change back. */
export const Undo = ({ name, label }: { readonly name: string; readonly label: string }) => (
  <button type="button" class="undo" data-undo={name} aria-label={`${t('form.undo')}: ${label}`}>
    <Icon name="undo-variant" size={18} />
    {t('form.undo')}
  </button>
);

/** One setting: label above, help below, the unit inside, a refusal beside it. */
export const Field = ({ item, values }: { readonly item: FormItem; readonly values: FormValues }) => {
  const value = values.settings[item.key] ?? item.default;
  return (
    <div class="field-group">
      <div class="field" data-field={item.key}>
        {item.type === 'BOOL' ? (
          <label class="check">
            <input
              type="checkbox"
              id={`field-${item.key}`}
              name={item.key}
              checked={value === true}
              aria-describedby={describedBy(item.key)}
            />
            <span class="check-words">{item.label}</span>
          </label>
        ) : (
          <div class="field-head">
            {item.secret ? (
              <span class="label">{item.label}</span>
            ) : (
              <label class="label" for={`field-${item.key}`}>
                {item.label}
              </label>
            )}
          </div>
        )}
        {item.type === 'BOOL' ? null : item.secret ? (
          <Secret item={item} set={isSecretSet(values, item.key)} />
        ) : (
          <Input item={item} value={value} />
        )}
        <p class="refusal" id={`refusal-${item.key}`} hidden></p>
        {item.key === 'mqtt_broker' || item.key === 'ha_url' ? <sconce-address></sconce-address> : null}
        {item.key === 'mqtt_password' || item.key === 'ha_token' ? (
          <p class="hint warn" role="status" data-old-recipient={item.key} hidden>
            {t(item.key === 'ha_token' ? 'form.secret_old_home_assistant' : 'form.secret_old_broker')}
          </p>
        ) : null}
        <Notes item={item} />
      </div>
      {item.ha ? <Expose item={item} shown={values.ha_expose[item.key] === true} label={t('form.expose')} /> : null}
    </div>
  );
};
