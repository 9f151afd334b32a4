import type { AutoBrightnessDocument } from '#machines/auto-brightness/document.ts';
import { t } from '../strings/t.ts';
import { brightnessPercent } from './panel-drawing.tsx';

/** A whole number with its thousands separated; without `Intl`, whose first use takes 20 ms and 6 MB. */
const grouped = (value: number): string => `${value}`.replace(/\B(?=(?:\d{3})+$)/g, ',');

/** Light in lx, with a decimal below 10. */
export const luxWords = (lux: number): string =>
  t('room.lux', { lux: lux < 10 ? `${Math.round(lux * 10) / 10}` : grouped(Math.round(lux)) });

/** A level of 1 to 255 in percent. */
export const levelWords = (level: number): string => `${brightnessPercent(level)} %`;

/** A duration in hours and minutes: "3 h 20 min". */
export function durationWords(ms: number): string {
  const minutes = Math.max(1, Math.round(ms / 60_000));
  const hours = Math.floor(minutes / 60);
  if (hours === 0) return t('room.minutes', { count: minutes });
  return minutes % 60 === 0
    ? t('room.hours', { count: hours })
    : t('room.hours_minutes', { hours, minutes: minutes % 60 });
}

/** True if there may be a chart: the part runs and has a source. */
export const hasChart = ({ state, sourceKind }: AutoBrightnessDocument): boolean =>
  state !== 'off' && sourceKind !== null;
