import { t } from '../strings/t.ts';
import { Icon } from './icon.tsx';

/** A text to copy, and the button that copies it; `name` says what it is, `action` what the button does if not that. */
export const CommandBox = ({
  text,
  name,
  action,
}: {
  readonly text: string;
  readonly name: string;
  readonly action?: string;
}) => (
  <div class="command-box">
    <code class="command-text" tabindex={0} role="group" aria-label={name}>
      {text.trimEnd()}
    </code>
    <button type="button" class="button quiet" data-copies aria-label={action}>
      <Icon name="mdi:content-copy" size={20} />
      <span>{t('command.copy')}</span>
    </button>
  </div>
);
