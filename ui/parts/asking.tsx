import { t } from '../strings/t.ts';
import { Icon } from './icon.tsx';

/** What a page says beside the control whose request waits for a person at the panel. */
export const Asking = ({ words }: { readonly words: string }) => (
  <span data-asking>
    <span class="mark mark-needs_you">
      <Icon name="mdi:shield-outline" size={24} />
      <span class="mark-word">{t('approval.wait')}</span>
    </span>{' '}
    {words}{' '}
    <button type="button" class="button quiet" data-give-up>
      {t('controls.cancel')}
    </button>
  </span>
);
