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

/** A picture of what is on the screen as a `data:` address, or why there is none; viewers at one time share one. */
export async function takePicture(): Promise<{ readonly data: string } | { readonly reason: string }> {
  try {
    const response = await fetch('/api/v1/screenshot.png?shared=true');
    if (response.ok) return { data: await dataOf(await response.blob()) };
    const refused = await read(response);
    return { reason: refused.ok ? '' : refused.reason };
  } catch {
    return { reason: t('error.unreachable') };
  }
}
