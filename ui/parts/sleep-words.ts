import type { AutoSleepDocument, SleepSources } from '#machines/auto-sleep/document.ts';
import { t, tOr } from '../strings/t.ts';
import { durationWords } from './room-words.ts';

/** A duration in seconds below a minute and a half, else as minutes and hours. */
export const lengthWords = (ms: number): string =>
  ms < 90_000 ? t('room.seconds', { count: Math.max(0, Math.ceil(ms / 1000)) }) : durationWords(ms);

/** What is left of a decision, as its sentence says it: rounded up, in seconds only below a minute. */
function leftWords(ms: number): string {
  if (ms < 60_000) return t('room.seconds', { count: Math.ceil(Math.max(0, ms) / 1000) });
  return durationWords(Math.ceil(ms / 60_000) * 60_000);
}

/** The time left in a sentence of the panel: "Off in 4 min: ..." or "...; 2 min left." */
const left = /\d+ (?:s|min|h)(?: \d+ min)?(?=: | left\.$)/;

/** The sentence as of `now` (by the panel's clock), between two answers of the panel. */
export function sentenceAt({ detail, until_epoch_ms: until }: AutoSleepDocument, now: number): string {
  return until === null ? detail : detail.replace(left, leftWords(until - now));
}

/** When hours begin or end. */
export function ruleWords(
  { active, changes_epoch_ms: at, why }: AutoSleepDocument['screen_off_hours'],
  now: number,
): string {
  if (why !== null) return t(`room.rules.${why}`);
  if (at === null) return t(active ? 'room.rules.now' : 'room.rules.none');
  return t(active ? 'room.rules.left' : 'room.rules.begins', { left: durationWords(at - now) });
}

/** What changed the screen: "On: a sensor saw a person (Hall motion)". */
export function changeWords(
  { lit, by, reason, source_key: key }: AutoSleepDocument['changes'][number],
  sources: SleepSources | null,
): string {
  const name = key === null ? '' : (sources?.items.find((item) => item.source_key === key)?.name ?? '');
  const plain = tOr(`room.why.${lit ? 'on' : 'off'}.${by}`, '');
  const known = plain === '' ? t('room.why.by', { by: tOr(`controls.by.${by}`, by) }) : plain;
  const sensor = name === '' ? t('room.why.sensor') : t('room.why.sensor_named', { name });
  const why = lit && by === 'presence' && reason === 'source_active' ? sensor : known;
  return t(lit ? 'room.why.on' : 'room.why.off', { why });
}
