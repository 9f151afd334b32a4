import { spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';

import { until } from '../guest-case.ts';
import { type BrokerClient, connectClient } from './broker-client.ts';

/** The broker of the host, seen through the shared folder. */
export const brokerProgram = '/usr/sbin/mosquitto';

/** A real broker on the guest's loopback, and a client subscribed to everything. */
export interface GuestBroker {
  readonly url: string;
  /** What was said last on a topic; undefined when nothing was. */
  readonly latest: (topic: string) => string | undefined;
  /** Everything that was said on a topic, in order. */
  readonly said: (topic: string) => readonly string[];
  readonly publish: (topic: string, payload: string) => Promise<void>;
  readonly stop: () => void;
}

/** Starts the broker and its client, which is a part of this process. */
export async function startBroker(port = 1883): Promise<GuestBroker> {
  await writeFile(
    '/tmp/mosquitto.conf',
    `listener ${port} 127.0.0.1\nallow_anonymous true\npersistence false\nuser root\n`,
  );
  const broker = spawn(brokerProgram, ['-c', '/tmp/mosquitto.conf'], { stdio: 'ignore' });
  const heard = new Map<string, string[]>();
  const hear = (topic: string, payload: string): void => {
    const before = heard.get(topic);
    if (before === undefined) heard.set(topic, [payload]);
    else before.push(payload);
  };
  let client: BrokerClient | undefined;
  await until('the broker', async () => {
    client = await connectClient(port, hear);
    return true;
  });
  return {
    url: `mqtt://127.0.0.1:${port}`,
    latest: (topic) => heard.get(topic)?.at(-1),
    said: (topic) => heard.get(topic) ?? [],
    publish: async (topic, payload) => client?.publish(topic, payload),
    stop: () => {
      client?.end();
      broker.kill('SIGKILL');
    },
  };
}
