import { t } from '../strings/t.ts';
import { announceIn } from './announce.ts';
import { ask } from './send.ts';

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Shows in `line` something the status does not contain; resolves to true if it was known. */
async function announceName(line: HTMLElement | null, path: string, field: string, words: (name: string) => string) {
  const answer = await ask(path);
  const name = answer.ok ? text(answer.body[field]) : '';
  if (name === '' || line === null) return false;
  line.hidden = false;
  announceIn(line, words(name));
  return true;
}

/** Names the entity that Home Assistant lists. */
export const announceEntity = (line: HTMLElement | null): Promise<boolean> =>
  announceName(line, '/api/v1/setup', 'entity', (entity) => t('setup.entity', { entity }));

/** Names who is signed in. */
export const announceUser = (line: HTMLElement | null): Promise<boolean> =>
  announceName(line, '/api/v1/ha/oauth/status', 'display_name', (name) => t('setup.signed_in_as', { name }));
