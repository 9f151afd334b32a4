import { t } from '../strings/t.ts';
import { read } from './send.ts';

const dataOf = (blob: Blob): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    // `readAsDataURL` yields a string.
    reader.addEventListener('load', () => resolve(typeof reader.result === 'string' ? reader.result : ''));
    reader.addEventListener('error', () => reject(new Error('unreadable')));
    reader.readAsDataURL(blob);
  });

/** Viewers at one time share one. */
const SCREEN = '/api/v1/screenshot.png?shared=true';

/** A picture at `path`, of the screen if absent, as a `data:` address, or why there is none. */
export async function takePicture(path = SCREEN): Promise<{ readonly data: string } | { readonly reason: string }> {
  try {
    const response = await fetch(path);
    if (response.ok) return { data: await dataOf(await response.blob()) };
    const refused = await read(response);
    return { reason: refused.ok ? '' : refused.reason };
  } catch {
    return { reason: t('error.unreachable') };
  }
}
