import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StatusDocument } from '#machines/status/document.ts';
import { createLogger } from '#drivers/log/logger.ts';
import { chooseProfile } from '#profiles/choose.ts';
import { createAgent } from './agent.ts';
import type { RunOptions } from './arguments.ts';
import { readBuild } from './build-facts.ts';
import { doctorLines, doctorStatus } from './report.ts';

/** How long a running agent may take to answer, in milliseconds. */
const answerMs = 3_000;

/** How long the own look at the machine may take, in milliseconds. */
const lookMs = 8_000;

/** Asks the agent on that port; null when none answers there. */
const askRunning = async (port: number): Promise<StatusDocument | null> => {
  try {
    const response = await fetch(`http://127.0.0.1:${port}/api/v1/status?refresh=1`, { signal: AbortSignal.timeout(answerMs) });
    const parsed = StatusDocument.safeParse(await response.json());
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
};

/** Looks at the machine with the drivers of the profile, without listening, connecting or writing anything that lasts. */
const lookAtMachine = async (options: RunOptions): Promise<StatusDocument> => {
  const folder = mkdtempSync(join(tmpdir(), 'sconce-doctor-'));
  const agent = createAgent({
    folder,
    port: options.port,
    profile: chooseProfile(options.profile),
    log: createLogger({ level: 'silent', secretKeys: [] }),
    ...readBuild(),
    assets: new Map(),
    password: null,
    looking: true,
  });
  agent.start();
  try {
    const looked = (): boolean => agent.status().capabilities.every((row) => row.state !== 'checking');
    await new Promise<void>((resolve) => {
      const deadline = setTimeout(resolve, lookMs);
      const check = setInterval(() => {
        if (!looked()) return;
        clearInterval(check);
        clearTimeout(deadline);
        resolve();
      }, 100);
      setTimeout(() => clearInterval(check), lookMs).unref();
    });
    return agent.status();
  } finally {
    await agent.shutdown();
    rmSync(folder, { recursive: true, force: true });
  }
};

/** `sconce doctor`: what works, what is missing and how to fix it; 0 when nothing needs a person, else 1. */
export const doctor = async (options: RunOptions): Promise<number> => {
  const running = await askRunning(options.port);
  const status = running ?? (await lookAtMachine(options));
  const source = running === null ? 'No agent answers here; this is a look at the machine itself.' : 'Asked the running agent.';
  process.stdout.write(`${source}\n${doctorLines(status).join('\n')}\n`);
  return doctorStatus(status);
};
