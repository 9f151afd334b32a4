import type { SimulatedPanel } from '#machines/simulator/events.ts';
import type { StatusDocument } from '#machines/status.ts';
import { Icon } from '../parts/icon.tsx';
import { Shell } from '../parts/shell.tsx';
import { SimulatorView } from '../parts/simulator-view.tsx';
import { t } from '../strings/t.ts';

/** `/simulator`: the simulated hardware, to see and operate; `panel` is null while its part restarts. */
export const SimulatorPage = ({
  status,
  panel,
}: {
  readonly status: StatusDocument;
  readonly panel: SimulatedPanel | null;
}) => (
  <Shell status={status} page="simulator">
    <aside class="loud" aria-label={t('sim.title')}>
      <Icon name="mdi:tablet" size={20} />
      <p>{t('sim.text')}</p>
    </aside>
    <sconce-simulator>
      {panel === null ? (
        <p class="notice">{t('sim.gone')}</p>
      ) : (
        <SimulatorView status={status} panel={panel} now={status.taken_at} />
      )}
    </sconce-simulator>
  </Shell>
);
