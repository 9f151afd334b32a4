import { afterEach, describe, expect, it } from 'vitest';

import { judgeBroker } from '#machines/mqtt/verdict.ts';

import { startAgent, type TestAgent } from './agent.ts';
import { brokerMissing, startBroker, until } from './mosquitto.ts';

const open: { close: () => Promise<void> }[] = [];
afterEach(async () => {
  for (const one of open.splice(0).toReversed()) await one.close();
});

function agent(port: number): TestAgent {
  const panel = startAgent({ port });
  open.push({ close: panel.stop });
  return panel;
}
/** Mosquitto gives the reason since 2.0.12; an older one, as in Debian 12, only closes the connection. */
const copies: ReadonlySet<string | undefined> = new Set(['second-copy', 'broker-drops']);
function reason(panel: TestAgent): string | undefined {
  const link = panel.link();
  return link && judgeBroker(link).reason;
}

describe.skipIf(brokerMissing !== null)('two copies of one panel on a real broker', () => {
  it('are named by both in place of a broker that does not answer, between two takeovers too', async () => {
    const broker = await startBroker();
    open.push(broker);
    const first = agent(broker.port);
    await until('connected', () => first.link()?.phase === 'connected');
    const second = agent(broker.port);
    await until('the first names it', () => copies.has(reason(first)), 30_000);
    await until('the second names it', () => copies.has(reason(second)), 30_000);
    const [broken, said] = [first.link()?.failure, reason(first)];
    expect(said).toBe(broken === 'disconnected-142' ? 'second-copy' : 'broker-drops');
    const session = first.link()?.session ?? 0;
    await until(
      'it is connected again, and thrown off again',
      () => {
        expect(copies).toContain(reason(first));
        return (first.link()?.session ?? 0) > session;
      },
      20_000,
    );
    await second.stop();
    await until('it is connected', () => first.link()?.phase === 'connected');
  }, 60_000);
});
