import { createSocket, type Socket } from 'node:dgram';

import { ByePacket, CompoundPacket, RtpPacket } from 'rtp.js/packets';
import { afterEach, describe, expect, it } from 'vitest';

import { isFact } from '../../run-driver.ts';
import { readFilm } from './film.ts';
import { depacketise, viewOf } from './packets.ts';
import { closeAll, connectTo, open, play, startServer, until } from './rig.ts';

afterEach(closeAll);

/** A port of the test's own that keeps what it is sent. */
async function port(host: string): Promise<{ socket: Socket; number: number; packets: Buffer[] }> {
  const socket = createSocket(host.includes(':') ? 'udp6' : 'udp4');
  const packets: Buffer[] = [];
  socket.on('message', (packet) => packets.push(packet));
  await new Promise<void>((resolve) => {
    socket.bind(0, host, resolve);
  });
  open.push(() => void socket.close());
  return { socket, number: socket.address().port, packets };
}

const transportOf = (data: number, control: number) => ({
  Transport: `RTP/AVP;unicast;destination=192.0.2.1;client_port=${data}-${control}`,
});

describe.each(['127.0.0.1', '::1'])('a client over UDP at %s', (host) => {
  it('gets the pictures since the key frame and all that follow, at its own address alone', async () => {
    const { film, port: listening, server } = await startServer({ addresses: [host] });
    film.show(3);
    const client = await connectTo(listening, host);
    const [data, control] = [await port(host), await port(host)];
    const url = `rtsp://${host.includes(':') ? `[${host}]` : host}:${listening}/live`;
    const { prepared } = await play(client, url, transportOf(data.number, control.number));
    expect(prepared.headers.get('transport')).toMatch(
      new RegExp(`^RTP/AVP;unicast;client_port=${data.number}-${control.number};server_port=\\d+-\\d+$`),
    );
    film.show(2);
    const { format, units } = readFilm();
    const nals = [format.sps, format.pps, ...units.slice(0, 5).flatMap((unit) => unit.nals)];
    const received = () => depacketise(data.packets.map((packet) => new RtpPacket(viewOf(packet))));
    await until('five pictures', () => received().length >= nals.length);
    expect(Buffer.concat(received()).equals(Buffer.concat(nals))).toBe(true);
    await until('a sender report', () => control.packets.length > 0);
    expect(client.frames).toEqual([]);

    server.tell({ type: 'stream.drop' });
    await until('the end', () => client.isClosed());
    await until('a goodbye', () => {
      const last = control.packets.at(-1);
      return last !== undefined && new CompoundPacket(viewOf(last)).getPackets().at(-1) instanceof ByePacket;
    });
  });
});

describe('a session over UDP', () => {
  const start = async () => {
    const rig = await startServer();
    rig.film.show(1);
    const client = await connectTo(rig.port);
    const [data, control] = [await port('127.0.0.1'), await port('127.0.0.1')];
    const { prepared } = await play(client, rig.url, transportOf(data.number, control.number));
    const server = Number(/server_port=\d+-(\d+)/.exec(prepared.headers.get('transport') ?? '')?.[1]);
    return { ...rig, client, data, control, serverControl: server };
  };

  it('ends after 60 to 65 s of silence', async () => {
    const { client, clock, server } = await start();
    clock.now += 60_000;
    const { answers } = client;
    expect((await client.ask('GET_PARAMETER', 'rtsp://h/live')).status).toBe(200);
    expect(answers.at(-1)?.status).toBe(200);
    clock.now += 65_000;
    await server.until(isFact('stream.left'));
    await until('the connection ends', () => client.isClosed());
  });

  it('is kept by a report from the client, and by none from another port', async () => {
    const { client, clock, control, data, serverControl, server } = await start();
    const stranger = await port('127.0.0.1');
    const report = Buffer.from([0x80, 201, 0, 1, 0, 0, 0, 1]);
    clock.now += 40_000;
    control.socket.send(report, serverControl, '127.0.0.1');
    // Packets of one socket come in order; a sender report later, the other has been taken as well.
    const before = control.packets.length;
    clock.now += 5000;
    await until('a later report', () => control.packets.length > before);
    clock.now += 40_000;
    stranger.socket.send(report, serverControl, '127.0.0.1');
    expect((await server.until(isFact('stream.watched'))).watchers).toHaveLength(1);
    expect(client.isClosed()).toBe(false);
    clock.now += 40_000;
    await until('it ends by silence', () => client.isClosed());
    expect(data.packets.length).toBeGreaterThan(0);
  });

  it('ends with its connection', async () => {
    const { client, server } = await start();
    client.socket.destroy();
    await server.until(isFact('stream.left'));
    await server.until(isFact('stream.watched', ({ watchers }) => watchers.length === 0));
  });
});
