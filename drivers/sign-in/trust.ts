import { readFile, stat } from 'node:fs/promises';

/** Certificates that the system trusts; on Node 20 they have to be handed to each connection. */
const SYSTEM_BUNDLE = '/etc/ssl/certs/ca-certificates.crt';

/**
 * Reads the system's certificates, again whenever the file changed; undefined where there are none, then the runtime's
 * own count.
 */
export const systemTrust = (path: string = SYSTEM_BUNDLE): (() => Promise<string | undefined>) => {
  let kept: { readonly key: string; readonly text: string } | undefined;
  return async () => {
    try {
      const { mtimeMs, size } = await stat(path);
      const key = `${mtimeMs} ${size}`;
      if (kept?.key !== key) kept = { key, text: await readFile(path, 'utf8') };
      return kept.text;
    } catch {
      return undefined;
    }
  };
};
