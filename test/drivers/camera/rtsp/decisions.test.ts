import { describe, expect, it } from 'vitest';

import { readAddress, readStreamRequest } from '#drivers/camera/rtsp/address.ts';
import { formatAnswer } from '#drivers/camera/rtsp/answer.ts';
import { decide, type Standing } from '#drivers/camera/rtsp/decide.ts';
import { mayWatch, placeOf } from '#drivers/camera/rtsp/places.ts';
import { streamBounds } from '#drivers/camera/rtsp/bounds.ts';
import { readHead } from '#drivers/camera/rtsp/request.ts';
import { createRtpClock } from '#drivers/camera/rtsp/rtp-clock.ts';
import { readTransports } from '#drivers/camera/rtsp/transport.ts';
import { watcherKind } from '#drivers/camera/rtsp/watcher-kind.ts';
import { limits } from './rig.ts';

describe('an address', () => {
  it.each([
    ['rtsp://h:8554/live', { host: 'h:8554', path: '/live', query: '' }],
    ['RTSP://user:pa@ss@h/live/?res=480p#x', { host: 'h', path: '/live', query: 'res=480p' }],
    ['rtsp://[::1]:8554/live/trackID=0', { host: '[::1]:8554', path: '/live/trackID=0', query: '' }],
    ['rtsp://[fe80::1%25eth0]/live', { host: '[fe80::1%25eth0]', path: '/live', query: '' }],
    ['rtsp://h/live?res=480p&fps=10/trackID=0', { host: 'h', path: '/live', query: 'res=480p&fps=10/trackID=0' }],
    ['rtsp://"<h>"/live', { host: '', path: '/live', query: '' }],
    ['/live?fps=5', { host: '', path: '/live', query: 'fps=5' }],
    ['*', null],
    ['http://h/live', null],
  ])('%s', (url, expected) => expect(readAddress(url)).toEqual(expected));
});

describe('a query', () => {
  const none = { height: null, fps: null, kbps: null };
  it.each([
    ['', none],
    ['res=480p', { ...none, height: 480 }],
    ['res=1080p&fps=30&kbps=8000', { height: 1080, fps: 30, kbps: 8000 }],
    ['fps=1&kbps=250', { ...none, fps: 1, kbps: 250 }],
    ['audio=1&video=0&audio=2&RES=7', none],
    ['res=480', null],
    ['res=toString', null],
    ['res=', null],
    ['fps=0', null],
    ['fps=31', null],
    ['fps=1.5', null],
    ['fps=-5', null],
    ['fps=1e1', null],
    ['kbps=249', null],
    ['kbps=8001', null],
    ['fps=5&fps=5', null],
    ['res=480p&r%65s=480p', null],
  ])('%s', (query, expected) => expect(readStreamRequest(query, limits)).toEqual(expected));
});

describe('a transport', () => {
  const tcp = (data: number, control: number) => ({ by: 'tcp', channels: [data, control] });
  const udp = (data: number, control: number) => ({ by: 'udp', ports: [data, control] });
  it.each([
    ['RTP/AVP/TCP;unicast;interleaved=0-1', [tcp(0, 1)]],
    ['rtp/avp/tcp', [tcp(0, 1)]],
    ['RTP/AVP/TCP;interleaved=254-255;mode="PLAY"', [tcp(254, 255)]],
    ['RTP/AVP/TCP;interleaved=255-256', []],
    ['RTP/AVP/TCP;interleaved=3-3', []],
    ['RTP/AVP;unicast;client_port=5000-5001', [udp(5000, 5001)]],
    ['RTP/AVP/UDP;unicast;client_port=5000', [udp(5000, 5001)]],
    ['RTP/AVP;unicast;client_port=1023-1024', []],
    ['RTP/AVP;unicast;client_port=65535', []],
    ['RTP/AVP;multicast;client_port=5000-5001', []],
    ['RTP/AVP;unicast', []],
    ['RTP/SAVP;unicast;client_port=5000-5001', []],
    ['RTP/AVP/TCP;mode=record', []],
    ['RTP/AVP/UDP;unicast;client_port=80-81, RTP/AVP/TCP;unicast;interleaved=2-3', [tcp(2, 3)]],
    ['', []],
  ])('%s', (header, expected) => expect(readTransports(header)).toEqual(expected));
});

describe('a request by the state of its connection', () => {
  const standings: Readonly<Record<string, Standing>> = {
    new: { phase: 'new', session: null },
    described: { phase: 'described', session: null },
    ready: { phase: 'ready', session: 's' },
    playing: { phase: 'playing', session: 's' },
  };
  const statusIn = (name: string, lines: string): number | string => {
    const outcome = readHead(lines.replaceAll('|', '\r\n'), 0);
    const standing = standings[name];
    if (outcome.is !== 'request' || standing === undefined) throw new Error(`not a request: ${lines}`);
    const decision = decide(outcome.request, standing, limits);
    return decision.do === 'answer' ? decision.answer.status : decision.do;
  };
  it.each([
    // new, described, ready, playing
    ['OPTIONS * RTSP/1.0|CSeq: 1', [200, 200, 200, 200]],
    ['DESCRIBE rtsp://h/live RTSP/1.0|CSeq: 1', ['describe', 'describe', 455, 455]],
    ['DESCRIBE rtsp://h/other RTSP/1.0|CSeq: 1', [404, 404, 404, 404]],
    ['DESCRIBE rtsp://h/live?fps=99 RTSP/1.0|CSeq: 1', [400, 400, 455, 455]],
    ['DESCRIBE rtsp://h/live RTSP/1.0|CSeq: 1|Accept: application/rtsl', [406, 406, 455, 455]],
    ['DESCRIBE rtsp://h/live RTSP/1.0|CSeq: 1|Accept: text/x, application/sdp;q=1', ['describe', 'describe', 455, 455]],
    ['SETUP rtsp://h/live/trackID=0 RTSP/1.0|CSeq: 1|Transport: RTP/AVP/TCP', [455, 'setup', 'setup', 455]],
    ['SETUP rtsp://h/trackID=0 RTSP/1.0|CSeq: 1|Transport: RTP/AVP/TCP', [455, 'setup', 'setup', 455]],
    ['SETUP rtsp://h/live/trackID=1 RTSP/1.0|CSeq: 1|Transport: RTP/AVP/TCP', [455, 404, 404, 455]],
    ['SETUP rtsp://h/live RTSP/1.0|CSeq: 1|Transport: RTP/AVP;multicast', [455, 461, 461, 455]],
    ['SETUP rtsp://h/live RTSP/1.0|CSeq: 1|Session: other|Transport: RTP/AVP/TCP', [454, 454, 454, 454]],
    ['PLAY rtsp://h/live/ RTSP/1.0|CSeq: 1|Session: s', [454, 454, 'play', 200]],
    ['PLAY rtsp://h/live/ RTSP/1.0|CSeq: 1', [455, 455, 454, 454]],
    ['PLAY rtsp://h/live/ RTSP/1.0|CSeq: 1|Session: other', [454, 454, 454, 454]],
    ['PAUSE rtsp://h/live/ RTSP/1.0|CSeq: 1|Session: s;timeout=60', [454, 454, 200, 'pause']],
    ['TEARDOWN rtsp://h/live/ RTSP/1.0|CSeq: 1|Session: s', [454, 454, 'teardown', 'teardown']],
    ['GET_PARAMETER rtsp://h/live/ RTSP/1.0|CSeq: 1|Session: s', [454, 454, 200, 200]],
    ['SET_PARAMETER rtsp://h/live/ RTSP/1.0|CSeq: 1', [200, 200, 200, 200]],
    ['RECORD rtsp://h/live/ RTSP/1.0|CSeq: 1', [501, 501, 501, 501]],
    ['options * RTSP/1.0|CSeq: 1', [501, 501, 501, 501]],
  ])('%s', (lines, expected) => {
    expect(Object.keys(standings).map((name) => statusIn(name, lines))).toEqual(expected);
  });
});

describe('a head that is no request', () => {
  it.each([
    ['GET / HTTP/1.1', { is: 'foreign' }],
    ['OPTIONS  * RTSP/1.0\r\nCSeq: 1', { is: 'foreign' }],
    ['OPTIONS * RTSP/2.0\r\nCSeq: 1', { is: 'refused', status: 505, sequence: 1 }],
    ['OPTIONS * RTSP/1.0', { is: 'refused', status: 400, sequence: null }],
    ['OPTIONS * RTSP/1.0\r\nCSeq: x', { is: 'refused', status: 400, sequence: null }],
    ['OPTIONS * RTSP/1.0\r\nCSeq: 1\r\nCSeq: 2', { is: 'refused', status: 400, sequence: null }],
    ['OPTIONS * RTSP/1.0\r\nCSeq: 1\r\nno colon', { is: 'refused', status: 400, sequence: 1 }],
    ['OPTIONS * RTSP/1.0\r\nCSeq: 1\r\n folded', { is: 'refused', status: 400, sequence: 1 }],
    ['OPTIONS * RTSP/1.0\r\nCSeq: 1\r\nContent-Length: 8193', { is: 'refused', status: 413, sequence: 1 }],
    ['OPTIONS * RTSP/1.0\r\nCSeq: 1\r\nContent-Length: -1', { is: 'refused', status: 400, sequence: 1 }],
  ])('%s', (head, expected) => expect(readHead(head, 8192)).toEqual(expected));

  it('is answered without a sequence number where there is none', () => {
    expect(formatAnswer({ status: 400 }, null)).toBe('RTSP/1.0 400 Bad Request\r\n\r\n');
  });
});

describe('the kind of a watcher', () => {
  it.each([
    ['Lavf63.1.102', true, 'home-assistant'],
    ['Lavf63.1.102', false, 'player'],
    ['HomeAssistant/2026.11.0', false, 'home-assistant'],
    ['go2rtc/1.9.9', true, 'go2rtc'],
    ['FFmpeg Frigate/0.16.0', false, 'frigate'],
    ['libmpv', true, 'player'],
    ['', true, 'player'],
  ])('%s (home: %s)', (agent, isHome, kind) => expect(watcherKind(agent, isHome)).toBe(kind));
});

describe('places', () => {
  const occupant = (
    name: string,
    network = '',
    more: { isClient?: boolean; isPlaying?: boolean; openedAt?: number } = {},
  ) => ({
    peer: { name, network },
    openedAt: 0,
    isClient: false,
    isPlaying: false,
    ...more,
  });
  it('are taken by connections that do not play, up to eight of one IPv6 network', () => {
    const of = (count: number) => Array.from({ length: count }, (_, index) => occupant(`fd00::${index}`, 'fd00::/64'));
    const peer = { name: 'fd00::99', network: 'fd00::/64' };
    expect(placeOf(of(7), peer, streamBounds).is).toBe('free');
    expect(placeOf(of(8), peer, streamBounds).is).toBe('none');
    expect(placeOf(of(8), { name: 'fd01::1', network: 'fd01::/64' }, streamBounds).is).toBe('free');
  });

  it('are given up by the oldest that asked for nothing, never by one that was promised the stream', () => {
    const all = Array.from({ length: 32 }, (_, index) =>
      occupant(`10.0.0.${Math.floor(index / 4)}`, '', { openedAt: 100 - index, isClient: index === 31 }),
    );
    const place = placeOf(all, { name: '10.0.1.1', network: '' }, streamBounds);
    expect(place).toEqual({ is: 'of', occupant: all[30] });
    const clients = all.map((one) => ({ ...one, isClient: true }));
    expect(placeOf(clients, { name: '10.0.1.1', network: '' }, streamBounds).is).toBe('none');
  });

  it('are sixteen for clients, those that do not play yet among them', () => {
    const all = Array.from({ length: 16 }, (_, index) => occupant(`10.0.0.${index}`, '', { isClient: true }));
    expect(mayWatch(all.slice(1), { name: '10.0.1.1', network: '' }, streamBounds)).toBe(true);
    expect(mayWatch(all, { name: '10.0.1.1', network: '' }, streamBounds)).toBe(false);
  });
});

describe('RTP time', () => {
  it('follows the encoder, wraps, and goes on over a restart as much as has passed', () => {
    let now = 0;
    const clock = createRtpClock(2 ** 32 - 100, () => now);
    const first = clock.at(5000);
    now = 66;
    expect((clock.at(5067) - first + 2 ** 32) % 2 ** 32).toBe(67 * 90);
    clock.restart();
    now = 2066;
    expect((clock.at(0) - first + 2 ** 32) % 2 ** 32).toBe(67 * 90 + 2000 * 90);
    now = 2099;
    expect((clock.now() - first + 2 ** 32) % 2 ** 32).toBe(67 * 90 + 2033 * 90);
  });

  it('takes no step back, nor one of minutes', () => {
    let now = 0;
    const clock = createRtpClock(0, () => now);
    const first = clock.at(100_000);
    now = 50;
    expect(clock.at(0) - first).toBe(50 * 90);
    now = 100;
    expect(clock.at(900_000) - first).toBe(100 * 90);
  });
});
