import { stat } from 'node:fs/promises';

import { readSystemTrust, SYSTEM_BUNDLES } from '#drivers/kit/system-trust.ts';

async function versionOf(path: string): Promise<string> {
  try {
    const { mtimeMs, size } = await stat(path);
    return `${mtimeMs} ${size}`;
  } catch {
    return '';
  }
}

/**
 * The system's certificates, read again when one of the files has changed; undefined if there are none, and the
 * runtime's own are used.
 */
export function systemTrust(bundles: readonly string[] = SYSTEM_BUNDLES): () => Promise<string | undefined> {
  let kept: { readonly key: string; readonly pem: string } | undefined;
  return async () => {
    const versions = await Promise.all(bundles.map(versionOf));
    const key = versions.join('|');
    if (kept?.key === key) return kept.pem;
    const pem = await readSystemTrust(bundles);
    kept = pem === undefined ? undefined : { key, pem };
    return pem;
  };
}
