import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until as untilFact } from '#actors/kit/until.ts';
import { createAgent } from '#bin/agent.ts';
import type { Agent, AgentOptions } from '#bin/agent-options.ts';
import type { StatusDocument } from '#machines/status.ts';
import { createLogger } from '#drivers/log/logger.ts';
import { simulatedProfile } from '#test/fakes/simulated-profile.ts';

/** An agent in this process, listening on a free port with a data folder of its own. */
export interface LiveAgent {
  readonly agent: Agent;
  readonly url: string;
  readonly folder: string;
  readonly lines: readonly string[];
  readonly close: () => Promise<void>;
}

/** Fails if an agent's log reports a response that did not match its schema. */
export function refuseMismatch(log: string): void {
  if (log.includes('answer-mismatch')) throw new Error('the agent gave an answer that its schema does not take');
}

/** How long an agent may take until it listens, in milliseconds. */
const listenMs = 10_000;

/** Asks again and again until `check` gives something; fails after `boundMs` with `what`, at once if `check` throws. */
export async function until<T>(
  what: string | (() => string),
  check: () => T | null | undefined | false | Promise<T | null | undefined | false>,
  boundMs = 30_000,
): Promise<T> {
  const deadline = Date.now() + boundMs;
  // A wait of seconds is not to keep a core busy with its looks.
  for (let pauseMs = 5; ; pauseMs = Math.min(pauseMs * 1.2, 300)) {
    // oxlint-disable-next-line no-await-in-loop -- this is a wait for a condition
    const value = await check();
    if (value !== null && value !== undefined && value !== false) return value;
    if (Date.now() > deadline)
      throw new Error(`waited ${boundMs} ms in vain: ${typeof what === 'string' ? what : what()}`);
    // oxlint-disable-next-line no-await-in-loop -- lets the event loop turn between two looks
    await new Promise((resolve) => {
      setTimeout(resolve, pauseMs);
    });
  }
}

/** A port that was free a moment ago; a part that is killed must come back on the same one. */
export const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer();
    server.listen(0, '127.0.0.1', () => {
      // A server that listens on TCP has an AddressInfo.
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });

/** Starts a whole simulated agent. */
export async function startLive(more: Partial<AgentOptions> = {}): Promise<LiveAgent> {
  const folder = more.folder ?? mkdtempSync(join(tmpdir(), 'sconce-test-'));
  const lines: string[] = [];
  const log = createLogger({
    level: 'debug',
    secretKeys: ['mqtt_password'],
    human: false,
    write: (line) => void lines.push(line),
  });
  const agent = createAgent({
    folder,
    port: await freePort(),
    streamPort: 0,
    profile: simulatedProfile(),
    log,
    version: '0.0.0-test',
    build: '00000000',
    assets: new Map(),
    bundles: {},
    responder: null,
    credentials: {},
    verifyAnswers: true,
    ...more,
  });
  agent.start();
  const said = (): string => lines.slice(-20).join('\n');
  const listening = await Promise.race([
    untilFact(agent.registry, 'http', ({ context }) => context.port > 0, listenMs),
    agent.ended,
  ]);
  if (!('ok' in listening) || !listening.ok)
    throw new Error(`the agent does not listen, ${JSON.stringify(listening)}; it said last:\n${said()}`);
  await Promise.race([agent.whole(), agent.ended]);
  return {
    agent,
    url: `http://127.0.0.1:${listening.value.context.port}`,
    folder,
    lines,
    close: async () => {
      await agent.shutdown();
      // The last of a browser's processes may still write, and the synchronous way would not look for new files.
      if (more.folder === undefined) await rm(folder, { recursive: true, force: true, maxRetries: 40, retryDelay: 50 });
      refuseMismatch(lines.join('\n'));
    },
  };
}

/** The status document of a running agent. */
export async function statusOf(url: string): Promise<StatusDocument> {
  const response = await fetch(`${url}/api/v1/status`);
  // The route's own schema is checked in the route tests.
  return (await response.json()) as StatusDocument;
}

/** Posts JSON. */
export const post = (url: string, body: unknown): Promise<Response> =>
  fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
