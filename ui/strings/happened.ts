import { t, tOr } from './t.ts';

/** What one entry of the history says: its facts, without its time. */
export interface Happened {
  readonly kind: string;
  readonly by: string | null;
  readonly code: string;
}

/**
 * An entry of the history as a sentence; only the server makes it, so that the pages need not bring every sentence
 * along.
 */
export const happeningWords = ({ kind, code, by }: Happened): string => {
  if (kind === 'configuration' && code !== 'secret')
    return t('happened.configuration', { keys: code.split(',').join(', ') });
  if (kind === 'announcement' && code !== 'played') return t('happened.announcement.failed', { code });
  const who = by === null ? '' : tOr(`controls.by.${by}`, by);
  return tOr(`happened.${kind}.${code}`, t('happened.other', { kind, code }), { by: who });
};
