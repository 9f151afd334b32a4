import { stat } from 'node:fs/promises';

import { readSystemTrust, SYSTEM_BUNDLES } from '#drivers/kit/system-trust.ts';

async function signOf(path: string): Promise<string> {
  try {
    const { mtimeMs, size } = await stat(path);
    return `${mtimeMs} ${size}`;
  } catch {
    return '';
  }
}

/**
 * The system's certificates, read again whenever one of the files changed; undefined where there are none, then the
 * runtime's own count.
 */
export function systemTrust(bundles: readonly string[] = SYSTEM_BUNDLES): () => Promise<string | undefined> {
  let kept: { readonly key: string; readonly pem: string } | undefined;
  return async () => {
    const signs = await Promise.all(bundles.map(signOf));
    const key = signs.join('|');
    if (kept?.key === key) return kept.pem;
    const pem = await readSystemTrust(bundles);
    kept = pem === undefined ? undefined : { key, pem };
    return pem;
  };
}
