import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

function openssl(...args: string[]): void {
  const { status, stderr } = spawnSync('openssl', args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`openssl failed: ${stderr}`);
}

/** Whether openssl is installed. */
export const opensslInstalled = spawnSync('openssl', ['version']).status === 0;

/** An authority of the test's own, its file as a system's bundle would hold it, and a server's key and certificate. */
export interface Authority {
  readonly bundle: string;
  readonly key: string;
  readonly cert: string;
}

/** Makes an authority in `folder` and a certificate for the alternative names given (`DNS:name`, `IP:address`). */
export function authority(folder: string, name: string, ...altNames: readonly string[]): Authority {
  const at = (end: string): string => join(folder, `${name}${end}`);
  openssl(
    'req',
    '-x509',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-keyout',
    at('-ca.key'),
    '-out',
    at('-ca.crt'),
    '-days',
    '2',
    '-subj',
    `/CN=${name} authority`,
  );
  openssl('req', '-newkey', 'rsa:2048', '-nodes', '-keyout', at('.key'), '-out', at('.csr'), '-subj', `/CN=${name}`);
  writeFileSync(at('.ext'), `subjectAltName=${altNames.join(',')}\n`);
  openssl(
    'x509',
    '-req',
    '-in',
    at('.csr'),
    '-CA',
    at('-ca.crt'),
    '-CAkey',
    at('-ca.key'),
    '-CAcreateserial',
    '-out',
    at('.crt'),
    '-days',
    '2',
    '-extfile',
    at('.ext'),
  );
  return { bundle: at('-ca.crt'), key: readFileSync(at('.key'), 'utf8'), cert: readFileSync(at('.crt'), 'utf8') };
}
