import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { type AgentProcess, type ProcessOptions, startAgent } from '../scenarios/agent-process.ts';
import { statusOf } from '../scenarios/live-agent.ts';

/** Most requests that a life lasts once it is known to hold what it has to. */
const REQUESTS = 20;

/** One agent over many lives, each of which ends by SIGKILL at a random moment. */
export interface Lives {
  readonly kills: number;
  readonly options: ProcessOptions & { readonly data: string };
  /** What each life begins with. */
  readonly holds: (agent: AgentProcess) => Promise<unknown>;
  /** Done again and again until it dies. */
  readonly disturb: (agent: AgentProcess, turn: number, isOver: () => boolean) => Promise<unknown>;
  /** Looks at the folder between two lives. */
  readonly between: () => void;
}

/** Ends the agent, and each that follows it, at a random moment; answers the last one, which runs. */
export async function overKills(first: AgentProcess, lives: Lives): Promise<AgentProcess> {
  const { kills, options, holds, disturb, between } = lives;
  let agent = first;
  for (let life = 0; life < kills; life += 1) {
    const current = agent;
    const now = { isOver: false };
    const disturbed = async (): Promise<void> => {
      for (let turn = 0; !now.isOver; turn += 1)
        // oxlint-disable-next-line no-await-in-loop -- one request after another
        await disturb(current, turn, () => now.isOver).catch((error: unknown) => {
          if (!now.isOver) throw error;
        });
    };
    const killed = async (): Promise<void> => {
      // The moment is random: as many requests more.
      for (let more = Math.floor(Math.random() * REQUESTS); more > 0; more -= 1)
        // oxlint-disable-next-line no-await-in-loop -- one request after another
        await statusOf(current.url);
      now.isOver = true;
      await current.kill('SIGKILL');
    };
    // oxlint-disable-next-line no-await-in-loop -- one life after another
    await holds(current);
    // oxlint-disable-next-line no-await-in-loop -- one life after another
    await Promise.all([disturbed(), killed()]);
    between();
    // oxlint-disable-next-line no-await-in-loop -- one life after another
    agent = await startAgent(options);
  }
  return agent;
}

/** The text of a file in the data folder; "" while it was not written. */
export function textIn(data: string, ...name: readonly string[]): string {
  const path = join(data, ...name);
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
}
