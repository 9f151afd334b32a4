import { t } from '../strings/t.ts';
import type { BareCard, CardProps } from './card.ts';
import { Icon } from './icon.tsx';
import { countParts } from './tree.tsx';

const reads = ['supervision'] as const;

/** The parts of the engine in one line: how many work, or how many do not; their own page lists them. */
function Engine({ status }: CardProps<typeof reads>) {
  const { total, down } = countParts(status.supervision);
  return (
    <details class="fold" id={down === 0 ? 'engine' : 'engine-down'} open={down > 0}>
      <summary>
        {down === 0 ? null : <Icon name="mdi:alert" size={20} />}
        <span class="fold-title">
          {down === 0 ? t('engine.running', { count: total }) : t('engine.down', { count: down, total })}
        </span>
      </summary>
      <div class="fold-body">
        <p class="hint">{t('engine.help')}</p>
        <p class="hint">
          <a href="/parts">{t('engine.all')}</a>
        </p>
      </div>
    </details>
  );
}

export const engineCard = {
  name: 'engine',
  reads,
  place: 'folds',
  draw: Engine,
} as const satisfies BareCard<typeof reads>;
