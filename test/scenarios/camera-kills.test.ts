import { afterAll, afterEach, describe, expect, it } from 'vitest';

import { closeAll, connectTo, play, type TestClient } from '#test/drivers/camera/rtsp/rig.ts';
import { amount } from '#test/fakes/amount.ts';
import { pick, type Random, sequence } from '#test/fakes/sequence.ts';

import { clearAway } from './agent-process.ts';
import {
  cameraOf,
  encoders,
  everythingGone,
  isEncoding,
  listens,
  offMs,
  type Panel,
  startPanel,
  turnOff,
  turnOn,
} from './camera-panel.ts';
import { until } from './live-agent.ts';

/** Most clients of one panel. */
const MOST = 16;
/** How soon the status says what is the case, in milliseconds. */
const TRUE_MS = 2000;

/** What happens, and how often of twenty times. */
const share = { join: 7, leave: 4, 'client killed': 4, 'encoder killed': 3, 'agent killed': 2 } as const;
type Step = keyof typeof share;

afterEach(closeAll);
afterAll(clearAway);

/** A panel whose camera is on, and those that play its stream. */
interface Room {
  panel: Panel;
  readonly random: Random;
  clients: readonly { readonly client: TestClient; readonly leave: () => Promise<unknown> }[];
}

/** All of them in an order that looks random. */
function shuffled(random: Random, times: number): readonly Step[] {
  const steps = Object.entries(share).flatMap(([step, count]) =>
    Array.from({ length: (count * times) / 20 }, () => step as Step),
  );
  return steps
    .map((step) => ({ step, place: random(1_000_000) }))
    .toSorted((one, other) => one.place - other.place)
    .map(({ step }) => step);
}

/** A client that plays; one that is refused, since the machine is slow, asks again. */
const joined = ({ panel: { streamPort } }: Room) =>
  until('a client to play', async () => {
    const client = await connectTo(streamPort);
    try {
      const { base, session } = await play(client, `rtsp://127.0.0.1:${streamPort}/live`);
      return { client, leave: () => client.ask('TEARDOWN', base, { Session: session }) };
    } catch {
      client.socket.destroy();
      return null;
    }
  });

async function join(room: Room, count: number): Promise<void> {
  const news = await Promise.all(Array.from({ length: count }, () => joined(room)));
  room.clients = [...room.clients, ...news];
}

/** Takes one of those that play out of the room. */
function taken(room: Room): Room['clients'][number] {
  const one = pick(room.random, room.clients);
  room.clients = room.clients.filter((other) => other !== one);
  return one;
}

/** True if the status, the processes and the port show these players by one encoder, or no encoder without players. */
async function isTrue({ panel: { agent, streamPort }, clients }: Room): Promise<boolean> {
  const { state, stream_clients: counted, stream_port: port, fault } = await cameraOf(agent);
  const isUsed = clients.length > 0;
  return (
    state === (isUsed ? 'live' : 'idle') &&
    counted === clients.length &&
    port === streamPort &&
    fault === 'none' &&
    encoders(agent).length === (isUsed ? 1 : 0)
  );
}

/** What is said of a room that is not as it should be. */
async function told({ panel: { agent }, clients }: Room): Promise<string> {
  const { state, stream_clients: counted, fault, fault_detail: detail } = await cameraOf(agent);
  return JSON.stringify({ clients: clients.length, state, counted, fault, detail, encoders: encoders(agent).length });
}

async function becomesTrue(room: Room, after: string, boundMs: number): Promise<void> {
  await until(`the truth after: ${after}`, () => isTrue(room), boundMs).catch(async (error: unknown) => {
    throw new Error(`${String(error)}; ${await told(room)}`);
  });
}

/** Each of them gets pictures from now on. */
async function allSee({ clients }: Room): Promise<void> {
  const before = clients.map(({ client }) => client.frames.length);
  await until('pictures for all', () => clients.every(({ client }, at) => client.frames.length > (before[at] ?? 0)));
}

/** Kills the encoder, and half of the times a client in the same moment. */
async function killEncoder(room: Room): Promise<void> {
  if (room.clients.length < 2) await join(room, 2);
  const { agent } = room.panel;
  const [pid] = await until('an encoder', () => encoders(agent).length === 1 && encoders(agent));
  if (pid === undefined) throw new Error('there is no encoder');
  process.kill(pid, 'SIGKILL');
  if (room.random(2) === 0) taken(room).client.socket.resetAndDestroy();
  await until(
    'the status to tell of the fault, or of the next encoder',
    async () => {
      const { state, fault, encoder } = await cameraOf(agent);
      const [now] = encoders(agent);
      return state === 'opening' ? fault === 'encode' && encoder === null : now !== undefined && now !== pid;
    },
    TRUE_MS,
  );
  // Three failures without a second of pictures between them make the camera rest, which is not looked at here.
  await until('the camera to have recovered', async () => {
    const { state, consecutive_failures: failures } = await cameraOf(agent);
    return state === 'live' && failures === 0;
  });
  await allSee(room);
}

/** Kills the agent, half of the times while others join, and starts it again. */
async function killAgent(room: Room): Promise<void> {
  const { agent, streamPort } = room.panel;
  const running = encoders(agent);
  if (room.random(2) === 0) for (const _ of [1, 2, 3]) void connectTo(streamPort);
  await agent.kill('SIGKILL');
  await until(
    'the encoder and the port to be gone',
    async () => !running.some((pid) => isEncoding(pid)) && !(await listens(streamPort)),
    offMs,
  );
  await until('the clients to know', () => room.clients.every(({ client }) => client.isClosed()), TRUE_MS);
  room.clients = [];
  room.panel = await startPanel({ data: agent.data, streamPort });
  await until('the camera to be on', async () => (await cameraOf(room.panel.agent)).state === 'idle');
}

const steps: Readonly<Record<Step, (room: Room) => Promise<unknown>>> = {
  join: (room) => join(room, Math.min(1 + room.random(6), MOST - room.clients.length)),
  leave: async (room) => {
    if (room.clients.length === 0) await join(room, 1);
    // Half of the times all of them do, and the camera closes.
    const count = room.random(2) === 0 ? room.clients.length : 1;
    await Promise.all(Array.from({ length: count }, () => taken(room).leave()));
  },
  'client killed': async (room) => {
    if (room.clients.length === 0) await join(room, 1);
    taken(room).client.socket.resetAndDestroy();
  },
  'encoder killed': killEncoder,
  'agent killed': killAgent,
};

describe('sixteen clients of one encoder', () => {
  it(
    'join, leave and die, as do the encoder and the agent: nothing is left, and the status is true',
    async () => {
      const random = sequence(16);
      const room: Room = { panel: await startPanel(), random, clients: [] };
      await turnOn(room.panel.agent);
      await join(room, MOST);
      await becomesTrue(room, 'sixteen joined', TRUE_MS);
      await allSee(room);
      const refused = await connectTo(room.panel.streamPort);
      const answer = await refused.ask('DESCRIBE', `rtsp://127.0.0.1:${room.panel.streamPort}/live`);
      expect([answer.status, answer.headers.get('x-camera')]).toEqual([503, 'camera-busy']);
      refused.socket.destroy();

      const plan = shuffled(random, amount(20, 200));
      expect(plan).toHaveLength(amount(20, 200));
      for (const [at, step] of plan.entries()) {
        await steps[step](room);
        await becomesTrue(room, `${step}, number ${at}`, TRUE_MS);
      }

      expect((await turnOff(room.panel.agent)).status).toBe(200);
      await everythingGone(room.panel);
      await until('the clients to be gone', () => room.clients.every(({ client }) => client.isClosed()), TRUE_MS);
      await room.panel.agent.kill('SIGTERM');
    },
    amount(120_000, 1_200_000),
  );
});
