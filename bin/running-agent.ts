import { StatusDocument } from '#machines/status.ts';
import { askHolder } from '#drivers/store/lock.ts';
import { defaultPort, type RunOptions } from './arguments.ts';

/** How long finding a running agent and its first answer may take together, in milliseconds. */
const answerMs = 3_000;

/** How long the lock of the data folder may take of that, in milliseconds. */
const lockMs = 1_000;

/** How long the agent may take for everything after its first answer, in milliseconds: it looks at the machine. */
const planMs = 8_000;

/** What the lock of the data folder says. */
export type Holder = Awaited<ReturnType<typeof askHolder>>;

/** What the doctor was asked for: the folder, null for the default one, and the port. */
type Asked = Pick<RunOptions, 'data' | 'port'>;

/** Whether a port was named and no folder: then the agent there is meant, whatever folder it has. */
const meansPort = ({ data, port }: Asked): boolean => data === null && port !== defaultPort;

/**
 * The port to ask at; null where no agent with the folder that was named says one: whoever listens on the default port
 * is another agent then, and what it says is not about this folder.
 */
export const portToAsk = (asked: Asked, holder: Holder): number | null => {
  if (meansPort(asked)) return asked.port;
  if (holder !== 'free' && holder.port !== null) return holder.port;
  return asked.data !== null && asked.port === defaultPort ? null : asked.port;
};

const get = (port: number, path: string, signal: AbortSignal): Promise<Response> =>
  fetch(`http://127.0.0.1:${port}/api/v1/${path}`, { signal });

/** Asks the agent on that port how it is; null when none answers there. */
const askStatus = async (port: number, query: string, signal: AbortSignal): Promise<StatusDocument | null> => {
  try {
    const parsed = StatusDocument.safeParse(await (await get(port, `status${query}`, signal)).json());
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
};

/** Its plan as text; empty where it gives none, as an older one does. */
const askPlan = async (port: number, signal: AbortSignal): Promise<string> => {
  try {
    const response = await get(port, 'provisioning/plan.txt', signal);
    return response.ok ? await response.text() : '';
  } catch {
    return '';
  }
};

/** What a running agent says of its panel. */
export interface Running {
  readonly port: number;
  readonly status: StatusDocument;
  /** The plan of its profile as text; empty where it gives none. */
  readonly plan: string;
}

/**
 * Finds the agent that is meant and asks it; `held` says whether an agent has the folder when none answers. Everything
 * is bounded.
 */
export const askRunning = async (asked: Asked, folder: string): Promise<Running | { readonly held: boolean }> => {
  const signal = AbortSignal.timeout(answerMs);
  const holder = meansPort(asked)
    ? 'free'
    : await askHolder(folder, AbortSignal.any([signal, AbortSignal.timeout(lockMs)]));
  const port = portToAsk(asked, holder);
  const first = port === null ? null : await askStatus(port, '?refresh=1', signal);
  if (port === null || first === null) return { held: holder !== 'free' };
  // The plan looks at the machine, and by then what was probed again is known: both are told as they are after it.
  const after = AbortSignal.timeout(planMs);
  const plan = await askPlan(port, after);
  return { port, status: (await askStatus(port, '', after)) ?? first, plan };
};
