import { afterEach, describe, expect, it } from 'vitest';

import { type AgentOptions, startAgent, type TestAgent } from './agent.ts';
import { type Broker, brokerMissing, type Listener, listenTo, startBroker, until } from './mosquitto.ts';

const open: { readonly close: () => Promise<void> }[] = [];
afterEach(async () => {
  for (const one of open.splice(0).toReversed()) await one.close();
});
function opened<T extends { readonly close: () => Promise<void> }>(one: T): T {
  open.push(one);
  return one;
}
const broker = async (): Promise<Broker> => opened(await startBroker());
function agent(options: AgentOptions): TestAgent {
  const panel = startAgent(options);
  open.push({ close: panel.stop });
  return panel;
}

const withdraw = (panel: TestAgent) => panel.registry.ask('publisher', { type: 'publisher.withdraw' }, 8000);
/** What a newcomer is given: all that the broker still holds. */
async function retained(port: number): Promise<readonly string[]> {
  const late: Listener = opened(await listenTo(port));
  await late.publish('test/flush', 'x');
  await until('all that is retained', () => late.latest('test/flush') === 'x');
  return late.messages.filter(({ retained: is, topic }) => is && !topic.startsWith('$')).map(({ topic }) => topic);
}

describe.skipIf(brokerMissing !== null)('a withdrawal from a real broker', () => {
  it('leaves nothing that is retained, nor does the panel that stops after it', async () => {
    const { port } = await broker();
    const panel = agent({ port });
    await until('live', () => panel.publisher()?.phase === 'live');
    expect((await retained(port)).length).toBeGreaterThan(8);
    expect(await withdraw(panel)).toEqual({ ok: true, value: { status: 'withdrawn', entities: 5 } });
    expect(await retained(port)).toEqual([]);
    await panel.stop();
    expect(await retained(port)).toEqual([]);
  });

  it('is taken back by a release', async () => {
    const { port } = await broker();
    const panel = agent({ port });
    await until('live', () => panel.publisher()?.phase === 'live');
    await withdraw(panel);
    panel.registry.tell('publisher', { type: 'publisher.release' });
    await until('live again', () => panel.publisher()?.phase === 'live');
    expect(await retained(port)).toContain('homeassistant/device/sconce_hall/config');
  });

  it('names what stays where the broker is gone, after a restart of the panel too', async () => {
    const own = await broker();
    const disk = {};
    const first = agent({ port: own.port, disk });
    await until('live', () => first.publisher()?.phase === 'live');
    await first.stop();
    await own.kill();
    const second = agent({ port: own.port, disk });
    await until('tried', () => second.link()?.phase === 'unreachable');
    expect(await withdraw(second)).toEqual({
      ok: true,
      value: { status: 'left', reason: 'away', entities: 5, topics: ['homeassistant/device/sconce_hall/config'] },
    });
  });
});
