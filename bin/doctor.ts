import { accessSync, constants, existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { homedir, tmpdir, userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { chunk } from '#machines/kit/chunk.ts';
import { withoutSudo } from '#machines/kit/root-shell.ts';
import { type PlanItem, planProvisioning } from '#machines/provisioning/plan.ts';
import type { StatusDocument } from '#machines/status.ts';
import { type UpdateWords, updateWords } from '#machines/updates/words.ts';
import { createLogger } from '#drivers/log/logger.ts';
import { dataFolder } from '#drivers/store/folder.ts';
import { createAgent } from './agent.ts';
import type { Agent } from './agent-options.ts';
import type { RunOptions } from './arguments.ts';
import { readManifest } from './install/read-manifest.ts';
import { installedRows } from './installed-rows.ts';
import { peekProfile } from './profile-boot.ts';
import { memoryNote } from './memory-note.ts';
import { readBuild } from './build-facts.ts';
import { isRootShell } from './root-shell.ts';
import { allJudged } from './judged.ts';
import { checkStorage } from './storage-check.ts';
import { doctorRows, type DoctorRow, stepsByHand } from './doctor-rows.ts';
import { notRunningLine, runningLine } from './doctor-opening.ts';
import { doctorLines, doctorStatus, foundSentence, ownSentence, plainLines, type Reported } from './report.ts';
import { openGivenRows } from './open-files.ts';
import { untilInterrupted } from './until-interrupted.ts';
import { reachableOrigin } from './reachable-address.ts';
import { type SecurityStatus, securityRows } from './security-row.ts';
import { askRunning } from './running-agent.ts';
import { defaultPort } from './usage.ts';

const loadUpdates = chunk(() => import('./ask-updates.ts'));

/** How long probing the machine may take, in milliseconds. */
const probeMs = 8_000;

/** The plan of a running agent, made by a read-only one from the verdicts that are reported with it. */
async function planOf(agent: Agent, status: StatusDocument): Promise<readonly PlanItem[]> {
  const asked = await agent.registry.ask('provisioning', { type: 'provisioning.scan' }, probeMs);
  const requirements = agent.registry.read('provisioning')?.context.requirements;
  if (!asked.ok || requirements === undefined) return [];
  return planProvisioning(requirements, asked.value, status.capabilities).items;
}

/** What this machine can do, found without a running agent. */
interface Probed {
  readonly status: StatusDocument;
  readonly plan: readonly PlanItem[];
}

const dataOf = (options: RunOptions): string =>
  dataFolder({ flag: options.data ?? undefined, env: process.env, home: homedir() });

/** Probes the machine with the drivers of the profile, without listening, connecting or writing anything that lasts. */
async function probeMachine(options: RunOptions): Promise<Probed> {
  const folder = mkdtempSync(join(tmpdir(), 'sconce-doctor-'));
  const profile = peekProfile({ folder: dataOf(options), asked: options.profile });
  const agent = createAgent({
    folder,
    port: options.port,
    profile,
    log: createLogger({ level: 'silent', secretKeys: [] }),
    ...readBuild(),
    assets: new Map(),
    bundles: {},
    responder: null,
    credentials: {},
    readOnly: true,
  });
  agent.start();
  try {
    await agent.whole();
    await allJudged(agent.registry, profile.absent, probeMs);
    const status = await agent.status();
    return { status, plan: await planOf(agent, status) };
  } finally {
    await agent.shutdown();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** True if a data folder could be made or written, judged from the nearest existing folder; nothing is written. */
function canSave(folder: string): boolean {
  let nearest = folder;
  while (!existsSync(nearest) && dirname(nearest) !== nearest) nearest = dirname(nearest);
  try {
    accessSync(nearest, constants.W_OK);
    return statSync(nearest).isDirectory();
  } catch {
    return false;
  }
}

function print(report: Reported): void {
  // Any user of this machine could have answered.
  const lines = plainLines(doctorLines(report).join('\n')).join('\n');
  process.stdout.write(`${isRootShell() ? withoutSudo(lines) : lines}\n`);
}

/** Rows on the data folder, if no agent uses it: otherwise that agent reports on it. */
async function folderRows(folder: string): Promise<readonly DoctorRow[]> {
  const row = (
    title: string,
    sound: boolean,
    detail: string,
    missing: string | null,
    fix: DoctorRow['fix'] = null,
  ): DoctorRow => ({ title, state: sound ? 'working' : 'needs_you', detail, missing, fix });
  if (!canSave(folder))
    return [
      row('Settings', false, `Settings cannot be saved: ${folder} is not writable.`, 'Another folder, with --data.'),
    ];
  const kept = await checkStorage(folder, Date.now());
  return [
    row('Settings', true, 'Settings can be saved in the data folder.', null),
    ...(kept === null ? [] : [row('Storage', kept.sound, kept.sentence, kept.action, kept.fix)]),
  ];
}

/** The answer about updates in words; `startedAt` is when the agent started. */
async function updatesFor(startedAt: number): Promise<UpdateWords> {
  const { askUpdates } = await loadUpdates();
  return updateWords(await untilInterrupted((signal) => askUpdates(startedAt, signal)), readBuild().version);
}

/** The security mode of a running agent; absent in the document of an older one. */
const securityOf = (status: StatusDocument & { readonly security?: SecurityStatus | null }) => status.security;

/** The name of the user of this shell; empty if the system knows none. */
function callerName(): string {
  try {
    return userInfo().username;
  } catch {
    return '';
  }
}

/**
 * `sconce doctor`: where the agent is, what needs a person, what works and what does not; 0 if an agent runs and
 * nothing needs a person, else 1.
 */
export async function doctor(options: RunOptions): Promise<number> {
  const folder = dataOf(options);
  const notes = [memoryNote()].filter((note) => note !== null);
  const manifest = readManifest();
  const installed = manifest.ok ? manifest.value : null;
  // An agent that is named by its folder or port may be another one.
  const isOwn = options.data === null ? options.port === defaultPort : options.data === installed?.data;
  const own = isOwn ? installed : null;
  const open = openGivenRows([folder, ...(installed === null ? [] : [installed.data])]);
  const running = await askRunning(options, folder);
  const startedAt = 'status' in running ? running.status.panel.started_at : Date.now();
  const updates = options.updates ? await updatesFor(startedAt) : null;
  if ('status' in running) {
    const { port, status, plan } = running;
    const rows = [
      ...doctorRows(installedRows(status.capabilities, own), plan),
      ...securityRows(securityOf(status)),
      ...open,
    ];
    print({
      opening: runningLine(running, reachableOrigin(port)),
      setup: status.setup?.due === true ? `${reachableOrigin(port)}/setup` : null,
      isRunning: true,
      status,
      rows,
      notes,
      updates,
      byHand: stepsByHand(plan),
      sentence: ownSentence(status),
    });
    return doctorStatus(status, rows);
  }
  const { status, plan } = await probeMachine(options);
  // The agent that uses this folder is the installed one only if that uses the same folder.
  const unit = running.found === 'mute' && installed?.data !== folder ? null : installed;
  print({
    opening: notRunningLine(running, options, unit, callerName()),
    isRunning: false,
    status,
    rows: [...doctorRows(installedRows(status.capabilities, own), plan), ...(await folderRows(folder)), ...open],
    notes,
    updates,
    byHand: stepsByHand(plan),
    sentence: foundSentence(status),
  });
  return 1;
}
