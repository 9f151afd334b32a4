import { isDeepStrictEqual } from 'node:util';

import { afterEach, expect, it } from 'vitest';

import { createRequestReader, type Received } from '#drivers/camera/rtsp/request-reader.ts';
import { streamBounds } from '#drivers/camera/rtsp/bounds.ts';
import { amount } from '#test/fakes/amount.ts';
import { pick, type Random, sequence } from '#test/fakes/sequence.ts';
import { closeAll, connectTo, play, startServer, until } from './rig.ts';

afterEach(closeAll);

const COUNT = amount(1000, 10_000);
/** Mutated requests that a real connection is sent as well, one in so many. */
const SENT = 20;

const requests = [
  'OPTIONS rtsp://h:8554/live RTSP/1.0\r\nCSeq: 1\r\nUser-Agent: Lavf63.1.102\r\n\r\n',
  'DESCRIBE rtsp://h:8554/live?res=480p&fps=10 RTSP/1.0\r\nAccept: application/sdp\r\nCSeq: 2\r\n\r\n',
  'SETUP rtsp://h:8554/live/trackID=0 RTSP/1.0\r\nTransport: RTP/AVP/TCP;unicast;interleaved=0-1\r\nCSeq: 3\r\n\r\n',
  'PLAY rtsp://h:8554/live/ RTSP/1.0\r\nRange: npt=0.000-\r\nCSeq: 4\r\nSession: 0123456789abcdef\r\n\r\n',
  'GET_PARAMETER rtsp://h:8554/live/ RTSP/1.0\r\nCSeq: 5\r\nContent-Length: 4\r\n\r\nabcd',
  '$\u0001\u0000\u0004abcd',
  'TEARDOWN rtsp://h:8554/live/ RTSP/1.0\r\nCSeq: 6\r\nSession: 0123456789abcdef\r\n\r\n',
];

const spices = [
  '\r\n',
  '\n\n',
  '\u0000',
  '$',
  ' ',
  ':',
  '%00',
  '?res=',
  ';',
  ',',
  '\u00ff',
  'CSeq: 9\r\n',
  'x'.repeat(3000),
];

/** One to four changes: a byte, a cut, a repeat, or something that means something to a parser. */
function mutate(random: Random, text: string): string {
  let mutated = text;
  for (let changes = 1 + random(4); changes > 0; changes -= 1) {
    const at = random(mutated.length + 1);
    const after = at + random(8);
    const change = [
      () => mutated.slice(0, at) + String.fromCharCode(random(256)) + mutated.slice(at + 1),
      () => mutated.slice(0, at) + mutated.slice(after),
      () => mutated.slice(0, after) + mutated.slice(at),
      () => mutated.slice(0, at) + pick(random, spices) + mutated.slice(at),
    ];
    mutated = pick(random, change)();
  }
  return mutated;
}

/** What a reader makes of bytes in pieces of random size. */
function read(random: Random, text: string, isSplit: boolean): readonly Received[] {
  const reader = createRequestReader(streamBounds);
  const bytes = Buffer.from(text, 'latin1');
  const all: Received[] = [];
  for (let at = 0; at < bytes.length;) {
    const length = isSplit ? 1 + random(40) : bytes.length;
    reader.push(bytes.subarray(at, at + length));
    at += length;
    for (let received = reader.next(); received !== null; received = reader.next()) all.push(received);
    expect(reader.waiting()).toBeLessThanOrEqual(streamBounds.headBytes + 40);
  }
  return all;
}

it(`${COUNT} mutated requests are read the same in one piece and in many`, () => {
  const random = sequence(4711);
  const kinds = new Set<string>();
  for (let index = 0; index < COUNT; index += 1) {
    const text = mutate(random, requests.slice(0, 1 + random(requests.length)).join(''));
    const whole = read(random, text, false);
    const split = read(random, text, true);
    // Faster than `toEqual`, which then names the difference.
    if (!isDeepStrictEqual(split, whole)) expect(split).toEqual(whole);
    for (const { is } of whole) kinds.add(is);
  }
  expect([...kinds].toSorted()).toEqual(['foreign', 'packet', 'refused', 'request']);
});

it('mutated requests to a server leave it serving others', async () => {
  const { film, port, url, server } = await startServer();
  film.show(1);
  const watcher = await connectTo(port);
  await play(watcher, url);
  const random = sequence(815);
  for (let index = 0; index < COUNT / SENT; index += 1) {
    const client = await connectTo(port);
    client.send(Buffer.from(mutate(random, requests.join('')), 'latin1'));
    client.socket.end();
    await until('the connection ends', () => client.isClosed());
  }
  expect(server.crashed()).toBeUndefined();
  const before = watcher.frames.length;
  film.show(1);
  await until('the next picture', () => watcher.frames.length > before);
  expect((await watcher.ask('OPTIONS', url)).status).toBe(200);
});
