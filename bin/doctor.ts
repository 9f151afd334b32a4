import { accessSync, constants, existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { planProvisioning } from '#machines/provisioning/plan.ts';
import { planText } from '#machines/provisioning/words.ts';
import type { StatusDocument } from '#machines/status.ts';
import { createLogger } from '#drivers/log/logger.ts';
import { dataFolder } from '#drivers/store/folder.ts';
import { createAgent } from './agent.ts';
import type { Agent } from './agent-options.ts';
import type { RunOptions } from './arguments.ts';
import { peekProfile } from './profile-boot.ts';
import { readBuild } from './build-facts.ts';
import { allJudged } from './judged.ts';
import { checkKept } from './kept-storage.ts';
import { doctorLines, doctorStatus, plainLines, probeSummary } from './report.ts';
import { askRunning, type NotRunning } from './running-agent.ts';

/** How long probing the machine may take, in milliseconds. */
const probeMs = 8_000;

/** The plan of a running agent, made by a read-only one with the same verdicts as are told beside it. */
const planOf = async (agent: Agent, status: StatusDocument): Promise<string> => {
  const asked = await agent.registry.ask('provisioning', { type: 'provisioning.scan' }, probeMs);
  const requirements = agent.registry.read('provisioning')?.context.requirements;
  if (!asked.ok || requirements === undefined) return '';
  return planText(status.panel.profile, planProvisioning(requirements, asked.value, status.capabilities));
};

/** What this machine can do, found without a running agent. */
interface Probed {
  readonly status: StatusDocument;
  readonly plan: string;
}

const dataOf = (options: RunOptions): string =>
  dataFolder({ flag: options.data ?? undefined, env: process.env, home: homedir() });

/**
 * Probes the machine with the drivers of the profile, without listening, connecting or writing anything that lasts.
 */
const probeMachine = async (options: RunOptions): Promise<Probed> => {
  const folder = mkdtempSync(join(tmpdir(), 'sconce-doctor-'));
  const profile = peekProfile({ folder: dataOf(options), asked: options.profile });
  const agent = createAgent({
    folder,
    port: options.port,
    profile,
    log: createLogger({ level: 'silent', secretKeys: [] }),
    ...readBuild(),
    assets: new Map(),
    responder: null,
    credentials: {},
    readOnly: true,
  });
  agent.start();
  try {
    await allJudged(agent.registry, profile.absent, probeMs);
    const status = agent.status();
    return { status, plan: await planOf(agent, status) };
  } finally {
    await agent.shutdown();
    rmSync(folder, { recursive: true, force: true });
  }
};

/** Whether a data folder could be made or written, judged from the nearest folder that is there; nothing is written. */
const canKeep = (folder: string): boolean => {
  let nearest = folder;
  while (!existsSync(nearest) && dirname(nearest) !== nearest) nearest = dirname(nearest);
  try {
    accessSync(nearest, constants.W_OK);
    return statSync(nearest).isDirectory();
  } catch {
    return false;
  }
};

const notAsked: Readonly<Record<NotRunning['found'], string>> = {
  none: 'No agent answers here',
  mute: 'An agent has this data folder, but it does not answer',
  silent: 'An agent has this data folder, but it names no port: it is older than this Sconce, or starting',
};

/** `sconce doctor`: what works, what is missing and how to fix it; 0 when nothing needs a person, else 1. */
export const doctor = async (options: RunOptions): Promise<number> => {
  const folder = dataOf(options);
  const running = await askRunning(options, folder);
  if ('status' in running) {
    const { port, status, plan, guessed } = running;
    const where = port === options.port ? '' : ` on port ${port}`;
    const asked = guessed ? `${notAsked.silent}. Asked the one on port ${port}.` : `Asked the running agent${where}.`;
    // Whoever answers there may be anybody who has an account on this machine.
    const said = plainLines([...doctorLines(status), '', plan].join('\n').trimEnd());
    process.stdout.write(`${[asked, ...said].join('\n')}\n`);
    return doctorStatus(status);
  }
  const { status, plan } = await probeMachine(options);
  const found = probeSummary(status);
  const keeps = canKeep(folder);
  const kept = await checkKept(folder, Date.now());
  const settings = keeps
    ? 'Settings can be kept in the data folder.'
    : `Settings cannot be kept: ${folder} cannot be written. Choose another with --data.`;
  const lines = [
    `${notAsked[running.found]}; this is a look at the machine itself.`,
    ...plainLines([...doctorLines(status, found.sentence), '', plan].join('\n')),
    `  ${keeps ? '+' : '!'} ${settings}`,
    ...(kept === null ? [] : [`  ${kept.sound ? '+' : '!'} ${kept.sentence}`]),
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
  return keeps && kept?.sound !== false ? found.status : 1;
};
