import { type ChildProcess, spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { request } from 'node:http';
import type { Readable } from 'node:stream';

import type { StatusDocument } from '#machines/status.ts';

import { turn, until } from './guest-case.ts';

/** The guest's backlight. */
export const backlight = '/sys/class/backlight/acpi_video0';
const port = 8888;
/** Pause between two questions to the agent: an answer costs an emulated processor tens of milliseconds. */
const ASK_MS = 250;
/** The same while it starts, which each question delays. */
const START_ASK_MS = 700;
/**
 * A folder with busybox alone: the agent tries players, mixers and X servers at its start, and each of these takes an
 * emulated processor a second to load.
 */
const FEW_TOOLS = '/tmp/bin';

/** A running agent; all of them serve at one address, one at a time. */
export interface AgentProcess {
  readonly child: ChildProcess;
  /** What a program loaded before it (`preload`) writes. */
  readonly traced: Readable | null;
  readonly ended: Promise<number | null>;
}

/** What the backlight says of its power: 0 is on, 4 is off. */
export const power = async (): Promise<number> => Number(await readFile(`${backlight}/bl_power`, 'utf8'));

/**
 * One answer of the agent's. Not by `fetch`, whose first use compiles a program, and over a connection of its own: a
 * kept one may be closed while one of the two is stopped, and the next request would go into it.
 */
const ask = (path: string, { method = 'GET', body = '' } = {}): Promise<string> =>
  new Promise((resolve, reject) => {
    const headers = body === '' ? {} : { 'content-type': 'application/json', 'content-length': body.length };
    request({ host: '127.0.0.1', port, path, method, headers, agent: false }, (answer) => {
      let text = '';
      answer
        .setEncoding('utf8')
        .on('data', (chunk: string) => (text += chunk))
        .once('end', () => resolve(text))
        .once('error', reject);
    })
      .once('error', reject)
      .end(body);
  });

/** A document of the agent's, by its path. */
export const get = async (path: string): Promise<unknown> => JSON.parse(await ask(path));
/** The status document of the agent. */
export async function status(): Promise<StatusDocument> {
  // The route's own schema is checked in the route tests.
  return (await get('/api/v1/status')) as StatusDocument;
}
/** Waits until the agent says so in its status. */
export async function untilStatus(
  what: string,
  check: (now: StatusDocument) => boolean,
  pauseMs = ASK_MS,
): Promise<void> {
  let seen: StatusDocument | null = null;
  await until(what, async () => {
    seen = await status().catch(() => null);
    if (seen !== null && check(seen)) return true;
    await turn(pauseMs);
    return false;
  }).catch((error: unknown) => {
    const { input, screen } = seen ?? {};
    throw new Error(`${String(error)}: ${JSON.stringify({ input, screen })}`);
  });
}

/** Posts a JSON object; the text of the answer. */
export const post = (path: string, body: object): Promise<string> =>
  ask(path, { method: 'POST', body: JSON.stringify(body) });
/** Asks the agent for one action. */
export const act = (a: string): Promise<string> => post('/api/v1/action', { a });
/** Saves settings. */
export const save = (values: Readonly<Record<string, string>>): Promise<string> => post('/api/v1/config', values);

/** Waits until so many devices are kept from everybody else. */
export const held = (count: number): Promise<void> =>
  untilStatus(`${count} held`, ({ input }) => input?.first_touch.held === count);
/** Waits for the light, and until the agent knows of it. */
export async function lit(): Promise<void> {
  await until('light', async () => (await power()) === 0);
  await untilStatus('light in status', ({ screen }) => screen?.lit === true);
}
/** Switches the screen off and waits until it is dark. */
export async function goDark(): Promise<void> {
  await act('screen_off');
  await until('dark', async () => (await power()) === 4);
  await untilStatus('dark in status', ({ screen }) => screen?.lit === false);
}

/** How an agent is started, beside its arguments. */
export interface AgentOptions {
  /** A program that Node loads before it. */
  readonly preload?: string;
  /** Where it finds its tools; busybox alone when absent. */
  readonly path?: string;
}

/** Starts what users start, `bundle`, with a screen and no renderer, and waits until its screen is lit. */
export async function startAgent(
  bundle: string,
  more: readonly string[],
  { preload, path = FEW_TOOLS }: AgentOptions = {},
): Promise<AgentProcess> {
  const child = spawn(
    process.execPath,
    [
      ...(preload === undefined ? [] : ['--require', preload]),
      bundle,
      'run',
      '--renderer',
      'none',
      '--no-discovery',
      '--port',
      String(port),
      ...more,
    ],
    { stdio: ['ignore', 'pipe', 'pipe', 'pipe'], env: { ...process.env, PATH: path } },
  );
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => (said = `${said}${chunk.toString()}`.slice(-1500)));
  const ended = new Promise<number | null>((resolve) => {
    child.on('exit', resolve);
  });
  await untilStatus('the agent with its screen', ({ screen }) => screen?.lit === true, START_ASK_MS).catch(
    (error: unknown) => {
      child.kill('SIGKILL');
      throw new Error(`${String(error)}; it said: ${said}`);
    },
  );
  // A pipe of the child's is a stream that can be read.
  return { child, ended, traced: (child.stdio[3] as Readable | undefined) ?? null };
}

/** The agent that follows no profile of its own. */
export const startPlain = (bundle: string, options: AgentOptions = {}): Promise<AgentProcess> =>
  startAgent(bundle, ['--profile', 'linux', '--data', '/tmp/plain'], options);
