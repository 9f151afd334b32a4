import { createServer } from 'node:net';

import { Aedes } from 'aedes';
import { expect, it, onTestFinished } from 'vitest';

import { type EventRecord, EventFrame } from '#machines/status/inspection.ts';

import { freePort, post, startLive, until } from './live-agent.ts';

/** Parts whose clocks go on beside a command, and what is kept on the disk some time after it. */
const beside = new Set([
  'live-log',
  'store',
  'storage-health',
  'illuminance',
  'temperature',
  'humidity',
  'proximity',
  'readings',
]);

/** The newest events of an agent that was started with its inspector, oldest first. */
async function newestEvents(url: string): Promise<readonly EventRecord[]> {
  const { body } = await fetch(`${url}/api/v1/dev/stream`);
  if (body === null) throw new Error('no stream');
  let text = '';
  for await (const chunk of body) {
    text += Buffer.from(chunk).toString();
    const data = /^data: (.*)\n\n/m.exec(text)?.[1];
    if (data !== undefined) return EventFrame().parse(JSON.parse(data)).records;
  }
  throw new Error('the stream ended');
}

it('a command of Home Assistant comes to the hardware and back in eight events at most', async () => {
  const port = await freePort();
  const broker = await Aedes.createBroker();
  const server = createServer((socket) => void broker.handle(socket));
  await new Promise<void>((resolve) => void server.listen(port, '127.0.0.1', resolve));
  const live = await startLive({ inspect: true });
  onTestFinished(async () => {
    await live.close();
    await new Promise<void>((resolve) => {
      broker.close(() => server.close(() => resolve()));
    });
  });
  const said = new Map<string, string>();
  broker.on('publish', (packet) => void said.set(packet.topic, packet.payload.toString()));
  await post(`${live.url}/api/v1/config`, { panel_id: 'hall', mqtt_broker: `mqtt://127.0.0.1:${port}` });
  await until('every light', () => said.has('sconce/hall/led/state') && said.has('sconce/hall/screen/state'));

  const dim = async (light: string, brightness: number): Promise<void> => {
    const topic = `sconce/hall/${light}/set`;
    const payload = Buffer.from(JSON.stringify({ state: 'ON', brightness }));
    broker.publish({ cmd: 'publish', topic, payload, qos: 0, retain: false, dup: false }, () => {});
    await until(`the state of ${light}`, () =>
      said.get(`sconce/hall/${light}/state`)?.includes(`"brightness":${brightness}`),
    );
  };
  /** What happened in the agent for one command, as `part event`. */
  const eventsOf = async (light: string): Promise<readonly string[]> => {
    await dim(light, 200);
    const last = (await newestEvents(live.url)).at(-1)?.n ?? 0;
    await dim(light, 100);
    const events = (await newestEvents(live.url))
      .filter(({ n, actor, of, event }) => n > last && !beside.has(of ?? actor) && !event.startsWith('inspector.'))
      .map(({ actor, of, event }) => `${of === null ? '' : `${of}/`}${actor} ${event}`);
    console.info(`a command for ${light}: ${events.length} events\n  ${events.join('\n  ')}`);
    return events;
  };

  /** Of three commands the one with the fewest: what another part did meanwhile only adds to them. */
  const fewestOf = async (light: string): Promise<readonly string[]> => {
    const tries = [await eventsOf(light), await eventsOf(light), await eventsOf(light)];
    return tries.toSorted((a, b) => a.length - b.length)[0] ?? [];
  };

  expect(await fewestOf('led')).toEqual([
    'led/light light.show',
    'led light.set',
    // The simulated panel, which has no part of its own on a real one.
    'simulator simulator.changed',
    'led light.observed',
    'led light.written',
  ]);
  const screen = await fewestOf('screen');
  expect(screen).toContain('screen display.written');
  expect(screen.length).toBeLessThanOrEqual(8);
});
