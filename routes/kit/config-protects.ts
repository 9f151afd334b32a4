import type { SettingDescriptor, SettingValue } from '#machines/kit/setting.ts';
import type { ProtectedRequest } from '#machines/kit/operation.ts';
import { refuse } from '#machines/kit/result.ts';
import { isOperation, type Operation } from '#machines/operations.ts';
import { operationsOf, type ProtectedChange } from '#machines/settings/operations-of.ts';
import { tOr } from '#ui/strings/t.ts';
import type { Refusal } from './problem.ts';

/** What a save of settings needs of a person. */
export type ConfigNeed =
  | { readonly kind: 'open' }
  | { readonly kind: 'protected'; readonly request: ProtectedRequest<Operation> }
  /** It needs more than one approval, so nothing of it is saved. */
  | { readonly kind: 'mixed'; readonly refusal: Refusal<'separate-sensitive-changes'> };

const valueWords = ({ type, unit }: SettingDescriptor, value: SettingValue): string => {
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  const words = type === 'ENUM' ? tOr(`form.option.${value}`, `${value}`) : `${value}`;
  return unit === null ? words : `${words} ${unit}`;
};

const changeWords = ({ setting, to }: ProtectedChange): string => `${setting.label}: ${valueWords(setting, to)}`;

function mixed(changes: readonly ProtectedChange[], why: string): ConfigNeed {
  const names = changes.map(({ setting }) => setting.key);
  const reasons = Object.fromEntries(changes.map(({ setting }) => [setting.key, `${setting.label}: ${why}`]));
  const refusal = refuse(
    'separate-sensitive-changes',
    `Nothing was changed: save ${names.join(' and ')} by ${names.length === 1 ? 'itself' : 'themselves, one at a time'}. A person must approve it at the panel.`,
  );
  return { kind: 'mixed', refusal: { ...refusal, reasons } };
}

/**
 * What a save needs: a setting with a consent is the only one of its save, since its approval carries it out; other
 * protected changes of one save share one operation, and so one approval.
 */
export function configNeed(
  patch: Readonly<Record<string, unknown>>,
  values: Readonly<Record<string, SettingValue>>,
  settings?: readonly SettingDescriptor[],
): ConfigNeed {
  const changes = operationsOf(patch, values, settings);
  const [first] = changes;
  if (first === undefined) return { kind: 'open' };
  const consents = changes.filter(({ isConsent }) => isConsent);
  if (consents.length > 0 && Object.keys(patch).length > 1) return mixed(consents, 'save it by itself.');
  if (new Set(changes.map(({ operation }) => operation)).size > 1)
    return mixed(changes, 'it needs another approval than the rest of this save; save it by itself.');
  const { operation, isConsent, setting } = first;
  // A test compares the names in all settings with those that the manifests declare.
  if (!isOperation(operation)) throw new TypeError(`no manifest declares ${operation}`);
  const request = { operation, what: changes.map(changeWords).join(', ') };
  if (!isConsent) return { kind: 'protected', request };
  return { kind: 'protected', request: { ...request, effect: { do: 'settings', patch: { [setting.key]: true } } } };
}
