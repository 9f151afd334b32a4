import type { StatusDocument } from '#machines/status.ts';
import type { Machines } from '#machines/status/inspection.ts';
import { InspectorChart } from '../parts/inspector-chart.tsx';
import { InspectorParts } from '../parts/inspector-parts.tsx';
import { Shell } from '../parts/shell.tsx';
import { t } from '../strings/t.ts';

/** The legend of a chart. */
const legend = [
  'inspector.legend.state',
  'inspector.legend.first',
  'inspector.legend.ways',
  'inspector.legend.all',
  'inspector.legend.runs',
] as const;

/** The part shown by default: it has nested states, and it is what a panel is mostly about. */
const firstShown = 'screen';

const Check = ({ name, label }: { readonly name: string; readonly label: string }) => (
  <label class="inspect-check">
    <input type="checkbox" data-filter={name} disabled /> <span>{label}</span>
  </label>
);

/** `/inspector`: the tree of parts, the states of the chosen part with the active ones highlighted, and live events. */
export function InspectorPage({
  status,
  machines,
  chosen,
}: {
  readonly status: StatusDocument;
  readonly machines: Machines;
  readonly chosen: string;
}) {
  const called = (wanted: string) => machines.machines.find(({ id }) => id === wanted);
  const machine = called(chosen) ?? called(firstShown) ?? machines.machines[0];
  return (
    <Shell status={status} page="inspector">
      <p class="lead">{t('inspector.intro')}</p>
      <sconce-inspector part={machine?.id ?? ''}>
        <section class="card inspect-parts" aria-labelledby="inspect-parts">
          <div class="inspect-title">
            <h2 id="inspect-parts">{t('tree.title')}</h2>
            <p class="inspect-key">{t('inspector.key')}</p>
          </div>
          <div data-draw="parts">
            <InspectorParts
              tree={machines.tree}
              machines={machines.machines}
              chosen={machine?.id ?? ''}
              stirred={new Set()}
            />
          </div>
        </section>
        <section class="card inspect-chart" aria-labelledby="inspect-chart">
          <div class="inspect-head">
            <h2 id="inspect-chart">{machine?.id ?? ''}</h2>
            <Check name="all" label={t('inspector.all_ways')} />
          </div>
          <details class="fold">
            <summary>
              <span class="fold-title">{t('inspector.legend')}</span>
            </summary>
            <ul class="fold-body hint">
              {legend.map((key) => (
                <li key={key}>{t(key)}</li>
              ))}
            </ul>
          </details>
          <div data-draw="chart">{machine === undefined ? null : <InspectorChart machine={machine} all={false} />}</div>
        </section>
        <section class="card inspect-log" aria-labelledby="inspect-log">
          <div class="inspect-head">
            <h2 id="inspect-log">{t('inspector.log')}</h2>
            <button type="button" class="button quiet" data-hold disabled aria-pressed="false">
              {t('inspector.hold')}
            </button>
          </div>
          <div class="inspect-filters">
            <Check name="own" label={t('inspector.own')} />
            <Check name="changes" label={t('inspector.changes')} />
          </div>
          <p class="hint" data-said>
            {t('inspector.nothing')}
          </p>
          <div class="events-box" role="log" aria-live="off" aria-label={t('inspector.log')} tabindex={0}>
            <ul class="events" data-draw="events"></ul>
          </div>
        </section>
      </sconce-inspector>
    </Shell>
  );
}
