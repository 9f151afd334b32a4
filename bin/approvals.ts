import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { askControl, type NoAnswer } from '#drivers/approvals/ask-control.ts';
import { readMode, relax } from '#drivers/approvals/mode-file.ts';
import { HARDENED } from '#drivers/store/folder.ts';
import { askHolder, lockFolder } from '#drivers/store/lock.ts';
import type { ApprovalsOptions, ApprovalsTask } from './approvals-arguments.ts';
import { type Listing, listingLines } from './approvals-text.ts';
import { commandName } from './build-facts.ts';
import { isDenied, isRelaxed, listingIn } from './control-answer.ts';
import { quoted } from './credential-file.ts';
import { meantFolder } from './meant-folder.ts';
import { plainLines } from './report.ts';

/** What the command prints; with status 1 on the error output. */
export interface Said {
  readonly status: 0 | 1;
  readonly lines: readonly string[];
}

/** The panel that is meant. */
export interface Meant {
  readonly folder: string;
  /** This command as it may be typed again, such as `sconce approvals --relaxed`. */
  readonly again: string;
}

const says = (...lines: readonly string[]): Said => ({ status: 0, lines });
const fails = (...lines: readonly string[]): Said => ({ status: 1, lines });

const notPermitted = ({ folder, again }: Meant): Said =>
  fails(`The data folder ${folder} belongs to another user. Try: sudo ${again}`);

const notRunning = ({ folder }: Meant): Said => fails(`Sconce is not running with the data folder ${folder}.`);

const unreachable: Readonly<Record<Exclude<NoAnswer, 'not-permitted'>, string>> = {
  'not-listening': 'Sconce is starting, or cannot open its control socket. Try again in a minute; its log says why.',
  'no-answer': 'Sconce is running, but does not answer. Restart it.',
  'path-too-long':
    'Sconce cannot be asked: the path of its data folder is too long for a socket. Stop it and use a shorter one.',
};

/** What a running agent lists; null if it serves nothing, since it is Relaxed and nothing waits. */
type Seen = { readonly listing: Listing | null } | { readonly why: NoAnswer | 'not-running' };

async function look(folder: string): Promise<Seen> {
  const answer = await askControl(folder, { do: 'list' });
  if (answer.ok) {
    const listing = listingIn(answer.value);
    return listing === null ? { why: 'no-answer' } : { listing };
  }
  if (answer.reason === 'not-permitted') return { why: 'not-permitted' };
  if ((await askHolder(folder)) === 'free') return { why: 'not-running' };
  return answer.reason === 'not-listening' && (await readMode(folder)).mode === 'relaxed'
    ? { listing: null }
    : { why: answer.reason };
}

function failed(why: NoAnswer | 'not-running', meant: Meant): Said {
  if (why === 'not-permitted') return notPermitted(meant);
  return why === 'not-running' ? notRunning(meant) : fails(unreachable[why]);
}

async function list(meant: Meant): Promise<Said> {
  const seen = await look(meant.folder);
  if ('why' in seen) return failed(seen.why, meant);
  return seen.listing === null ? says('Relaxed mode. Nothing waits.') : says(...listingLines(seen.listing));
}

async function deny(meant: Meant, prefix: string): Promise<Said> {
  const seen = await look(meant.folder);
  if ('why' in seen) return failed(seen.why, meant);
  const found = (seen.listing?.requests ?? []).filter(({ id }) => id.startsWith(prefix));
  const [request] = found;
  if (request === undefined) return fails(`No request waits whose id begins with ${prefix}.`);
  if (found.length > 1)
    return fails(`${found.length} requests have an id that begins with ${prefix}. Type more of it.`);
  const answer = await askControl(meant.folder, { do: 'deny', id: request.id });
  return answer.ok && isDenied(answer.value)
    ? says(`Denied: ${request.title}.`)
    : fails(`It was not denied, since it no longer waits: ${request.title}.`);
}

const already = says('This panel is in Relaxed mode already. Nothing was changed.');

async function relaxRunning(meant: Meant): Promise<Said> {
  const seen = await look(meant.folder);
  if ('why' in seen) {
    const said = failed(seen.why, meant);
    return seen.why === 'not-permitted' ? said : fails(...said.lines, `Or stop it, then type: ${meant.again}`);
  }
  if (seen.listing === null || seen.listing.mode === 'relaxed') return already;
  const answer = await askControl(meant.folder, { do: 'relaxed' });
  return answer.ok && isRelaxed(answer.value)
    ? says('The panel has left Hardened mode and is in Relaxed mode now.')
    : fails(`The panel did not leave Hardened mode; its log says why. Stop it, then type: ${meant.again}`);
}

/** Removes the file while no agent uses the folder; none can start meanwhile. */
async function relaxStopped(meant: Meant): Promise<Said> {
  const { folder } = meant;
  const file = join(folder, HARDENED);
  if (!existsSync(folder)) return fails(`There is no data folder ${folder}. Name the right one with --data.`);
  const lock = await lockFolder(folder, { creates: false });
  if (!lock.ok) return lock.reason === 'folder-in-use' ? relaxRunning(meant) : fails(lock.message);
  try {
    if ((await readMode(folder)).mode === 'relaxed') return already;
    const code = await relax({ folder });
    if (code === 'EACCES' || code === 'EPERM') return notPermitted(meant);
    return code === null
      ? says(`Removed ${file}. The panel is not running; it will start in Relaxed mode.`)
      : fails(`Hardened mode was not left: ${file} cannot be removed (${code}).`);
  } finally {
    lock.value.release();
  }
}

/** Carries out the command for one data folder. */
export async function answerApprovals(task: ApprovalsTask, meant: Meant): Promise<Said> {
  if (task.do === 'list') return list(meant);
  if (task.do === 'deny') return deny(meant, task.prefix);
  return (await askHolder(meant.folder)) === 'free' ? relaxStopped(meant) : relaxRunning(meant);
}

function wordsOf(task: ApprovalsTask): string {
  if (task.do === 'deny') return ` deny ${task.prefix}`;
  return task.do === 'relaxed' ? ' --relaxed' : '';
}

/** The panel of the named folder, else the one that runs in the default folder, else the installed one. */
async function meantBy({ data, task }: ApprovalsOptions): Promise<Meant> {
  const { folder, isInstalled } = await meantFolder(data);
  const named = isInstalled ? '' : ` --data ${quoted(folder)}`;
  return { folder, again: `${commandName()} approvals${wordsOf(task)}${named}` };
}

/** `sconce approvals`: what waits for a person at the panel; 0 if it was done, else 1. */
export async function approvals(options: ApprovalsOptions): Promise<number> {
  const { status, lines } = await answerApprovals(options.task, await meantBy(options));
  // Titles and names come from a running agent, and what is asked from devices of the network.
  const text = lines.flatMap((line) => plainLines(line)).join('\n');
  (status === 0 ? process.stdout : process.stderr).write(`${text}\n`);
  return status;
}
