import type { CapabilityRow } from '#machines/kit/status.ts';
import type { IconName } from '../icons.ts';
import { t } from '../strings/t.ts';
import { Icon } from './icon.tsx';

/** The four words of the product (and `checking`). */
export type StateWord = CapabilityRow['state'];

const shapes: Readonly<Record<StateWord, IconName>> = {
  working: 'mdi:check-circle',
  needs_you: 'mdi:alert',
  off: 'mdi:circle-outline',
  not_here: 'mdi:circle-off-outline',
  checking: 'mdi:progress-clock',
};

/** A state as shape, word and colour. */
export const StateMark = ({ state, size }: { readonly state: StateWord; readonly size?: number }) => (
  <span class={`mark mark-${state}`}>
    <Icon name={shapes[state]} size={size} />
    <span class="mark-word">{t(`state.${state}`)}</span>
  </span>
);
