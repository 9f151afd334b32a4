import type { EveningFrame } from '#machines/simulator/events.ts';
import { t } from '../strings/t.ts';
import { frameOf, type Played, PlayButtons, PlaySlider, timeOf } from './simulated-day.tsx';

/** Minutes from midnight to the begin of an evening. */
const BEGIN_MINUTES = 1080;
/** Heights of the lanes: the person above, the screen below. */
const lanes = { isSeen: [6, 30], isLit: [52, 42] } as const;

/** Minutes since midnight of a frame. */
export const minuteOf = ({ minute }: EveningFrame): number => (BEGIN_MINUTES + minute) % 1440;

/** Why the screen is as it is. */
function whyOf({ isPresent, isSeen, isLit, reason }: EveningFrame): string {
  if (reason === 'manual_suppression') return t('sim.evening_hand');
  if (!isLit) return t('sim.evening_dark');
  if (isSeen) return t('sim.evening_seen');
  return t(isPresent ? 'sim.evening_still' : 'sim.evening_lease');
}

const wordsOf = (frame: EveningFrame): string =>
  t('sim.evening_words', { time: timeOf(minuteOf(frame)), why: whyOf(frame) });

/** The path of the minutes in which something is so. */
function pathOf(frames: readonly EveningFrame[], name: keyof typeof lanes): string {
  const [y, height] = lanes[name];
  return frames
    .map((frame, x) => {
      if (!frame[name]) return '';
      if (frames[x - 1]?.[name] === true) return '';
      const rest = frames.slice(x).findIndex((later) => !later[name]);
      return `M${x} ${y}h${rest === -1 ? frames.length - x : rest}v${height}H${x}z`;
    })
    .join('');
}

const EveningChart = ({ frames, at }: Played<EveningFrame>) => (
  <svg
    class="day-chart"
    viewBox={`0 0 ${frames.length} 100`}
    preserveAspectRatio="none"
    role="img"
    aria-label={t('sim.evening_chart')}
  >
    <path d={pathOf(frames, 'isSeen')} />
    <path class="day-level" d={pathOf(frames, 'isLit')} />
    {at === null ? null : <line class="day-at" x1={at} x2={at} y1="0" y2="100" />}
  </svg>
);

const EveningKey = () => (
  <ul class="day-key hint" aria-hidden="true">
    <li>
      <svg width="20" height="12" viewBox="0 0 20 12">
        <path d="M1 1h18v10H1z" />
      </svg>
      <span>{t('sim.evening_person')}</span>
    </li>
    <li>
      <svg width="20" height="12" viewBox="0 0 20 12">
        <rect class="day-level" width="20" height="12" />
      </svg>
      <span>{t('sim.evening_lit')}</span>
    </li>
  </ul>
);

/** An evening of a person who comes and goes, in two minutes, on the drawing. */
export function EveningCard({ evening }: { readonly evening: Played<EveningFrame> }) {
  const frame = frameOf(evening);
  return (
    <section class="card" aria-labelledby="evening-title">
      <h2 id="evening-title">{t('sim.evening')}</h2>
      {evening.frames.length > 0 ? (
        <>
          <EveningChart {...evening} />
          <PlaySlider
            of="evening"
            played={evening}
            label={t('sim.day_at')}
            words={frame === null ? timeOf(BEGIN_MINUTES) : wordsOf(frame)}
          />
          <EveningKey />
        </>
      ) : (
        <p class="hint">{t(evening.isLoading ? 'sim.evening_loading' : 'sim.evening_text')}</p>
      )}
      <PlayButtons of="evening" played={evening} />
    </section>
  );
}
