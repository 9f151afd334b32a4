import type { CapabilityRow } from '#machines/kit/status.ts';
import { t } from '../strings/t.ts';
import { Icon } from './icon.tsx';
import { Sentence } from './sentence.tsx';

/** A command to copy, with what it does and changes. */
export const Command = ({ fix }: { readonly fix: NonNullable<CapabilityRow['fix']> }) => (
  <div class="command">
    <p class="command-effect">
      <Sentence text={fix.effect} />
    </p>
    <div class="command-box">
      <code class="command-text" tabindex={0} role="group" aria-label={t('command.label', { command: fix.command })}>
        {fix.command}
      </code>
      <button type="button" class="button quiet" data-copy={fix.command}>
        <Icon name="mdi:content-copy" size={20} />
        <span>{t('command.copy')}</span>
      </button>
    </div>
  </div>
);
