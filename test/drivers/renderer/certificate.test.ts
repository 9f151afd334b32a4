import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

import { netErrorOutcome } from '#drivers/renderer/navigation.ts';

import { certificates } from '../certificates.ts';
import { noBrowser, START_MS, startRig } from './rig.ts';

describe('how a load ended that Chromium could not make', () => {
  test.each([
    ['net::ERR_CERT_AUTHORITY_INVALID', 'certificate-untrusted'],
    ['net::ERR_CERT_DATE_INVALID', 'certificate-expired'],
    ['net::ERR_CERT_COMMON_NAME_INVALID', 'certificate-other-name'],
    ['net::ERR_CERT_REVOKED', 'certificate-refused'],
    ['net::ERR_CERT_WEAK_SIGNATURE_ALGORITHM', 'certificate-refused'],
    ['net::ERR_CONNECTION_REFUSED', 'unreachable'],
    ['net::ERR_SSL_PROTOCOL_ERROR', 'unreachable'],
  ])('%s is %s', (error, outcome) => expect(netErrorOutcome(error)).toBe(outcome));
});

test.skipIf(noBrowser)(
  'Chromium does not take a Home Assistant of an authority that it does not know, and says so',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sconce-certificates-'));
    const keys = certificates(folder).authority('own').issue('server', { altNames: 'IP:127.0.0.1' });
    const server = createServer(keys, (_, response) => response.end('<p>dashboard</p>')).listen(0, '127.0.0.1');
    server.on('tlsClientError', () => {});
    await once(server, 'listening');
    // A server that listens on TCP has an AddressInfo.
    const rig = await startRig({ input: { origin: `https://127.0.0.1:${(server.address() as AddressInfo).port}` } });
    try {
      await rig.fact('browser.ready', undefined, { withinMs: START_MS });
      expect(await rig.settle({ type: 'page.load', path: '/lovelace/0' })).toMatchObject({
        outcome: 'certificate-untrusted',
        path: null,
      });
    } finally {
      await rig.end();
      server.closeAllConnections();
      server.close();
      rmSync(folder, { recursive: true, force: true });
    }
  },
  2 * START_MS,
);
