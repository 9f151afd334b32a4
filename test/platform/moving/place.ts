import { appendFileSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';
import { amount } from '#test/fakes/amount.ts';
import { HomeClient } from '../home-assistant/client.ts';
import { Home } from '../home-assistant/home.ts';
import { unpackIntegration } from '../home-assistant/integration.ts';
import { Broker } from '../kit/broker.ts';

/** Where a panel moves: a Home Assistant and its broker. */
export interface Place {
  readonly brokerPort: number;
  /** One of the tests' own, which may be killed and which records; null for the one that all files share. */
  readonly own: Home | null;
  readonly client: () => Promise<HomeClient>;
  readonly end: () => Promise<void>;
}

/** What its configuration folder has besides: the integration, and a place for automations. */
export function prepare(folder: string): void {
  unpackIntegration(folder);
  appendFileSync(join(folder, 'configuration.yaml'), 'automation: !include automations.yaml\n');
  writeFileSync(join(folder, 'automations.yaml'), '[]\n');
}

async function own(): Promise<Place> {
  const broker = await Broker.start();
  try {
    const home = await Home.start(broker.port, { records: true }, prepare);
    return {
      brokerPort: broker.port,
      own: home,
      client: () => home.client(),
      end: async () => {
        await home.stop();
        await broker.stop();
      },
    };
  } catch (error) {
    await broker.stop();
    throw error;
  }
}

/** In a plain run the shared one, since a further one costs ten seconds of a core. */
export const place = (): Promise<Place> =>
  amount(async () => {
    const { url, token, brokerPort } = inject('homeAssistant');
    const clients: HomeClient[] = [];
    return {
      brokerPort,
      own: null,
      client: async () => {
        const client = await HomeClient.open(url, token);
        clients.push(client);
        return client;
      },
      end: async () => {
        for (const client of clients) client.close();
      },
    } satisfies Place;
  }, own)();

function inodesOf(pid: number): ReadonlySet<string> {
  const folder = `/proc/${pid}/fd`;
  return new Set(
    readdirSync(folder).flatMap((name) => {
      try {
        return [readlinkSync(join(folder, name))];
      } catch {
        // It was closed meanwhile.
        return [];
      }
    }),
  );
}

/** Connections that a process has to a port of this machine. */
export function connectionsTo(pid: number, port: number): number {
  const [remote, inodes] = [`:${port.toString(16).toUpperCase().padStart(4, '0')}`, inodesOf(pid)];
  // One network namespace has them all; those of this process are found by their inodes.
  return readFileSync(`/proc/${pid}/net/tcp`, 'utf8')
    .split('\n')
    .filter((line) => {
      const [, , to = '', state, , , , , , inode] = line.trim().split(/\s+/);
      return to.endsWith(remote) && state === '01' && inodes.has(`socket:[${inode}]`);
    }).length;
}
