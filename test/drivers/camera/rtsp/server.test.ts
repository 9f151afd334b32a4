import { RtpPacket, CompoundPacket, SenderReportPacket, SdesPacket } from 'rtp.js/packets';
import { parse, parseParams } from 'sdp-transform';
import { afterEach, describe, expect, it } from 'vitest';

import { isFact } from '../../run-driver.ts';
import { readFilm } from './film.ts';
import { depacketise, viewOf } from './packets.ts';
import { closeAll, connectTo, overTcp, play, startServer, until } from './rig.ts';

afterEach(closeAll);

describe('a client over TCP', () => {
  it('is described the stream, and plays it from the newest key frame on', async () => {
    const { film, port, url, server } = await startServer();
    film.show(20);
    const client = await connectTo(port);
    const options = await client.ask('OPTIONS', url, { 'User-Agent': 'Lavf63.1.102' });
    expect(options.headers.get('public')).toContain('DESCRIBE, SETUP, PLAY, PAUSE, TEARDOWN, GET_PARAMETER');
    const { described, prepared, played, base } = await play(client, `${url}?res=480p&fps=10&kbps=500&audio=1`);
    expect(described.headers.get('content-type')).toBe('application/sdp');
    expect(base).toBe(`${url}/`);
    expect(prepared.headers.get('transport')).toBe('RTP/AVP/TCP;unicast;interleaved=0-1');
    expect(prepared.headers.get('session')).toMatch(/^[0-9a-f]{16};timeout=60$/);
    expect(await server.until(isFact('stream.wanted'))).toMatchObject({ client: 1, height: 480, fps: 10, kbps: 500 });
    expect(await server.until(isFact('stream.watched'))).toMatchObject({ watchers: [{ client: 1, kind: 'player' }] });

    // The film's second key frame is its 16th picture.
    const joined = (): number => new Set(client.frames.filter(isData).map(timeOf)).size;
    await until('the pictures since the key frame', () => joined() === 5);
    film.show(15);
    await until('all that were shown since', () => joined() === 20);

    const packets = client.frames.filter(isData).map(({ packet }) => new RtpPacket(viewOf(packet)));
    const [first] = packets;
    expect(played.headers.get('rtp-info')).toBe(
      `url=${base}trackID=0;seq=${first?.getSequenceNumber()};rtptime=${first?.getTimestamp()}`,
    );
    expect(new Set(packets.map((packet) => packet.getSsrc())).size).toBe(1);
    packets.forEach((packet, index) => {
      expect(packet.getPayloadType()).toBe(96);
      expect(packet.getSequenceNumber()).toBe(((first?.getSequenceNumber() ?? 0) + index) % 0x1_0000);
    });
    const film15 = readFilm();
    const expected = film15.units
      .slice(15, 35)
      .flatMap(({ nals, isKey }) => (isKey ? [film15.format.sps, film15.format.pps, ...nals] : nals));
    expect(Buffer.concat(depacketise(packets)).equals(Buffer.concat(expected))).toBe(true);
  });

  it('gets times in steps of 1 ms before the newest picture, then those of the encoder', async () => {
    const { film, port, url } = await startServer();
    film.show(20);
    const client = await connectTo(port);
    await play(client, url);
    film.show(3);
    const times = (): readonly number[] => [...new Set(client.frames.filter(isData).map(timeOf))];
    await until('eight pictures', () => times().length === 8);
    const steps = times()
      .slice(1)
      .map((time, index) => (time - (times()[index] ?? 0) + 2 ** 32) % 2 ** 32);
    expect(steps.slice(0, 4)).toEqual([90, 90, 90, 90]);
    for (const step of steps.slice(4)) expect(step).toBeGreaterThanOrEqual(66 * 90);
  });

  it('gets sender reports that rtp.js reads, at PLAY and every 5 s', async () => {
    const { film, port, url, clock } = await startServer();
    film.show(3);
    const client = await connectTo(port);
    await play(client, url);
    const reports = (): readonly CompoundPacket[] =>
      client.frames.filter(({ channel }) => channel === 1).map(({ packet }) => new CompoundPacket(viewOf(packet)));
    const senderOf = (report: CompoundPacket) => report.getPackets()[0] as SenderReportPacket;
    await until('the first', () => reports().length >= 1);
    const newest = client.frames.filter(isData).map(timeOf).at(-1) ?? 0;
    clock.now += 5000;
    // One that was made before may still be on the way.
    const later = (): CompoundPacket | undefined =>
      reports().find((report) => (senderOf(report).getRtpTimestamp() - newest + 2 ** 32) % 2 ** 32 === 5000 * 90);
    await until('another 5 s later', () => later() !== undefined);
    const [sender, name] = later()?.getPackets() ?? [];
    expect(sender).toBeInstanceOf(SenderReportPacket);
    expect(name).toBeInstanceOf(SdesPacket);
    expect((sender as SenderReportPacket).getNtpSeconds() - 2_208_988_800).toBeCloseTo(Date.now() / 1000, -1);
  });

  it('may choose its channels', async () => {
    const { film, port, url } = await startServer();
    film.show(1);
    const client = await connectTo(port);
    const { prepared } = await play(client, url, { Transport: 'RTP/AVP/TCP;unicast;interleaved=4-5' });
    expect(prepared.headers.get('transport')).toContain('interleaved=4-5');
    film.show(2);
    await until(
      'three pictures',
      () => new Set(client.frames.filter(({ channel }) => channel === 4).map(timeOf)).size === 3,
    );
    expect(new Set(client.frames.map(({ channel }) => channel))).toEqual(new Set([4, 5]));
  });
});

describe('the description', () => {
  it('is read by sdp-transform', async () => {
    const { port, url } = await startServer();
    const client = await connectTo(port);
    const { body } = await client.ask('DESCRIBE', url);
    const { media, name, control, invalid } = parse(body);
    // A range is RTSP's own (RFC 2326, appendix C).
    expect(invalid).toEqual([{ value: 'range:npt=now-' }]);
    expect({ name, control, count: media.length }).toEqual({ name: 'Camera', control: '*', count: 1 });
    const [video] = media;
    expect(video).toMatchObject({ type: 'video', protocol: 'RTP/AVP', control: 'trackID=0' });
    expect(video?.rtp).toEqual([{ payload: 96, codec: 'H264', rate: 90_000 }]);
    const { format } = readFilm();
    expect(parseParams(video?.fmtp[0]?.config ?? '')).toMatchObject({
      'packetization-mode': 1,
      'sprop-parameter-sets': `${format.sps.toString('base64')},${format.pps.toString('base64')}`,
      'profile-level-id': expect.stringMatching(/^42[0-9A-F]{4}$/),
    });
    expect(body).not.toContain(String(port));
  });

  it('waits for the camera, and requests behind it wait too', async () => {
    const { hub, port, url, server } = await startServer({ admits: false });
    const client = await connectTo(port);
    client.send(`DESCRIBE ${url} RTSP/1.0\r\nCSeq: 7\r\n\r\nOPTIONS * RTSP/1.0\r\ncseq: 8\r\n\r\n`);
    const { client: id } = await server.until(isFact('stream.wanted'));
    server.tell({ type: 'stream.admit', client: id });
    expect(client.answers).toEqual([]);
    // Admitted a moment before its format is there.
    hub.begin(readFilm().format);
    expect((await client.answer(0)).headers.get('cseq')).toBe('7');
    expect((await client.answer(1)).headers.get('cseq')).toBe('8');
  });

  it.each([
    ['refused', 'camera-indication-unavailable'],
    ['not answered', 'camera-starved'],
  ] as const)('is %s: 503 with %s', async (how, token) => {
    const { port, url, server, clock } = await startServer({ admits: false });
    const client = await connectTo(port);
    const answer = client.ask('DESCRIBE', url);
    const { client: id } = await server.until(isFact('stream.wanted'));
    if (how === 'refused') server.tell({ type: 'stream.refuse', client: id, refusal: token });
    else clock.now += 4500;
    expect((await answer).status).toBe(503);
    expect((await answer).headers.get('x-camera')).toBe(token);
    if (how === 'not answered') await server.until(isFact('stream.left', (fact) => fact.client === id));
    expect((await client.ask('SETUP', `${url}/trackID=0`, overTcp)).status).toBe(455);
  });
});

describe('sequences of players', () => {
  it('GStreamer: a track without path, PAUSE, TEARDOWN', async () => {
    const { film, port, url, server } = await startServer();
    film.show(1);
    const client = await connectTo(port);
    await client.ask('DESCRIBE', url);
    const prepared = await client.ask('SETUP', `rtsp://127.0.0.1:${port}/trackID=0`, overTcp);
    const session = prepared.headers.get('session')?.split(';')[0] ?? '';
    expect((await client.ask('PLAY', `${url}/`, { Session: session, Range: 'npt=now-' })).status).toBe(200);
    await server.until(isFact('stream.watched', ({ watchers }) => watchers.length === 1));
    expect((await client.ask('PAUSE', `${url}/`, { Session: session })).status).toBe(200);
    await server.until(isFact('stream.watched', ({ watchers }) => watchers.length === 0));
    expect((await client.ask('PLAY', `${url}/`, { Session: session })).status).toBe(200);
    expect((await client.ask('TEARDOWN', `${url}/`, { Session: session })).status).toBe(200);
    await server.until(isFact('stream.left'));
  });

  it('FFmpeg: UDP is refused where it cannot be had, then TCP; a track behind the query', async () => {
    const { film, port, url } = await startServer();
    film.show(1);
    const client = await connectTo(port);
    await client.ask('DESCRIBE', `rtsp://user:secret@127.0.0.1:${port}/live?res=480p`);
    expect(client.answers[0]?.headers.get('content-base')).toBe(`${url}/`);
    const refused = { Transport: 'RTP/AVP/UDP;unicast;client_port=80-81' };
    expect((await client.ask('SETUP', `${url}?res=480p/trackID=0`, refused)).status).toBe(461);
    expect((await client.ask('SETUP', `${url}?res=480p/trackID=0`, overTcp)).status).toBe(200);
  });

  it('VLC without live555: a SETUP without DESCRIBE', async () => {
    const { port, url } = await startServer();
    const client = await connectTo(port);
    expect((await client.ask('SETUP', url, { Transport: 'RTP/AVP;unicast;client_port=5000-5001' })).status).toBe(455);
    expect((await client.ask('PLAY', `rtsp://127.0.0.1:${port}/stream=0`)).status).toBe(455);
  });

  it('go2rtc: a required back channel is left out, OPTIONS keeps alive', async () => {
    const { film, port, url, server } = await startServer();
    film.show(1);
    const client = await connectTo(port);
    const agent = { 'User-Agent': 'go2rtc/1.9.9', Require: 'www.onvif.org/ver20/backchannel' };
    expect((await client.ask('DESCRIBE', url, agent)).status).toBe(200);
    await play(client, url);
    expect((await client.ask('OPTIONS', url, agent)).status).toBe(200);
    expect(await server.until(isFact('stream.watched'))).toMatchObject({ watchers: [{ kind: 'go2rtc' }] });
  });

  it('a second DESCRIBE has a lease of its own, which begins before the first one ends', async () => {
    const { port, url, server } = await startServer();
    const client = await connectTo(port);
    await client.ask('DESCRIBE', url);
    await client.ask('DESCRIBE', `${url}?fps=5`);
    expect(server.facts.map((fact) => ('client' in fact ? `${fact.type} ${fact.client}` : fact.type))).toEqual([
      'stream.listening',
      'stream.wanted 1',
      'stream.wanted 2',
      'stream.left 1',
    ]);
  });

  it('receiver reports and bodies are skipped, in pieces of one byte as well', async () => {
    const { film, port, url } = await startServer();
    film.show(1);
    const client = await connectTo(port);
    const { session, base } = await play(client, url);
    const report = Buffer.concat([Buffer.from([0x24, 1, 0, 8]), Buffer.from('RTSP/1.0')]);
    const text = `GET_PARAMETER ${base} RTSP/1.0\r\nCSeq: 9\r\nSession: ${session}\r\nContent-Length: 6\r\n\r\nab\r\ncd`;
    const bytes = Buffer.concat([
      report,
      Buffer.from(text),
      report,
      Buffer.from('OPTIONS * RTSP/1.0\r\nCSeq: 10\r\n\r\n'),
    ]);
    for (const byte of bytes) client.send(Buffer.from([byte]));
    expect((await client.answer(3)).headers.get('cseq')).toBe('9');
    expect((await client.answer(4)).headers.get('cseq')).toBe('10');
  });
});

const isData = ({ channel }: { readonly channel: number }): boolean => channel === 0;
const timeOf = ({ packet }: { readonly packet: Buffer }): number => packet.readUInt32BE(4);
