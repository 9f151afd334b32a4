import type { PlanItem } from '#machines/provisioning/plan.ts';
import { foreignValue } from '#machines/kit/foreign-json.ts';
import { jsonBounds } from '#machines/kit/json-excess.ts';
import { once } from '#machines/kit/once.ts';
import { StatusDocument } from '#machines/status.ts';
import { askHolder } from '#drivers/store/lock.ts';
import { PlanDocument } from '#routes/provisioning.ts';
import type { RunOptions } from './arguments.ts';
import { defaultPort } from './usage.ts';

/** How long the first answer of a running agent may take, in milliseconds. */
const answerMs = 3_000;

/** How long the agent may take for everything after its first answer, in milliseconds: it scans the machine. */
const planMs = 8_000;

/** Longest answer that is read, in bytes: many times what an agent sends about its panel. */
const longestAnswer = 4 * 1024 * 1024;

/** What the lock of the data folder says. */
export type Holder = Awaited<ReturnType<typeof askHolder>>;

/** The doctor's options: the folder, null for the default one, and the port. */
type Asked = Pick<RunOptions, 'data' | 'port'>;

/** True if a port was named but no folder: the agent there is meant, whatever its folder. */
const meansPort = ({ data, port }: Asked): boolean => data === null && port !== defaultPort;

/** True if an agent uses the folder and names no port: it is starting, or this user may not read it. */
const namesNoPort = (holder: Holder): boolean => holder !== 'free' && holder.port === null;

/**
 * The port to ask; null if the named folder is unused: an agent on the default port would then be another one, and what
 * it reports would not be about this folder.
 */
export function portToAsk(asked: Asked, holder: Holder): number | null {
  if (meansPort(asked)) return asked.port;
  if (holder !== 'free' && holder.port !== null) return holder.port;
  return asked.data !== null && asked.port === defaultPort && !namesNoPort(holder) ? null : asked.port;
}

const get = (port: number, path: string, signal: AbortSignal): Promise<Response> =>
  // No agent redirects the doctor, and no other program may.
  fetch(`http://127.0.0.1:${port}/api/v1/${path}`, { signal, redirect: 'error' });

/** The text of an answer; throws if it is too long to be an agent's. */
async function textOf(response: Response): Promise<string> {
  const source: ReadableStream<Uint8Array> | null = response.body;
  if (source === null) return '';
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of source) {
    length += piece.byteLength;
    // Leaving the loop by a throw cancels the rest.
    if (length > longestAnswer) throw new Error('too long');
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
}

/** The program there may not be an agent, so its answer is validated like any other. Undefined if it is not JSON. */
const askJson = async (port: number, path: string, signal: AbortSignal): Promise<unknown> =>
  foreignValue(await textOf(await get(port, path, signal)), jsonBounds.program);

/** Asks the agent on that port for its status; null if none answers. */
async function askStatus(port: number, query: string, signal: AbortSignal): Promise<StatusDocument | null> {
  try {
    const parsed = StatusDocument().safeParse(await askJson(port, `status${query}`, signal));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

const Plan = once(() => PlanDocument().pick({ items: true }));

/** The items of its plan; empty if it has none, as an older agent. */
async function askPlan(port: number, signal: AbortSignal): Promise<readonly PlanItem[]> {
  try {
    const parsed = Plan().safeParse(await askJson(port, 'provisioning/plan', signal));
    return parsed.success ? parsed.data.items : [];
  } catch {
    return [];
  }
}

/** What a running agent reports on its panel. */
export interface Running {
  readonly port: number;
  readonly status: StatusDocument;
  /** The plan of its profile; empty if it has none. */
  readonly plan: readonly PlanItem[];
  /** True if the default port was tried because the agent that uses the folder names none. */
  readonly guessed: boolean;
}

/** Why no agent was asked: there is none, the one that uses the folder does not answer, or it names no port. */
export interface NotRunning {
  readonly found: 'none' | 'mute' | 'silent';
  /** The port that was asked; null if no agent uses the named folder, so none was asked. */
  readonly port: number | null;
}

/** Finds the right agent and asks it. Everything is bounded. */
export async function askRunning(asked: Asked, folder: string): Promise<Running | NotRunning> {
  const signal = AbortSignal.timeout(answerMs);
  const holder = meansPort(asked) ? 'free' : await askHolder(folder);
  const port = portToAsk(asked, holder);
  const first = port === null ? null : await askStatus(port, '?refresh=1', signal);
  if (port === null || first === null)
    return { found: holder === 'free' ? 'none' : namesNoPort(holder) ? 'silent' : 'mute', port };
  // The plan scans the machine; by then the probes that the refresh started have ended, so both are reported as of
  // then.
  const after = AbortSignal.timeout(planMs);
  const plan = await askPlan(port, after);
  return {
    port,
    status: (await askStatus(port, '', after)) ?? first,
    plan,
    guessed: namesNoPort(holder) && asked.port === defaultPort,
  };
}
