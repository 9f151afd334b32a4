import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

import { until } from '../guest-case.ts';

const run = promisify(execFile);

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

/** Starts the broker and its client. */
export async function startBroker(port = 1883): Promise<GuestBroker> {
  await writeFile(
    '/tmp/mosquitto.conf',
    `listener ${port} 127.0.0.1\nallow_anonymous true\npersistence false\nuser root\n`,
  );
  const to = ['-h', '127.0.0.1', '-p', String(port)];
  const children: ChildProcess[] = [spawn(brokerProgram, ['-c', '/tmp/mosquitto.conf'], { stdio: 'ignore' })];
  const publish = async (topic: string, payload: string): Promise<void> =>
    void (await run('mosquitto_pub', [...to, '-q', '1', '-t', topic, '-m', payload]));
  await until('the broker', () => publish('guest/ready', '1').then(() => true));
  const ear = spawn('mosquitto_sub', [...to, '-v', '-t', '#'], { stdio: ['ignore', 'pipe', 'ignore'] });
  children.push(ear);
  const heard = new Map<string, string[]>();
  createInterface({ input: ear.stdout }).on('line', (line) => {
    const end = line.indexOf(' ');
    const topic = end < 0 ? line : line.slice(0, end);
    heard.set(topic, [...(heard.get(topic) ?? []), end < 0 ? '' : line.slice(end + 1)]);
  });
  await until('somebody who hears', async () => {
    await publish('guest/heard', '1');
    return heard.has('guest/heard');
  });
  return {
    url: `mqtt://127.0.0.1:${port}`,
    latest: (topic) => heard.get(topic)?.at(-1),
    said: (topic) => heard.get(topic) ?? [],
    publish,
    stop: () => {
      for (const child of children) child.kill('SIGKILL');
    },
  };
}
