import type { DayFrame } from '#machines/simulator/events.ts';
import { t } from '../strings/t.ts';
import { brightnessPercent } from './panel-drawing.tsx';

/** What a card plays: what is known of it, and what is drawn of it. */
export interface Played<F> {
  readonly frames: readonly F[];
  /** The frame that is drawn; null for the live state. */
  readonly at: number | null;
  readonly isPlaying: boolean;
  readonly isLoading: boolean;
  /** True if the viewer wants no motion: it is stepped by hand. */
  readonly isStill: boolean;
}

export type DayOnPage = Played<DayFrame>;

export const noneIsPlayed: Played<never> = { frames: [], at: null, isPlaying: false, isLoading: false, isStill: false };

export const frameOf = <F,>({ frames, at }: Played<F>): F | null => (at === null ? null : (frames[at] ?? null));

/** Minutes since midnight as hours and minutes. */
export const timeOf = (minuteOfDay: number): string =>
  [Math.floor(minuteOfDay / 60), minuteOfDay % 60].map((part) => String(part).padStart(2, '0')).join(':');

function frameWords({ minuteOfDay, lux, level, state }: DayFrame): string {
  const time = timeOf(minuteOfDay);
  const light = t('sim.lux', { lux: lux < 10 ? Number(lux.toFixed(1)) : Math.round(lux) });
  const percent = brightnessPercent(level ?? 0);
  return state === 'preferred'
    ? t('sim.day_hand', { time, lux: light, percent })
    : t('sim.day_words', { time, lux: light, percent });
}

const HEIGHT = 100;
/** Light at the upper edge of the chart, which is logarithmic like the eye, in lx. */
const BRIGHTEST = 2000;

const heightOf = (lux: number): number =>
  Number((HEIGHT * (1 - Math.min(1, Math.log1p(lux) / Math.log1p(BRIGHTEST)))).toFixed(1));

const pathOf = (values: readonly (number | null)[]): string =>
  values.map((value, index) => (value === null ? '' : `${index === 0 ? 'M' : 'L'}${index} ${value}`)).join('');

/** From the lower edge up to the values. */
const areaOf = (heights: readonly number[]): string =>
  `M0 ${HEIGHT}${heights.map((height, x) => `L${x} ${height}`).join('')}L${heights.length - 1} ${HEIGHT}Z`;

const DayChart = ({ frames, at }: DayOnPage) => (
  <svg
    class="day-chart"
    viewBox={`0 0 ${frames.length - 1} ${HEIGHT}`}
    preserveAspectRatio="none"
    role="img"
    aria-label={t('sim.day_chart')}
  >
    <path class="day-level" d={areaOf(frames.map(({ level }) => Math.round(HEIGHT * (1 - (level ?? 0) / 255))))} />
    <path
      class="day-expected"
      d={pathOf(frames.map(({ expectedLux }) => (expectedLux === null ? null : heightOf(expectedLux))))}
    />
    <path d={pathOf(frames.map(({ lux }) => heightOf(lux)))} />
    {at === null ? null : <line class="day-at" x1={at} x2={at} y1="0" y2={HEIGHT} />}
  </svg>
);

const DayKey = () => (
  <ul class="day-key hint" aria-hidden="true">
    {(['light', 'expected', 'level'] as const).map((name) => (
      <li key={name}>
        <svg width="20" height="12" viewBox="0 0 20 12">
          {name === 'level' ? (
            <rect class="day-level" width="20" height="12" />
          ) : (
            <line class={`day-${name}`} x1="0" x2="20" y1="6" y2="6" />
          )}
        </svg>
        <span>{t(`sim.day_${name}`)}</span>
      </li>
    ))}
  </ul>
);

interface PlayButtonProps {
  readonly of: 'day' | 'evening';
  readonly value: string;
  readonly words: string;
  readonly isMain?: boolean;
}

const PlayButton = ({ of, value, words, isMain = false }: PlayButtonProps) => (
  <button type="button" class={isMain ? 'button primary' : 'button'} data-sim={of} data-value={value} disabled>
    {words}
  </button>
);

interface PlayButtonsProps {
  readonly of: 'day' | 'evening';
  readonly played: Played<unknown>;
}

/** Play, stop, back to now, and another one. */
export function PlayButtons({ of, played: { frames, at, isPlaying, isLoading, isStill } }: PlayButtonsProps) {
  const isKnown = frames.length > 0;
  return (
    <div class="day-buttons">
      {isPlaying || isLoading ? (
        <PlayButton of={of} value="end" words={t('sim.day_stop')} isMain />
      ) : isKnown && isStill ? null : (
        <PlayButton of={of} value="play" words={t(isStill ? 'sim.day_show' : 'sim.day_play')} isMain />
      )}
      {at === null || isPlaying ? null : <PlayButton of={of} value="end" words={t('sim.day_end')} />}
      {isKnown && !isPlaying && !isLoading ? (
        <PlayButton of={of} value="next" words={t(of === 'day' ? 'sim.day_next' : 'sim.evening_next')} />
      ) : null}
    </div>
  );
}

interface PlaySliderProps {
  readonly of: 'day' | 'evening';
  readonly played: Played<unknown>;
  readonly label: string;
  /** What the frame shows. */
  readonly words: string;
}

/** The slider over the frames, and what the drawn one shows. */
export const PlaySlider = ({ of, played: { frames, at }, label, words }: PlaySliderProps) => (
  <>
    <input
      type="range"
      class="range"
      min="0"
      max={frames.length - 1}
      value={at ?? 0}
      aria-label={label}
      aria-valuetext={words}
      data-sim={`${of}-at`}
      disabled
    />
    <p class="day-words">{at === null ? '' : words}</p>
  </>
);

/** A day of the room in two minutes, on the drawing. */
export function DayCard({ day }: { readonly day: DayOnPage }) {
  const frame = frameOf(day);
  return (
    <section class="card" aria-labelledby="day-title">
      <h2 id="day-title">{t('sim.day')}</h2>
      {day.frames.length > 0 ? (
        <>
          <DayChart {...day} />
          <PlaySlider
            of="day"
            played={day}
            label={t('sim.day_at')}
            words={frame === null ? timeOf(0) : frameWords(frame)}
          />
          <DayKey />
        </>
      ) : (
        <p class="hint">{t(day.isLoading ? 'sim.day_loading' : 'sim.day_text')}</p>
      )}
      <PlayButtons of="day" played={day} />
    </section>
  );
}
