import { connect } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import { serve, until, type Serving } from '#test/drivers/http/serving.ts';
import { exchange, securityHeaderNames, type WireResponse } from '#test/network/wire.ts';
import { startLive, type LiveAgent } from './live-agent.ts';

let live: LiveAgent;
let port = 0;
let before = '';
const configuration = async (): Promise<string> => (await fetch(`${live.url}/api/v1/config`)).text();
beforeAll(async () => {
  live = await startLive();
  port = Number(new URL(live.url).port);
  before = await configuration();
});
afterAll(() => live.close());

const send = (bytes: string): Promise<WireResponse> => exchange({ address: '127.0.0.1', port }, bytes);
const codeOf = ({ body }: WireResponse): string | undefined => /"error":"([a-z-]+)"/.exec(body)?.[1];
const answersIn = ({ text }: WireResponse): number => text.match(/HTTP\/1\.1 \d{3} /g)?.length ?? 0;

/** A request that would show in a second answer if it were taken for one. */
const hidden = 'GET /api/v1/health HTTP/1.1\r\nHost: localhost\r\n\r\n';
const head = (...lines: readonly string[]): string => `${lines.join('\r\n')}\r\n\r\n`;
const get = (...lines: readonly string[]): string => head('GET /health HTTP/1.1', ...lines, 'Connection: close');
const post = (...lines: readonly string[]): string => head('POST /api/v1/config HTTP/1.1', 'Host: localhost', ...lines);
const chunked = (body: string): string => post('Transfer-Encoding: chunked', 'Connection: close') + body;

describe('a request whose end or whose parts can be read in two ways is refused, and nothing behind it is answered', () => {
  it.each([
    ['a length and chunks', post('Content-Length: 4', 'Transfer-Encoding: chunked') + `0\r\n\r\n${hidden}`],
    ['chunks and a length', post('Transfer-Encoding: chunked', 'Content-Length: 4') + `0\r\n\r\n${hidden}`],
    ['two lengths that differ', post('Content-Length: 2', 'Content-Length: 3') + `{} ${hidden}`],
    ['two equal lengths', post('Content-Length: 2', 'Content-Length: 2') + `{}${hidden}`],
    ['a list of lengths', post('Content-Length: 2, 2') + `{}${hidden}`],
    ['a negative length', post('Content-Length: -2') + hidden],
    ['a length with a sign', post('Content-Length: +2') + `{}${hidden}`],
    ['a hexadecimal length', post('Content-Length: 0x2') + `{}${hidden}`],
    ['a length with a space in it', post('Content-Length: 2 2') + `{}${hidden}`],
    ['a length beyond 64 bits', post('Content-Length: 18446744073709551618') + `{}${hidden}`],
    ['chunks twice', post('Transfer-Encoding: chunked, chunked') + `0\r\n\r\n${hidden}`],
    ['chunks and then another coding', post('Transfer-Encoding: chunked, identity') + `0\r\n\r\n${hidden}`],
    ['a coding that nobody knows', post('Transfer-Encoding: xchunked') + `0\r\n\r\n${hidden}`],
    ['a folded coding', post('Transfer-Encoding:', ' chunked') + `0\r\n\r\n${hidden}`],
    ['a chunk beyond 64 bits', chunked(`FFFFFFFFFFFFFFFFF\r\n{}\r\n0\r\n\r\n${hidden}`)],
    ['a chunk with a sign', chunked(`+2\r\n{}\r\n0\r\n\r\n${hidden}`)],
    ['a chunk without a size', chunked(`\r\n{}\r\n0\r\n\r\n${hidden}`)],
    ['a chunk that is longer than it says', chunked(`1\r\n{}\r\n0\r\n\r\n${hidden}`)],
    ['lines that end in a line feed alone', 'GET /health HTTP/1.1\nHost: localhost\n\n'],
    ['a carriage return alone in the head', get('Host: localhost', 'X-A: b\rHost: example.org')],
    ['a NUL in a value', get('Host: localhost', 'X-A: b\0c')],
    ['a NUL in a name', get('Host: localhost', 'X-\0A: b')],
    ['a NUL in the target', 'GET /hea\0lth HTTP/1.1\r\nHost: localhost\r\n\r\n'],
    ['a folded Host', get('Host: localhost', ' example.org')],
    ['a space before the colon', get('Host : localhost')],
    ['a space before the first field', head('GET /health HTTP/1.1', ' Host: localhost')],
    ['a version that nobody speaks', head('GET /health HTTP/9.9', 'Host: localhost')],
    ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['a greeting of TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n'],
  ])('%s', async (_, bytes) => {
    const response = await send(bytes);
    expect([response.status, codeOf(response), answersIn(response)]).toEqual([400, 'bad-request', 1]);
    for (const name of securityHeaderNames) expect(response.headers[name], name).toBeTruthy();
  });

  it('names after the colon of a chunk are bounded too', async () => {
    const { status } = await send(chunked(`2;${'x'.repeat(20_000)}\r\n{}\r\n0\r\n\r\n`));
    expect([400, 413, 431]).toContain(status);
  });
});

describe('a request that can be read in one way only is answered as what it is', () => {
  it.each([
    ['a tab before the value of Host', get('Host:\tlocalhost'), 200],
    ['a tab behind it', get('Host: localhost\t'), 200],
    ['1400 fields before a foreign Host', get(...Array.from({ length: 1400 }, () => 'a:b'), 'Host: example.org'), 403],
    ['1400 fields before its own Host', get(...Array.from({ length: 1400 }, () => 'a:b'), 'Host: localhost'), 200],
    ['an upgrade to HTTP/2', get('Host: localhost', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABkAAQAAP__'), 200],
    [
      'fields behind the chunks',
      chunked('2\r\n{}\r\n0\r\nHost: example.org\r\nOrigin: http://example.org\r\n\r\n'),
      200,
    ],
    ['a request without a version', 'GET /health\r\n\r\n', 200],
  ])('%s', async (_, bytes, status) => {
    const response = await send(bytes);
    expect([response.status, answersIn(response)]).toEqual([status, 1]);
    for (const name of securityHeaderNames) expect(response.headers[name], name).toBeTruthy();
  });

  it.each([
    ['an active parameter in another spelling', '/api/v1/status?%72efresh=1', 403],
    ['an active path in another spelling', '/api/v1/%73tatus?refresh=1', 403],
    ['an active path behind two slashes', '//api/v1/status?refresh=1', 404],
    ['an active path in capitals', '/API/V1/STATUS?refresh=1', 404],
    ['its twin without a version', '/status?refresh=1', 403],
  ])('%s from another site', async (_, path, status) => {
    const response = await send(
      head(`GET ${path} HTTP/1.1`, 'Host: localhost', 'Sec-Fetch-Site: cross-site', 'Connection: close'),
    );
    expect(response.status).toBe(status);
  });

  it.each([
    'http://localhost.example.org',
    'http://localhost:80.example.org',
    'http://localhost@example.org',
    'http://example.org#localhost',
    'http://example.org/localhost',
    'http://loc\u0430lhost',
    'http://localhost localhost',
    'file://',
    'capacitor://example.org',
    'localhost',
  ])('a write from %j, which looks like its own', async (origin) => {
    const response = await send(
      post(`Origin: ${Buffer.from(origin).toString('latin1')}`, 'Content-Length: 2', 'Connection: close') + '{}',
    );
    expect([response.status, codeOf(response)]).toEqual([403, 'cross-origin-refused']);
  });
});

describe('a body of JSON', () => {
  const sent = (body: string | Buffer): Promise<WireResponse> => {
    const bytes = Buffer.from(body);
    return send(
      post('Content-Type: application/json', `Content-Length: ${bytes.length}`, 'Connection: close') +
        bytes.toString('latin1'),
    );
  };
  const keys = (count: number): string => Array.from({ length: count }, (_, index) => `"k${index}":1`).join(',');

  it.each<[string, string | Buffer]>([
    ['7000 levels deep', `{"friendly_name":${'['.repeat(7000)}${']'.repeat(7000)}}`],
    ['7000 levels deep and never closed', `{"friendly_name":${'['.repeat(7000)}`],
    ['of objects, 2000 levels deep', `${'{"a":'.repeat(2000)}1${'}'.repeat(2000)}`],
    ['with a prototype', '{"__proto__":{"polluted":true}}'],
    ['with a prototype in its constructor', '{"constructor":{"prototype":{"polluted":true}}}'],
    ['with a field twice', '{"friendly_name":"a","friendly_name":"b"}'],
    ['with a field twice, once escaped', '{"friendly_name":"a","friendly\\u005fname":"b"}'],
    ['with 1500 fields', `{${keys(1500)}}`],
    ['with a number that is none', '{"friendly_name":1e400}'],
    ['with half a character', '{"friendly_name":"\\ud800"}'],
    ['with a NUL', '{"friendly_name":"a\\u0000b"}'],
    ['in no UTF-8', Buffer.from('7b22667269656e646c795f6e616d65223a22c328227d', 'hex')],
    ['that is a list', '["friendly_name"]'],
    ['that is text', '"friendly_name"'],
    ['that is nothing', 'null'],
    ['with something behind it', '{}{}'],
  ])('%s is refused', async (_, body) => {
    const response = await sent(body);
    expect(response.status).toBe(400);
    expect(Object.keys(JSON.parse(Buffer.from(response.body, 'latin1').toString()) as object)).toEqual(
      expect.arrayContaining(['ok', 'error', 'message']),
    );
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
  });

  it('and nothing that was sent here has changed a setting', async () => {
    expect(await configuration()).toBe(before);
  });
});

describe('a sender who is slow', () => {
  let serving: Serving | undefined;
  afterEach(async () => {
    await serving?.stop();
    serving = undefined;
  });

  it.each([
    ['in the head', '', 'GET / HTTP/1.1\r\nHost: localhost\r\nX-A: '],
    ['in the body', 'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 60\r\n\r\n', ''],
    ['in the chunks', 'POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n', '3c\r\n'],
  ])('%s is ended, although something comes again and again', async (_, first, then) => {
    serving = await serve({ bounds: { headMs: 150, requestMs: 300, checkMs: 25 } });
    const socket = connect(serving.port, '127.0.0.1');
    let seen = '';
    let isClosed = false;
    socket.on('data', (chunk: Buffer) => (seen += chunk.toString('latin1')));
    socket.on('error', () => {});
    socket.on('close', () => (isClosed = true));
    socket.write(first + then);
    const drip = setInterval(() => socket.write('1'), 10);
    await until(() => isClosed, 'the end');
    clearInterval(drip);
    expect(seen).toMatch(/^HTTP\/1\.1 408 .*"request-timeout"/s);
  });
});
