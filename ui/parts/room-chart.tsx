import type { LightHistory } from '#machines/auto-brightness/document.ts';
import { t } from '../strings/t.ts';
import {
  bandOf,
  ceilingOf,
  dayAndMonth,
  daysOf,
  type Fold,
  foldsOf,
  heightOf,
  levelHeight,
  lineOf,
  PLOT_HEIGHT,
  type PlotDay,
  type Point,
  weekday,
  widthOf,
} from './room-plot.ts';
import { levelWords, luxWords } from './room-words.ts';

interface Drawing {
  readonly history: LightHistory;
  /** How many buckets make one point of the drawing: 6 for half hours. */
  readonly size: number;
  /** The saved levels, while others are previewed. */
  readonly saved?: LightHistory | null;
}

const percent = (share: number): string => `${Math.round(share * 10_000) / 100}%`;

interface Tick {
  readonly words: string;
  /** From the top, in plot units. */
  readonly y: number;
}

/** Nothing, and the powers of ten from 10 lx to the top. */
function lightTicks(ceiling: number): readonly Tick[] {
  const ticks: Tick[] = [];
  for (let lux = 10; lux <= ceiling; lux *= 10) ticks.push({ words: luxWords(lux), y: heightOf(lux, ceiling) });
  return [...ticks, { words: luxWords(0), y: PLOT_HEIGHT }];
}

const levelTicks: readonly Tick[] = [100, 50, 0].map((level) => ({
  words: `${level} %`,
  y: levelHeight(level * 2.55),
}));

const Axis = ({ ticks }: { readonly ticks: readonly Tick[] }) => (
  <svg class="plot-axis" aria-hidden="true">
    {ticks.map(({ words, y }) => (
      <text key={words} x="100%" y={percent(y / PLOT_HEIGHT)} dy="4" text-anchor="end">
        {words}
      </text>
    ))}
  </svg>
);

interface FieldProps {
  readonly kind: 'light' | 'level';
  readonly label: string;
  readonly ticks: readonly Tick[];
  readonly days: readonly PlotDay[];
  readonly width: number;
  /** The paths by class, from back to front. */
  readonly paths: readonly (readonly [name: string, path: string])[];
}

/** One plot: lines of the scale and of midnights keep their width, the paths are stretched over it. */
const Field = ({ kind, label, ticks, days, width, paths }: FieldProps) => (
  <svg class={`plot-field plot-${kind}`} role="img" aria-label={label}>
    {ticks.map(({ y }) => (
      <line key={y} class="plot-rule" x1="0" x2="100%" y1={percent(y / PLOT_HEIGHT)} y2={percent(y / PLOT_HEIGHT)} />
    ))}
    {days.slice(1).map(({ day, from }) => (
      <line key={day} class="plot-day" x1={percent(from / width)} x2={percent(from / width)} y1="0" y2="100%" />
    ))}
    <svg viewBox={`0 0 ${width} ${PLOT_HEIGHT}`} preserveAspectRatio="none" width="100%" height="100%">
      {paths.map(([name, path]) => (path === '' ? null : <path key={name} class={name} d={path} />))}
    </svg>
  </svg>
);

const logIn =
  (ceiling: number, value: (fold: Fold) => number | null) =>
  (fold: Fold): number | null => {
    const lux = value(fold);
    return lux === null ? null : heightOf(lux, ceiling);
  };

const levelIn = (fold: Fold): number | null => (fold.level === null ? null : levelHeight(fold.level));

function boundsOf(values: readonly (number | null)[]): readonly [least: number, most: number] | null {
  const known = values.filter((value): value is number => value !== null);
  return known.length === 0 ? null : [Math.min(...known), Math.max(...known)];
}

interface RangeProps {
  readonly values: readonly (number | null)[];
  readonly words: (value: number) => string;
}

function rangeWords({ values, words }: RangeProps): string {
  const bounds = boundsOf(values);
  if (bounds === null) return t('room.nothing');
  const [least, most] = bounds.map(words);
  return least === most ? `${least}` : t('room.range', { least: least ?? '', most: most ?? '' });
}

/** The least and most light of some points. */
const lightRange = (points: readonly Point[]): string =>
  rangeWords({ values: points.flatMap(({ minLux, maxLux }) => [minLux, maxLux]), words: luxWords });

const levelRange = (points: readonly Point[]): string =>
  rangeWords({ values: points.map(({ proposedBrightness }) => proposedBrightness), words: levelWords });

const Days = ({ history }: Pick<Drawing, 'history'>) => (
  <details class="fold" id="room-days">
    <summary>
      <span class="fold-title">{t('room.by_day')}</span>
    </summary>
    <div class="fold-body">
      <table class="plot-table">
        <thead>
          <tr>
            <th scope="col">{t('room.day')}</th>
            <th scope="col">{t('room.light')}</th>
            <th scope="col">{t('room.level')}</th>
          </tr>
        </thead>
        <tbody>
          {daysOf(history).map(({ day, points }) => (
            <tr key={day}>
              <th scope="row">{`${weekday(day)}, ${dayAndMonth(day)}`}</th>
              <td>{lightRange(points)}</td>
              <td>{levelRange(points)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  </details>
);

const Key = ({ name, words }: { readonly name: string; readonly words: string }) => (
  <li>
    <svg class="plot-key" viewBox="0 0 28 12" aria-hidden="true">
      <path class={name} d={name === 'plot-band' ? 'M0 1h28v10H0z' : 'M0 6h28'} />
    </svg>
    {words}
  </li>
);

/** Days that are wide enough for their name on a phone. */
const named = (days: readonly PlotDay[], width: number): readonly PlotDay[] =>
  days.filter(({ from, to }) => (to - from) / width > 0.1);

function Chart({ history, size, saved = null }: Drawing) {
  const [width, ceiling, days] = [widthOf(history), ceilingOf(history), daysOf(history)];
  const folds = foldsOf(history, size);
  const ticks = lightTicks(ceiling);
  const least = logIn(ceiling, (fold) => fold.min);
  const most = logIn(ceiling, (fold) => fold.max);
  const savedFolds = saved === null ? [] : foldsOf(saved, size);
  return (
    <figure class="plot">
      <p class="plot-title">{t('room.light')}</p>
      <Axis ticks={ticks} />
      <Field
        kind="light"
        label={t('room.light_label', { range: lightRange(history.points) })}
        ticks={ticks}
        days={days}
        width={width}
        paths={[
          ['plot-band', bandOf(folds, size, most, least)],
          [
            'plot-mean',
            lineOf(
              folds,
              size,
              logIn(ceiling, (fold) => fold.mean),
            ),
          ],
          [
            'plot-expected',
            lineOf(
              folds,
              size,
              logIn(ceiling, (fold) => fold.expected),
            ),
          ],
        ]}
      />
      <p class="plot-title">{t('room.level')}</p>
      <Axis ticks={levelTicks} />
      <Field
        kind="level"
        label={t('room.level_label', { range: levelRange(history.points) })}
        ticks={levelTicks}
        days={days}
        width={width}
        paths={[
          ['plot-saved', lineOf(savedFolds, size, levelIn)],
          ['plot-proposed', lineOf(folds, size, levelIn)],
        ]}
      />
      <svg class="plot-days" aria-hidden="true">
        {named(days, width).map(({ day, from, to }) => (
          <text key={day} x={percent((from + to) / 2 / width)} y="16" text-anchor="middle">
            {weekday(day)}
          </text>
        ))}
      </svg>
      <figcaption>
        <ul class="plot-keys">
          <Key name="plot-band" words={t('room.key.band')} />
          <Key name="plot-mean" words={t('room.key.mean')} />
          <Key name="plot-expected" words={t('room.key.expected')} />
          <Key name="plot-proposed" words={t(saved === null ? 'room.key.level' : 'room.key.preview')} />
          {saved === null ? null : <Key name="plot-saved" words={t('room.key.saved')} />}
        </ul>
      </figcaption>
    </figure>
  );
}

/** Null if the history was not read. */
type MaybeHistory = Omit<Drawing, 'history'> & { readonly history: LightHistory | null };

/** The light of the last days and the levels for it, in two plots over the same time, or a word that there is none. */
export const RoomChart = ({ history, ...drawing }: MaybeHistory) =>
  history?.available === true ? <Chart history={history} {...drawing} /> : <p class="hint">{t('room.no_chart')}</p>;

/** The same by day, for those who do not see the drawing. */
export const RoomDays = ({ history }: Pick<MaybeHistory, 'history'>) =>
  history?.available === true ? <Days history={history} /> : null;
