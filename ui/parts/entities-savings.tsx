import { t } from '../strings/t.ts';

/** Messages and bytes received in a period. */
export interface CountedTraffic {
  readonly frames: number;
  readonly bytes: number;
}

/** State of the traffic measurement: none, running, the result, or why there is none. */
export type Measured =
  | null
  | { readonly elapsed: number; readonly seconds: number }
  | { readonly seconds: number; readonly all: CountedTraffic; readonly filtered: CountedTraffic | null }
  | { readonly reason: string };

/** Duration of a measurement, in seconds: first without the filter, then as long with it. */
export const sampleSeconds = 15;

const kilobytes = (bytes: number): number => (bytes < 9950 ? Math.round(bytes / 100) / 10 : Math.round(bytes / 1000));

const traffic = ({ frames, bytes }: CountedTraffic): string =>
  t('entities.traffic', { count: frames, size: kilobytes(bytes) });

/** Share of the traffic that the filter kept away; `all` has at least one byte. */
function savedWords(all: CountedTraffic, filtered: CountedTraffic | null): string {
  if (filtered === null) return t('entities.saves_nothing');
  const percent = Math.round((1 - filtered.bytes / all.bytes) * 100);
  return percent > 0 ? t('entities.saves', { percent }) : t('entities.saves_same');
}

function Result({ measured }: { readonly measured: Extract<Measured, { readonly all: unknown }> }) {
  const { all, filtered, seconds } = measured;
  // Without any traffic there is nothing to compare.
  if (all.frames === 0) return <p>{t('entities.saves_unknown')}</p>;
  return (
    <>
      <p class="entity-saved">{savedWords(all, filtered)}</p>
      <dl class="facts entity-facts">
        <div>
          <dt>{t('entities.before')}</dt>
          <dd>{traffic(all)}</dd>
        </div>
        {filtered === null ? null : (
          <div>
            <dt>{t('entities.after')}</dt>
            <dd>{traffic(filtered)}</dd>
          </div>
        )}
      </dl>
      <p class="hint">{t('entities.measured_for', { count: seconds })}</p>
    </>
  );
}

const Running = ({ measured }: { readonly measured: Extract<Measured, { readonly elapsed: number }> }) => (
  <>
    <p>
      {measured.elapsed < sampleSeconds
        ? t('entities.measuring.without', { elapsed: measured.elapsed, count: sampleSeconds })
        : t('entities.measuring.with', { elapsed: measured.elapsed - sampleSeconds, count: sampleSeconds })}
    </p>
    <progress
      class="bar"
      max={measured.seconds}
      value={measured.elapsed}
      aria-label={t('entities.measure_bar')}
    ></progress>
  </>
);

/** What the filter saves, measured for half a minute on request. */
export function Savings({ measured, live }: { readonly measured: Measured; readonly live: boolean }) {
  const running = measured !== null && 'elapsed' in measured;
  return (
    <section class="card" aria-labelledby="savings-title">
      <h2 id="savings-title">{t('entities.savings')}</h2>
      <div class="summary">
        {measured === null ? <p class="hint">{t('entities.savings_help', { count: sampleSeconds })}</p> : null}
        {measured !== null && 'elapsed' in measured ? <Running measured={measured} /> : null}
        {measured !== null && 'all' in measured ? <Result measured={measured} /> : null}
        {measured !== null && 'reason' in measured ? (
          <p class="refusal">{t('entities.not_measured', { reason: measured.reason })}</p>
        ) : null}
        <div class="entity-buttons">
          <button type="button" class="button" data-entities={running ? 'stop' : 'measure'} disabled={!live}>
            {t(running ? 'entities.stop' : measured === null ? 'entities.measure' : 'entities.measure_again', {
              count: sampleSeconds,
            })}
          </button>
        </div>
      </div>
    </section>
  );
}
