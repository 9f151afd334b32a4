import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { type AgentProcess, bundle, ownFolder, type ProcessOptions, startAgent } from './agent-process.ts';
import { post, until } from './live-agent.ts';

export type Json = Readonly<Record<string, unknown>>;

/** Root of the files in which a machine of its own identifies itself. */
export function ownMachine(digit: string): string {
  const root = ownFolder();
  const card = join(root, 'sys/class/net/eth0');
  mkdirSync(join(root, 'etc'));
  mkdirSync(join(card, 'device'), { recursive: true });
  writeFileSync(join(root, 'etc/machine-id'), `${digit.repeat(32)}\n`);
  writeFileSync(join(card, 'address'), `02:00:00:00:00:0${digit}\n`);
  writeFileSync(join(card, 'addr_assign_type'), '0\n');
  writeFileSync(join(card, 'type'), '1\n');
  return root;
}

/** A panel on a machine of its own, which can be started again. */
export interface BackupPanel {
  readonly agent: AgentProcess;
  /** How it is started. */
  readonly how: Pick<ProcessOptions, 'env' | 'profile' | 'args'>;
  readonly again: () => Promise<BackupPanel>;
}

/** What differs from a simulated panel. */
interface PanelOptions extends Pick<ProcessOptions, 'profile' | 'args'> {
  /** How long a profile on trial has to work. */
  readonly holdMs?: number;
}

/** `answerMs`: how long the answer to an order has before the restart; `from`: its folder and port. */
export async function startPanel(
  machine: string,
  answerMs = 300,
  from: Partial<Pick<AgentProcess, 'data' | 'port'>> = {},
  { holdMs = 1500, ...options }: PanelOptions = {},
): Promise<BackupPanel> {
  const { data, port } = from;
  const env = { SCONCE_TRIAL_MS: `${holdMs},${holdMs + 15_000},${answerMs}`, SCONCE_MACHINE_ROOT: machine };
  const how = { ...options, env };
  const agent = await startAgent({ ...how, ...(data !== undefined && { data }), ...(port !== undefined && { port }) });
  await until('the operations', async () => (await fetch(`${agent.url}/api/v1/install/status`)).ok);
  return { agent, how, again: () => startPanel(machine, answerMs, agent, { holdMs, ...options }) };
}

export async function save({ url }: AgentProcess, settings: Json): Promise<void> {
  const saved = await post(`${url}/api/v1/config`, settings);
  if (saved.status !== 200) throw new Error(await saved.text());
}

export async function read({ url }: AgentProcess, path: string): Promise<Json> {
  return (await (await fetch(`${url}/api/v1/${path}`)).json()) as Json;
}

export async function makeBackup({ url }: AgentProcess, how: Json): Promise<Uint8Array<ArrayBuffer>> {
  const made = await post(`${url}/api/v1/backup`, how);
  if (made.status !== 200) throw new Error(await made.text());
  return new Uint8Array(await made.arrayBuffer());
}

export interface Answered {
  readonly status: number;
  readonly body: Json;
}

/** Sends an archive to be restored; the passphrase is plain ASCII. */
export async function restore(
  { url }: Pick<AgentProcess, 'url'>,
  archive: Uint8Array<ArrayBuffer>,
  passphrase: string | null,
  query = '',
): Promise<Answered> {
  const response = await fetch(`${url}/api/v1/restore${query}`, {
    method: 'POST',
    headers: passphrase === null ? {} : { 'x-backup-passphrase': passphrase },
    body: archive,
  });
  return { status: response.status, body: (await response.json()) as Json };
}

/** The stored sections on the disk, those in files too. */
export function onDisk({ data }: AgentProcess): Json {
  const { sections } = JSON.parse(readFileSync(join(data, 'state.json'), 'utf8')) as { readonly sections: Json };
  return sections;
}

/** The content of a file; "" for one that was only there for a moment. */
function contentOf(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}

/** Every file of a data folder, as one text. */
export const everyFile = ({ data }: AgentProcess): string =>
  readdirSync(data, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => `${join(parentPath, name)}\n${contentOf(join(parentPath, name))}`)
    .join('\n');

export interface Ran {
  readonly code: number;
  readonly text: string;
}

/** Runs a command of the bundle to its end. */
export async function sconce(...args: readonly string[]): Promise<Ran> {
  const run = promisify(execFile)(process.execPath, [bundle, ...args]);
  try {
    const { stdout, stderr } = await run;
    return { code: 0, text: stdout + stderr };
  } catch (error) {
    // A command that fails rejects with what it said.
    const { code, stdout, stderr } = error as {
      readonly code: number;
      readonly stdout: string;
      readonly stderr: string;
    };
    return { code, text: stdout + stderr };
  }
}
