import type { StatusDocument } from '#machines/status.ts';
import { CheckAgain } from '../parts/capabilities.tsx';
import { Live } from '../parts/live.tsx';
import { Shell } from '../parts/shell.tsx';
import { t } from '../strings/t.ts';

/** `/parts`: the parts of the engine by purpose, each with its state. */
export const PartsPage = ({ status }: { readonly status: StatusDocument }) => (
  <Shell status={status} page="parts">
    <p class="lead">{t('engine.help')}</p>
    <section class="card" aria-labelledby="parts-title">
      <div class="card-head">
        <h2 id="parts-title">{t('engine.title')}</h2>
        <CheckAgain />
      </div>
      <Live part="tree" status={status} />
    </section>
  </Shell>
);
