import { read, type Sent } from './send.ts';

const nameIn = (disposition: string): string => /filename="([^"]+)"/.exec(disposition)?.[1] ?? 'sconce';

/**
 * Saves the attachment of a response in the browser; the body of the result has its `name`, and `state` if the panel
 * says that something is missing. Anything else is read as JSON.
 */
export async function saveAttachment(response: Response): Promise<Sent> {
  const disposition = response.headers.get('Content-Disposition');
  if (!response.ok || disposition === null) return read(response);
  const name = nameIn(disposition);
  const address = URL.createObjectURL(await response.blob());
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The browser has taken the address by then.
  window.setTimeout(() => URL.revokeObjectURL(address), 60_000);
  return { ok: true, body: { name, state: response.headers.get('X-Backup-State') ?? '' } };
}
