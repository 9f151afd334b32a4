import { readFile } from 'node:fs/promises';

/** Bundles of trusted certificates: Debian, Fedora, openSUSE, Alpine. */
export const SYSTEM_BUNDLES = [
  '/etc/ssl/certs/ca-certificates.crt',
  '/etc/pki/tls/certs/ca-bundle.crt',
  '/etc/ssl/ca-bundle.pem',
  '/etc/ssl/cert.pem',
] as const;

/**
 * The operating system's trusted certificates as PEM, from the first bundle that has any; undefined if none has. Node
 * 20 has no option for them, so each connection must be given them.
 */
export async function readSystemTrust(bundles: readonly string[] = SYSTEM_BUNDLES): Promise<string | undefined> {
  for (const bundle of bundles) {
    // oxlint-disable-next-line no-await-in-loop -- the first that is there counts
    const pem = await readFile(bundle, 'utf8').catch(() => '');
    if (pem.includes('BEGIN CERTIFICATE')) return pem;
  }
  return undefined;
}
