import type { StatusDocument } from '#machines/status.ts';
import { t } from '../strings/t.ts';
import type { BareCard } from './card.ts';
import { Icon } from './icon.tsx';
import { DownPart, isDown, workersOf } from './tree.tsx';

const All = () => (
  <p class="hint">
    <a href="/parts">{t('engine.all')}</a>
  </p>
);

/** The parts of the engine in one line: how many run, or which do not. */
export const Engine = ({ status }: { readonly status: StatusDocument }) => {
  const workers = workersOf(status.supervision);
  const down = workers.filter(isDown);
  if (down.length === 0)
    return (
      <details class="fold" id="engine">
        <summary>
          <span class="fold-title">{t('engine.running', { count: workers.length })}</span>
        </summary>
        <div class="fold-body">
          <p class="hint">{t('engine.help')}</p>
          <All />
        </div>
      </details>
    );
  return (
    <details class="fold" id="engine-down" open>
      <summary>
        <Icon name="alert" size={20} />
        <span class="fold-title">
          {t('engine.down', {
            count: down.length,
            total: workers.length,
            names: down.map((worker) => worker.id).join(', '),
          })}
        </span>
      </summary>
      <div class="fold-body">
        <ul>
          {down.map((worker) => (
            <DownPart key={worker.id} node={worker} />
          ))}
        </ul>
        <p class="hint">{t('engine.help')}</p>
        <All />
      </div>
    </details>
  );
};

/** The card of the parts of the engine. */
export const engineCard = {
  name: 'engine',
  place: 'folds',
  strings: ['engine'],
  draw: Engine,
} as const satisfies BareCard;
