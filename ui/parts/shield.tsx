import { t } from '../strings/t.ts';
import type { FormItem } from './form-item.ts';
import { Icon } from './icon.tsx';

/** Beside a control whose request a person approves at the panel: in Hardened mode, or always. */
export function Shield({ always = false }: { readonly always?: boolean }) {
  const words = t(always ? 'approval.shield_always' : 'approval.shield');
  return (
    <span title={words}>
      <Icon name="mdi:shield-outline" />
      <span class="unseen">{words}</span>
    </span>
  );
}

/** The shield of a setting, if a change of it is asked at the panel. */
export function SettingShield({ item: { consent = null, protects = null } }: { readonly item: FormItem }) {
  return consent === null && protects === null ? null : <Shield always={consent !== null} />;
}

/** The label of a control that has a shield and a label of its own. */
export const shieldedLabel = (label: string): string => `${label}. ${t('approval.shield')}`;
