import { ownField } from '../kit/own-field.ts';
import type { Pipelines } from './events.ts';

/** Words of a card of Home Assistant in place of an id: the preferred one, and the one that was used last. */
const PREFERRED = 'preferred';
const LAST_USED = 'last_used';

/** What begins a turn without a wake word, as a key of the setting `voice_pipelines`. */
const PRESS = 'press';

/**
 * Id of the pipeline to ask for: the one that the trigger names, else the one of the settings; null for the preferred
 * one.
 */
export function wantedPipeline(asked: string | null, pipelines: Readonly<Record<string, string>>): string | null {
  if (asked === PREFERRED) return null;
  const named = asked === null || asked === '' || asked === LAST_USED ? ownField(pipelines, PRESS) : asked;
  return named === undefined || named === '' ? null : named;
}

export type ChosenPipeline =
  /** Null for the preferred one, while the list is unknown. */
  | { readonly ok: true; readonly id: string | null }
  | { readonly ok: false; readonly reason: 'no-pipeline' | 'pipeline-deaf' };

/**
 * The pipeline that carries a turn. One that was deleted falls back to the preferred one; one without speech-to-text is
 * never replaced in silence, since its owner would be answered by another one.
 */
export function choosePipeline(wanted: string | null, listed: Pipelines | null): ChosenPipeline {
  if (listed === null) return { ok: true, id: wanted };
  const { pipelines, preferred } = listed;
  if (pipelines.length === 0) return { ok: false, reason: 'no-pipeline' };
  const found = pipelines.find(({ id }) => id === wanted) ?? pipelines.find(({ id }) => id === preferred);
  if (found === undefined) return { ok: true, id: null };
  return found.hears ? { ok: true, id: found.id } : { ok: false, reason: 'pipeline-deaf' };
}
