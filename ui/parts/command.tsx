import type { CapabilityRow } from '#machines/kit/status.ts';
import { t } from '../strings/t.ts';
import { CommandBox } from './command-box.tsx';
import { Sentence } from './sentence.tsx';

/** A command to copy, with what it does and changes. */
export const Command = ({ fix }: { readonly fix: NonNullable<CapabilityRow['fix']> }) => (
  <div class="command">
    <p class="command-effect">
      <Sentence text={fix.effect} />
    </p>
    <CommandBox text={fix.command} name={t('command.label', { command: fix.command })} />
  </div>
);
