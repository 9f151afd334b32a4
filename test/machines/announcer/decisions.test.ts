import { describe, expect, it } from 'vitest';

import { describeAnnouncement } from '#machines/announcer/describe.ts';
import { duckedVolumes, givenBack, isDucked } from '#machines/announcer/duck.ts';
import type { ProgressFact, SoundKind } from '#machines/announcer/events.ts';
import { findUrl } from '#machines/announcer/find-url.ts';
import { soundKind } from '#machines/announcer/sound-kind.ts';
import { firstHop, isOnPanel, isPanelItself, MOST_REDIRECTS, nextHop } from '#machines/announcer/source.ts';
import { afterProgress } from '#machines/announcer/progress.ts';
import { judgePlayers } from '#machines/announcer/verdict.ts';

describe('the address in a body', () => {
  it.each([
    ['http://192.0.2.1:8123/api/tts_proxy/a.mp3?authSig=x.y', 'http://192.0.2.1:8123/api/tts_proxy/a.mp3?authSig=x.y'],
    ['  https://ha.local/a.wav\r\n', 'https://ha.local/a.wav'],
    ['url=http%3A%2F%2F192.0.2.1%2Fa.mp3', 'http://192.0.2.1/a.mp3'],
    ['volume=3&url=https%3A%2F%2Fha.local%2Fa%20b.wav%3Fx%3D1%26y', 'https://ha.local/a%20b.wav?x=1&y'],
    ['url=ftp%3A%2F%2F192.0.2.1%2Fa.mp3', null],
    ['http://192.0.2.1/a.mp3?token=a&b=c', 'http://192.0.2.1/a.mp3?token=a&b=c'],
    ['{"url":"http:\\/\\/192.0.2.1\\/a.mp3"}', 'http://192.0.2.1/a.mp3'],
    [
      '{ "message": "see http://192.0.2.9/", "url": "http://192.0.2.1/two words.mp3" }',
      'http://192.0.2.1/two%20words.mp3',
    ],
    ['{"media_content_id": "http://192.0.2.1/a.mp3"}', 'http://192.0.2.1/a.mp3'],
    ['{"url": "http://192.0.2.1/a.mp3"', 'http://192.0.2.1/a.mp3'],
    ['url=http://192.0.2.1/a.mp3', 'http://192.0.2.1/a.mp3'],
    ['HTTP://192.0.2.1/A.mp3', 'http://192.0.2.1/A.mp3'],
    ['play <http://192.0.2.1/a.mp3> and http://192.0.2.2/b.mp3', 'http://192.0.2.1/a.mp3'],
    ['\ufeffhttp://192.0.2.1/a.mp3', 'http://192.0.2.1/a.mp3'],
    ['', null],
    ['hello', null],
    ['{}', null],
    ['{"url": 5}', null],
    ['{"url": ""}', null],
    ['ftp://192.0.2.1/a.mp3', null],
    ['file:///etc/passwd', null],
    ['http://', null],
    ['http://[::1', null],
  ])('%j is %s', (body, url) => expect(findUrl(body)).toBe(url));
});

describe('where a request goes', () => {
  it.each([
    ['http://192.0.2.1/a', { secure: false, host: '192.0.2.1', port: 80 }],
    ['https://ha.local:8443/a', { secure: true, host: 'ha.local', port: 8443 }],
    ['https://[2001:db8::1]/a', { secure: true, host: '2001:db8::1', port: 443 }],
  ])('%s', (href, hop) => expect(firstHop(href)).toMatchObject({ ok: true, value: hop }));

  it.each(['ftp://192.0.2.1/a', 'file:///etc/passwd', 'data:audio/wav;base64,AAAA', 'nonsense'])(
    '%s is refused',
    (href) => expect(firstHop(href)).toMatchObject({ ok: false, reason: 'bad-address' }),
  );

  const plain = { href: 'http://ha.local/one/a.mp3', secure: false, host: 'ha.local', port: 80 };
  const secure = { href: 'https://ha.local/one/a.mp3', secure: true, host: 'ha.local', port: 443 };
  it.each([
    [plain, 'b.mp3', 0, 'http://ha.local/one/b.mp3'],
    [plain, '/b.mp3', MOST_REDIRECTS - 1, 'http://ha.local/b.mp3'],
    [plain, 'https://other.local/b.mp3', 0, 'https://other.local/b.mp3'],
    [secure, '//other.local/b.mp3', 0, 'https://other.local/b.mp3'],
  ] as const)('a redirect from %o to %s, the %i. of all', (from, location, followed, href) =>
    expect(nextHop(from, location, followed)).toMatchObject({ ok: true, value: { href } }),
  );

  it.each([
    [secure, 'http://ha.local/a', 0, 'redirect-to-http'],
    [plain, '/a', MOST_REDIRECTS, 'too-many-redirects'],
    [plain, 'file:///etc/passwd', 0, 'bad-redirect'],
    [plain, 'http://[', 0, 'bad-redirect'],
    [plain, undefined, 0, 'bad-redirect'],
  ] as const)('a redirect from %o to %s after %i: %s', (from, location, followed, reason) =>
    expect(nextHop(from, location, followed)).toMatchObject({ ok: false, reason }),
  );
});

describe('the panel itself is no source', () => {
  const own = ['192.0.2.7', 'fe80::1', '2001:db8::7'];
  it.each([
    ['127.0.0.1', 8888, true],
    ['127.9.9.9', 8888, true],
    ['::1', 8888, true],
    ['::ffff:127.0.0.1', 8888, true],
    ['0.0.0.0', 8888, true],
    ['::', 8888, true],
    ['192.0.2.7', 8888, true],
    ['::ffff:192.0.2.7', 8888, true],
    ['2001:db8:0::7', 8888, true],
    ['127.0.0.1', 8123, false],
    ['192.0.2.7', 80, false],
    ['192.0.2.8', 8888, false],
    ['2001:db8::8', 8888, false],
  ])('%s port %i: %s', (address, port, itself) => expect(isPanelItself(address, port, own, 8888)).toBe(itself));

  it.each([
    ['http://127.0.0.1:5432/', ['127.0.0.1'], '', true],
    ['http://db.local:5432/', ['127.0.0.1'], 'http://ha.local:8123', true],
    ['http://db.local/', ['192.0.2.8', '::1'], '', true],
    ['http://192.0.2.7:9000/', ['192.0.2.7'], '', true],
    ['http://localhost:8123/a.mp3', ['127.0.0.1'], 'http://localhost:8123', false],
    ['http://localhost:8124/a.mp3', ['127.0.0.1'], 'http://localhost:8123', true],
    ['https://localhost:8123/a.mp3', ['127.0.0.1'], 'http://localhost:8123', true],
    ['http://192.0.2.8/a.mp3', ['192.0.2.8'], '', false],
  ])('%s at %j with Home Assistant at "%s" is on the panel: %s', (href, addresses, homeAssistant, onPanel) => {
    const hop = firstHop(href);
    expect(hop.ok && isOnPanel(hop.value, addresses, own, homeAssistant)).toBe(onPanel);
  });
});

describe('what a fetched file is', () => {
  const of = (...parts: readonly (string | readonly number[])[]): Uint8Array =>
    Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part))));
  const judge = (bytes: Uint8Array) => soundKind((offset, length) => bytes.subarray(offset, offset + length));
  const tag = (length: number, flags = 0): readonly number[] => [
    ...Buffer.from('ID3'),
    4,
    0,
    flags,
    0,
    0,
    length >> 7,
    length & 127,
    ...Array.from({ length }, () => 0),
  ];
  const mp3 = [0xff, 0xfb, 0x90, 0x64];

  it.each<readonly [string, Uint8Array, SoundKind]>([
    ['WAV', of('RIFF', [36, 0, 0, 0], 'WAVEfmt '), 'wav'],
    ['MP3 without a tag', of(mp3), 'mp3'],
    ['MPEG 2 layer III, as some voices send it', of([0xff, 0xf3, 0x44, 0xc4]), 'mp3'],
    ['MP3 with a tag longer than what is read at once', of(tag(900), mp3), 'mp3'],
    [
      'MP3 with two tags and a footer',
      of(
        tag(20, 0x10),
        Array.from({ length: 10 }, () => 0),
        tag(30),
        mp3,
      ),
      'mp3',
    ],
    ['FLAC with a tag', of(tag(10), 'fLaC'), 'flac'],
    ['ADTS', of([0xff, 0xf1, 0x50, 0x80]), 'aac'],
    ['Ogg', of('OggS', [0, 2]), 'ogg'],
    ['FLAC', of('fLaC', [0]), 'flac'],
    ['MP4', of([0, 0, 0, 32], 'ftypM4A '), 'mp4'],
    ['Matroska', of([0x1a, 0x45, 0xdf, 0xa3]), 'matroska'],
    ['AIFF', of('FORM', [0, 0, 0, 1], 'AIFF'), 'aiff'],
    ['AU', of('.snd', [0, 0, 0, 24]), 'au'],
  ])('%s', (_, bytes, kind) => expect(judge(bytes)).toEqual({ ok: true, value: kind }));

  it.each<readonly [string, Uint8Array, string]>([
    ['nothing', of(''), 'empty'],
    ['m3u8 that names a local file', of('#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:1,\n/etc/passwd\n'), 'playlist'],
    ['m3u8 after a byte-order mark and blank lines', of([0xef, 0xbb, 0xbf], '\r\n\n#EXTM3U\n'), 'playlist'],
    ['m3u8 in UTF-16', of([0xff, 0xfe], '#\0E\0X\0T\0M\x003\0U\0'), 'playlist'],
    ['m3u8 behind an ID3 tag', of(tag(20), '#EXTM3U\n/etc/passwd\n'), 'playlist'],
    ['pls', of('[playlist]\nFile1=/etc/passwd\n'), 'playlist'],
    ['concat', of('ffconcat version 1.0\nfile /etc/passwd\n'), 'playlist'],
    ['concat without its mark', of("file '/etc/passwd'\n"), 'playlist'],
    ['EDL', of('# mpv EDL v0\n/etc/passwd\n'), 'playlist'],
    ['SDP', of('v=0\no=- 0 0 IN IP4 127.0.0.1\n'), 'playlist'],
    ['XSPF', of('<?xml version="1.0"?><playlist/>'), 'playlist'],
    ['ASX', of('<ASX version="3.0">'), 'playlist'],
    ['a bare address', of('http://192.0.2.1/a.mp3\n'), 'playlist'],
    ['a bare path', of('/etc/passwd\n'), 'playlist'],
    ['a page', of('<!doctype html>'), 'not-audio'],
    ['text', of('hello'), 'not-audio'],
    ['an ELF file', of([0x7f], 'ELF'), 'not-audio'],
    ['RIFF that is no WAVE', of('RIFF', [4, 0, 0, 0], 'AVI '), 'not-audio'],
    ['a tag and nothing behind it', of(tag(20)), 'not-audio'],
    ['a tag that says it is longer than the file', of('ID3', [4, 0, 0, 127, 127, 127, 127]), 'not-audio'],
    ['a WAV behind a tag', of(tag(20), 'RIFF', [0, 0, 0, 0], 'WAVE'), 'not-audio'],
    ['a reserved sampling rate', of([0xff, 0xfb, 0x9c, 0]), 'not-audio'],
  ])('%s', (_, bytes, reason) => expect(judge(bytes)).toMatchObject({ ok: false, reason }));
});

describe('other streams', () => {
  it.each([
    [[65_536, 32_768], 30, [19_661, 9830]],
    [[65_536], 0, [0]],
    [[65_536], 100, null],
    [[0, 0], 30, null],
    [[], 30, null],
    [[65_536], 400, null],
  ])('%j at %i percent are %j', (was, percent, now) => expect(duckedVolumes(was, percent)).toEqual(now));

  const ducked = [
    { index: 4, program: 'Music', was: [65_536, 32_768], now: [19_661, 9830] },
    { index: 5, program: '', was: [40_000], now: [12_000] },
  ];
  it.each([
    [
      'still have what they were given',
      [{ index: 4, program: 'Music', volumes: [19_661, 9830] }],
      [{ index: 4, volumes: [65_536, 32_768] }],
    ],
    ['were rounded', [{ index: 5, program: '', volumes: [12_001] }], [{ index: 5, volumes: [40_000] }]],
    ['were changed by somebody', [{ index: 4, program: 'Music', volumes: [50_000, 50_000] }], []],
    ['have other channels now', [{ index: 4, program: 'Music', volumes: [19_661] }], []],
    [
      'were begun anew by the same program',
      [{ index: 9, program: 'Music', volumes: [19_661, 9830] }],
      [{ index: 9, volumes: [65_536, 32_768] }],
    ],
    ['are somebody else’s', [{ index: 9, program: '', volumes: [12_000] }], []],
    ['have ended', [], []],
  ])('that %s', (_, playing, back) => expect(givenBack(ducked, playing)).toEqual(back));

  it.each([
    ['itself', { index: 4, program: 'Music', volumes: [600] }, true],
    ['itself, louder since', { index: 4, program: 'Music', volumes: [900] }, true],
    ['the volume of its program', { index: 9, program: 'Music', volumes: [300] }, true],
    ['a louder one of its program', { index: 9, program: 'Music', volumes: [900] }, false],
    ['none', { index: 9, program: '', volumes: [300] }, false],
  ])('one that has %s is lowered: %o %s', (_, stream, lowered) =>
    expect(isDucked([{ index: 4, program: 'Music', was: [1000], now: [300] }], stream)).toBe(lowered),
  );
});

describe('the verdict', () => {
  const silent = {
    state: 'not_here',
    reason: 'no-sound-card',
    detail: 'No card.',
    missing: 'A sound card.',
    fix: null,
  } as const;
  it.each([
    [['mpv', 'ffplay'], null, 'working', 'player-found'],
    [['gst-launch-1.0'], null, 'working', 'player-found'],
    [['simulated'], null, 'working', 'announcements-simulated'],
    [[], null, 'needs_you', 'no-player'],
    [['mpv'], silent, 'not_here', 'no-sound-card'],
    [[], silent, 'needs_you', 'no-player'],
  ])('with %j and %o is %s', (players, sound, state, reason) =>
    expect(judgePlayers(players, sound)).toMatchObject({ state, reason }),
  );

  it('names the one command that brings a player', () =>
    expect(judgePlayers([], null).fix?.command).toBe('sudo apt install mpv'));
});

it('every phase and reason is said in words', () => {
  expect(describeAnnouncement('playing', null)).toBe('An announcement is playing.');
  expect(describeAnnouncement('failed', 'playlist')).toContain('playlist');
});

describe('what the player reports of an announcement', () => {
  const queued = { phase: 'queued', reason: null, play: 2, isReply: false, reply: null } as const;
  const answer = { turn: 7, phase: 'queued', reason: null } as const;
  const answering = { ...queued, phase: 'idle', isReply: true, reply: answer } as const;
  const refused: ProgressFact = { type: 'player.refused', generation: 2, reason: 'empty' };
  it.each<[string, Parameters<typeof afterProgress>[0], ProgressFact, ReturnType<typeof afterProgress>]>([
    ['is fetched', queued, { type: 'player.downloading', generation: 2 }, { phase: 'downloading' }],
    ['is played', { ...queued, phase: 'downloading' }, { type: 'player.playing', generation: 2 }, { phase: 'playing' }],
    ['was played', { ...queued, phase: 'playing' }, { type: 'player.finished', generation: 2 }, { phase: 'idle' }],
    ['came to nothing', queued, refused, { phase: 'failed', reason: 'empty' }],
    ['was replaced', { ...queued, play: 3 }, refused, {}],
    ['had ended', { ...queued, phase: 'idle' }, { type: 'player.playing', generation: 2 }, {}],
    ['had failed', { ...queued, phase: 'failed', reason: 'empty' }, { type: 'player.finished', generation: 2 }, {}],
  ])('one that %s', (_, now, fact, changes) => expect(afterProgress(now, fact)).toEqual(changes));
  it.each<[string, Parameters<typeof afterProgress>[0], ProgressFact, object]>([
    ['is fetched', answering, { type: 'player.downloading', generation: 2 }, { phase: 'downloading' }],
    ['is played', answering, { type: 'player.playing', generation: 2 }, { phase: 'playing' }],
    ['was played', answering, { type: 'player.finished', generation: 2 }, { phase: 'ended' }],
    ['came to nothing', answering, refused, { phase: 'failed', reason: 'empty' }],
  ])('an answer that %s, which changes nothing of the announcement', (_, now, fact, changes) =>
    expect(afterProgress(now, fact)).toEqual({ reply: { ...answer, ...changes } }),
  );
  it.each<[string, Parameters<typeof afterProgress>[0]]>([
    ['of an answer that has ended', { ...answering, reply: { ...answer, phase: 'ended' } }],
    ['of an answer that has failed', { ...answering, reply: { ...answer, phase: 'failed', reason: 'empty' } }],
    ['of an earlier play', { ...answering, play: 3 }],
  ])('nothing %s', (_, now) => expect(afterProgress(now, refused)).toEqual({}));
});
