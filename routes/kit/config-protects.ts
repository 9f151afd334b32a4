import { addressWords } from '#machines/announcer/address-words.ts';
import type { ProtectedRequest } from '#machines/kit/operation.ts';
import { refuse } from '#machines/kit/result.ts';
import type { SettingDescriptor, SettingValue } from '#machines/kit/setting.ts';
import { isOperation, type Operation } from '#machines/operations.ts';
import { operationsOf, type ProtectedChange, protectedSettings } from '#machines/settings/operations-of.ts';
import { tOr } from '#ui/strings/t.ts';
import type { Refusal } from './problem.ts';

/** What a save of settings needs of a person at the panel. */
export interface ConfigNeed {
  /** What the save asks for; null if it asks for nothing. */
  readonly request: ProtectedRequest<Operation> | null;
  /** The operations of Hardened mode that it needs. */
  readonly operations: readonly string[];
  /** Why it cannot be asked for as one request; null if it can. */
  readonly mixed: Refusal<'separate-sensitive-changes'> | null;
}

const open: ConfigNeed = { request: null, operations: [], mixed: null };

/** The operation of that name; every name in a setting is one that a manifest declares (a test). */
function operationNamed(name: string): Operation {
  if (!isOperation(name)) throw new TypeError(`no manifest declares ${name}`);
  return name;
}

/** Every operation that a save of settings can ask for. */
export function settingOperations(): readonly [Operation, ...Operation[]] {
  const names = protectedSettings.flatMap(({ consent, protects }) => [consent, protects?.operation ?? null]);
  const [first, ...others] = new Set(names.filter((name) => name !== null).map(operationNamed));
  if (first === undefined) throw new TypeError('no setting is protected');
  return [first, ...others];
}

function valueWords({ type, unit, recipientOf }: SettingDescriptor, value: SettingValue): string {
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  if (recipientOf !== null && URL.canParse(`${value}`)) return addressWords(`${value}`);
  const words = type === 'ENUM' ? tOr(`form.option.${value}`, `${value}`) : `${value}`;
  return unit === null ? words : `${words} ${unit}`;
}

/** A protected change in words for the question at the panel. */
export const changeWords = ({ setting, to }: ProtectedChange): string => `${setting.label}: ${valueWords(setting, to)}`;

/** The refusal of a save that needs more than one approval, or that mixes a consent with anything else. */
function mixedRefusal(changes: readonly ProtectedChange[]): Refusal<'separate-sensitive-changes'> {
  const names = changes.map(({ setting }) => setting.key).join(' and ');
  const reasons = changes.map(({ setting }): readonly [string, string] => [
    setting.key,
    `${setting.label} needs an approval at the panel that belongs to nothing else; save it by itself.`,
  ]);
  return {
    ...refuse('separate-sensitive-changes', `Nothing was changed: save ${names} separately from everything else.`),
    reasons: Object.fromEntries(reasons),
  };
}

/**
 * What a save needs, given the values in force. A setting with a consent is the only one of its save, since its
 * approval carries it out; the other protected changes of a save share one operation, and so one approval.
 */
export function configNeed(
  patch: Readonly<Record<string, unknown>>,
  values: Readonly<Record<string, SettingValue>>,
  settings?: readonly SettingDescriptor[],
): ConfigNeed {
  const changes = operationsOf(patch, values, settings);
  const consents = changes.filter(({ isConsent }) => isConsent);
  const first = consents[0] ?? changes[0];
  if (first === undefined) return open;
  const operation = operationNamed(first.operation);
  const operations = [...new Set(changes.filter(({ isConsent }) => !isConsent).map((change) => change.operation))];
  if (consents.length > 0) {
    const effect = { do: 'settings' as const, patch: { [first.setting.key]: true } };
    const mixed = Object.keys(patch).length > 1 ? mixedRefusal(consents) : null;
    return { request: { operation, what: changeWords(first), effect }, operations, mixed };
  }
  const request = { operation, what: changes.map(changeWords).join(', ') };
  return { request, operations, mixed: operations.length > 1 ? mixedRefusal(changes) : null };
}
