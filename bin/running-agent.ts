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

/** How long the agent may take for everything after its first answer, in milliseconds: it looks at the machine. */
const planMs = 8_000;

/** Longest answer that is read, in bytes: many times what an agent says of its panel. */
const longestAnswer = 4 * 1024 * 1024;

/** What the lock of the data folder says. */
export type Holder = Awaited<ReturnType<typeof askHolder>>;

/** What the doctor was asked for: the folder, null for the default one, and the port. */
type Asked = Pick<RunOptions, 'data' | 'port'>;

/** Whether a port was named and no folder: then the agent there is meant, whatever folder it has. */
const meansPort = ({ data, port }: Asked): boolean => data === null && port !== defaultPort;

/** Whether an agent has the folder and names no port: it starts, or this user may not read it. */
const isWordless = (holder: Holder): boolean => holder !== 'free' && holder.port === null;

/**
 * The port to ask at; null where a folder was named that nobody has: whoever listens on the default port is another
 * agent then, and what it says is not about this folder.
 */
export function portToAsk(asked: Asked, holder: Holder): number | null {
  if (meansPort(asked)) return asked.port;
  if (holder !== 'free' && holder.port !== null) return holder.port;
  return asked.data !== null && asked.port === defaultPort && !isWordless(holder) ? null : asked.port;
}

const get = (port: number, path: string, signal: AbortSignal): Promise<Response> =>
  // No agent sends the doctor elsewhere, and nobody else shall.
  fetch(`http://127.0.0.1:${port}/api/v1/${path}`, { signal, redirect: 'error' });

/** The text of an answer; throws where it is too long to be an agent's. */
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

/** What is there may be no agent: its answer is judged like any other. Undefined where it is no JSON. */
const askJson = async (port: number, path: string, signal: AbortSignal): Promise<unknown> =>
  foreignValue(await textOf(await get(port, path, signal)), jsonBounds.program);

/** Asks the agent on that port how it is; null when none answers there. */
async function askStatus(port: number, query: string, signal: AbortSignal): Promise<StatusDocument | null> {
  try {
    const parsed = StatusDocument().safeParse(await askJson(port, `status${query}`, signal));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

const Plan = once(() => PlanDocument().pick({ items: true }));

/** The items of its plan; none where it gives none, as an older one does. */
async function askPlan(port: number, signal: AbortSignal): Promise<readonly PlanItem[]> {
  try {
    const parsed = Plan().safeParse(await askJson(port, 'provisioning/plan', signal));
    return parsed.success ? parsed.data.items : [];
  } catch {
    return [];
  }
}

/** What a running agent says of its panel. */
export interface Running {
  readonly port: number;
  readonly status: StatusDocument;
  /** The plan of its profile; empty where it gives none. */
  readonly plan: readonly PlanItem[];
  /** Whether the default port was tried because the agent that has the folder names none. */
  readonly guessed: boolean;
}

/** Why nobody was asked: nobody is there, who has the folder does not answer, or who has it names no port. */
export interface NotRunning {
  readonly found: 'none' | 'mute' | 'silent';
  /** Where it was asked; null where nobody has the folder that was named, and so nobody was asked. */
  readonly port: number | null;
}

/** Finds the agent that is meant and asks it. Everything is bounded. */
export async function askRunning(asked: Asked, folder: string): Promise<Running | NotRunning> {
  const signal = AbortSignal.timeout(answerMs);
  const holder = meansPort(asked) ? 'free' : await askHolder(folder);
  const port = portToAsk(asked, holder);
  const first = port === null ? null : await askStatus(port, '?refresh=1', signal);
  if (port === null || first === null)
    return { found: holder === 'free' ? 'none' : isWordless(holder) ? 'silent' : 'mute', port };
  // The plan looks at the machine, and by then what was probed again is known: both are told as they are after it.
  const after = AbortSignal.timeout(planMs);
  const plan = await askPlan(port, after);
  return {
    port,
    status: (await askStatus(port, '', after)) ?? first,
    plan,
    guessed: isWordless(holder) && asked.port === defaultPort,
  };
}
