import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { admit } from '#machines/http/admission.ts';
import type { AdmissionPolicy, RawRequest } from '#machines/http/events.ts';
import { allowedHostTable, checkTable } from '#test/network/check-table.ts';
import type { Endpoint, Row } from '#test/network/wire.ts';

const policy: AdmissionPolicy = {
  ownPrefixes: ['198.51.100.1/24'],
  allowedHosts: ['panel.example.org'],
  activeGets: (path, query) =>
    path === '/logs/stream' || (path === '/status' && new URLSearchParams(query).get('refresh') === '1'),
};
const endpoint: Endpoint = {
  address: '127.0.0.1',
  port: 8888,
  plain: '/health',
  active: '/logs/stream',
  write: { path: '/config', body: '{}' },
};

/** The facts that a server reads from the bytes of a well-formed request. */
function facts(bytes: string): RawRequest {
  const [line = '', ...fields] = bytes.slice(0, bytes.indexOf('\r\n\r\n')).split('\r\n');
  const [method = '', rawTarget = ''] = line.split(' ');
  const rawHeaders = fields.flatMap((field) => [
    field.slice(0, field.indexOf(':')),
    field.slice(field.indexOf(':') + 1).trim(),
  ]);
  return { method, rawTarget, rawHeaders, peerAddress: '127.0.0.1' };
}
function decide(request: Partial<RawRequest>): string {
  const admission = admit(
    { method: 'GET', rawTarget: '/', rawHeaders: [], peerAddress: '192.168.1.9', ...request },
    policy,
  );
  return admission.admitted ? 'admitted' : admission.error;
}
function check({ bytes, expected }: Row): void {
  const request = facts(bytes(endpoint));
  const verdict = decide(request);
  expect(request.method === 'HEAD' && verdict !== 'admitted' ? 'refused' : verdict).toBe(expected);
}

describe('admit', () => {
  it.each(checkTable.filter(({ expected }) => expected !== 'bad-request'))('$expected: $name', check);
  it.each(allowedHostTable('panel.example.org'))('$expected: $name', check);

  it('asks for the peer before anything else', () => {
    for (const peerAddress of ['203.0.113.7', '::ffff:203.0.113.7', '2001:db8::7', '']) {
      expect(
        decide({ peerAddress, method: 'POST', rawTarget: '*', rawHeaders: ['Host', 'example.org', 'Origin', 'null'] }),
      ).toBe('peer-not-local');
    }
    expect(decide({ peerAddress: '198.51.100.2' })).toBe('admitted');
  });

  // The headers were seen with Home Assistant 2026.11, which fetches the URL of an image itself.
  it('lets Home Assistant fetch what starts real work, as it asks for a picture', () => {
    for (const host of ['192.168.1.7:8888', '[fd00::7]:8888']) {
      const rawHeaders = ['host', host, 'accept', '*/*', 'user-agent', 'HomeAssistant/2026.11.0 httpx2/2.0.0'];
      expect(decide({ rawTarget: '/logs/stream', rawHeaders })).toBe('admitted');
    }
  });

  it('asks for the Host before Origin, and for both headers in any case of letters', () => {
    expect(decide({ method: 'POST', rawHeaders: ['HOST', 'example.org', 'ORIGIN', 'null'] })).toBe('host-not-allowed');
    expect(decide({ method: 'POST', rawHeaders: ['hOST', 'localhost', 'oRIGIN', 'null'] })).toBe(
      'cross-origin-refused',
    );
  });

  it.each<[string, Partial<RawRequest>, RegExp]>([
    ['peer-not-local', { peerAddress: '203.0.113.7' }, /Connect from the same network/],
    ['host-not-allowed', { rawHeaders: ['Host', 'example.org'] }, /IP address .* http_allowed_hosts on Configure/],
    ['host-not-allowed', { rawHeaders: ['Host', 'localhost', 'Host', 'localhost'] }, /Send exactly one/],
    ['host-not-allowed', { rawTarget: '*', rawHeaders: ['Host', 'localhost'] }, /Send a path/],
    ['host-not-allowed', { rawTarget: 'http://a.local/', rawHeaders: ['Host', 'b.local'] }, /Send the same host/],
    ['cross-origin-refused', { method: 'POST' }, /Send a Host header/],
    [
      'cross-origin-refused',
      { method: 'POST', rawHeaders: ['Host', 'localhost', 'Origin', 'http://localhost', 'Referer', ''] },
      /Origin or Referer .* panel's own pages, or send neither .* proxy in front must pass on the Host/,
    ],
    [
      'cross-origin-refused',
      { rawTarget: '/logs/stream', rawHeaders: ['Host', 'localhost', 'Sec-Fetch-Site', 'cross-site'] },
      /another site .* panel's own pages, or use a command-line client/,
    ],
    [
      'cross-origin-refused',
      { rawTarget: '/logs/stream', rawHeaders: ['Host', 'localhost', 'User-Agent', 'Mozilla/5.0'] },
      /panel's own pages, or use a command-line client/,
    ],
  ])('says with %s what to do about %j', (error, request, fix) => {
    const admission = admit(
      { method: 'GET', rawTarget: '/', rawHeaders: [], peerAddress: '192.168.1.9', ...request },
      policy,
    );
    expect(admission).toMatchObject({ admitted: false, error, message: expect.stringMatching(fix) });
  });

  it('takes header values for values and names for names', () => {
    expect(decide({ rawHeaders: ['X-Note', 'host', 'Accept', 'example.org'] })).toBe('admitted');
  });

  it.each([
    ['/status', ['Sec-Fetch-Site', 'cross-site'], 'admitted'],
    ['/status?refresh=1', ['Sec-Fetch-Site', 'cross-site'], 'cross-origin-refused'],
    ['/status?x=2&%72efresh=%31', ['Sec-Fetch-Site', 'cross-site'], 'cross-origin-refused'],
    ['/status?refresh=1#x', ['Sec-Fetch-Site', 'cross-site'], 'cross-origin-refused'],
    ['/./status?refresh=1', ['Sec-Fetch-Site', 'cross-site'], 'cross-origin-refused'],
  ])('%s with %j is %s', (rawTarget, rawHeaders, expected) => expect(decide({ rawTarget, rawHeaders })).toBe(expected));

  it.each(['CONNECT', 'TRACE', 'get', 'Post', 'QUERY', 'MKCOL', ''])(
    'treats the method %j as one that changes something',
    (method) => {
      expect(decide({ method })).toBe('cross-origin-refused');
      expect(decide({ method, rawHeaders: ['Host', 'localhost', 'Origin', 'http://example.org'] })).toBe(
        'cross-origin-refused',
      );
    },
  );

  it.each([
    ['/a/b?c=d', '/a/b', 'c=d'],
    ['/a/../b/./c/', '/b/c/', ''],
    ['/../../a/..', '/', ''],
    ['/%61%2F%2e%2e/%7e', '/a%2F../~', ''],
    ['/%2e%2E/b', '/b', ''],
    ['/%%37%33', '/%2573', ''],
    ['/a\\..\\b', '/a%5C..%5Cb', ''],
    ['/a#b?c', '/a', ''],
    ['/a?b#c', '/a', 'b'],
    ['/a??b', '/a', '?b'],
    ['//example.org/a', '//example.org/a', ''],
    ['http://localhost', '/', ''],
    ['http://localhost?x=1', '/', 'x=1'],
    ['HTTP://LOCALHOST:80/a?b', '/a', 'b'],
  ])('reads the target %s as path %s and query %j', (rawTarget, path, query) => {
    expect(admit({ method: 'GET', rawTarget, rawHeaders: ['Host', 'localhost'], peerAddress: '::1' }, policy)).toEqual({
      admitted: true,
      target: { path, query },
    });
  });

  it('never throws, and never repeats in a message what was sent', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.string(), fc.string(), (method, tail, host, origin) => {
        const marker = 'zqxjk';
        const admission = admit(
          {
            method,
            rawTarget: `/${tail}`,
            rawHeaders: ['Host', marker + host, 'Origin', marker + origin],
            peerAddress: '10.0.0.1',
          },
          policy,
        );
        expect(admission.admitted || !admission.message.includes(marker)).toBe(true);
      }),
    );
  });

  it('reads its own target again as the same target', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^\/[!-~]{0,30}$/), (rawTarget) => {
        const first = admit({ method: 'GET', rawTarget, rawHeaders: [], peerAddress: '::1' }, policy);
        if (!first.admitted) throw new Error('refused');
        const again = admit(
          { method: 'GET', rawTarget: first.target.path, rawHeaders: [], peerAddress: '::1' },
          policy,
        );
        expect(again).toEqual({ admitted: true, target: { path: first.target.path, query: '' } });
      }),
    );
  });
});
