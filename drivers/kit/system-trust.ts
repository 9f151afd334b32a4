import { readFile } from 'node:fs/promises';

/** Where Linux systems keep the certificates they trust, as one file: Debian, Fedora, openSUSE, Alpine. */
export const SYSTEM_BUNDLES = [
  '/etc/ssl/certs/ca-certificates.crt',
  '/etc/pki/tls/certs/ca-bundle.crt',
  '/etc/ssl/ca-bundle.pem',
  '/etc/ssl/cert.pem',
] as const;

/**
 * The operating system's trusted certificates as PEM, of the first bundle that has any; undefined where there are none.
 * Node 20 has no option for them, so they have to be handed to each connection.
 */
export async function readSystemTrust(bundles: readonly string[] = SYSTEM_BUNDLES): Promise<string | undefined> {
  for (const bundle of bundles) {
    // oxlint-disable-next-line no-await-in-loop -- the first that is there counts
    const pem = await readFile(bundle, 'utf8').catch(() => '');
    if (pem.includes('BEGIN CERTIFICATE')) return pem;
  }
  return undefined;
}
