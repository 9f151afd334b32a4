import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { errorCode } from '#drivers/kit/error-code.ts';
import { fieldsOf } from '#drivers/kit/json-fields.ts';
import { isOrderLeft, leaveOrder, type MicrophoneOrder } from '#drivers/microphone/order-file.ts';
import { sectionsAtStart } from '#drivers/reset/at-start.ts';
import { DOCUMENT } from '#drivers/store/folder.ts';
import { askHolder } from '#drivers/store/lock.ts';
import { readConsents } from '#machines/settings/consents.ts';
import { readStored } from '#machines/settings/stored.ts';
import { commandName } from './build-facts.ts';
import { quoted } from './credential-file.ts';
import { meantFolder } from './meant-folder.ts';
import type { MicrophoneOptions, MicrophoneTask } from './microphone-arguments.ts';
import { askPanel } from './panel-request.ts';
import { plainLines } from './report.ts';

/** What the command prints; with status 1 on the error output. */
export interface Said {
  readonly status: 0 | 1;
  readonly lines: readonly string[];
}

/** The panel that is meant. */
export interface MeantPanel {
  readonly folder: string;
  /** The beginning of such a command for this panel: `sconce microphone`. */
  readonly command: string;
  /** What names the panel in it: ` --data FOLDER`, or "". */
  readonly named: string;
  /** Waits between two looks; another one in tests. */
  readonly wait?: (ms: number) => Promise<unknown>;
}

/**
 * Longest wait for the agent to take an order, or for one that starts to store its identity, and the pause between two
 * looks, in milliseconds.
 */
const TAKE_MS = 8000;
const LOOK_MS = 100;
const ANSWER_MS = 5000;

const says = (...lines: readonly string[]): Said => ({ status: 0, lines });
const fails = (...lines: readonly string[]): Said => ({ status: 1, lines });

/** What the data folder says; the settings are written before they are in force. */
interface Stored {
  readonly installId: string;
  readonly isAllowed: boolean;
  readonly isVoiceOn: boolean;
}

const typed = ({ command, named }: MeantPanel, task: MicrophoneTask): string =>
  `${command}${task === 'show' ? '' : ` ${task}`}${named}`;

function notPermitted(meant: MeantPanel, task: MicrophoneTask): Said {
  return fails(`The data folder ${meant.folder} belongs to another user. Try: sudo ${typed(meant, task)}`);
}

/** What a folder says that no agent has filled yet. */
interface Unfilled {
  readonly unfilled: Said;
}

function readFolder(meant: MeantPanel, task: MicrophoneTask): Stored | Said | Unfilled {
  try {
    accessSync(join(meant.folder, DOCUMENT), constants.R_OK);
  } catch (error) {
    if (errorCode(error) === 'EACCES') return notPermitted(meant, task);
    const unfilled = `No panel was ever started with the data folder ${meant.folder}. Start it once, then try again.`;
    return { unfilled: fails(unfilled) };
  }
  const sections = sectionsAtStart(meant.folder);
  if (sections === null) return fails('What this panel has stored cannot be read. Start it; its log says why.');
  const { installId } = fieldsOf(sections['identity']);
  if (typeof installId !== 'string')
    return { unfilled: fails('This panel has no identity yet. Start it once, then try again.') };
  const { settings, consents } = sections;
  const stored = { settings, secrets: null, consents: readConsents(consents) };
  const { values } = readStored(stored, installId).configuration;
  return { installId, isAllowed: values['microphone_access'] === true, isVoiceOn: values['voice_enabled'] === true };
}

/** The same, once an agent that has just been started has filled the folder. */
async function readFilled(meant: MeantPanel, task: MicrophoneTask): Promise<Stored | Said> {
  const end = performance.now() + TAKE_MS;
  for (;;) {
    // Asked first: what a running agent has stored by then is there.
    // oxlint-disable-next-line no-await-in-loop -- as below
    const isHeld = (await askHolder(meant.folder)) !== 'free';
    const stored = readFolder(meant, task);
    if (!('unfilled' in stored)) return stored;
    if (!isHeld || performance.now() > end) return stored.unfilled;
    // oxlint-disable-next-line no-await-in-loop -- one look after another
    await (meant.wait ?? pause)(LOOK_MS);
  }
}

const wordsOf = (isAllowed: boolean): string =>
  isAllowed ? 'The microphone is allowed on this machine.' : 'The microphone is not allowed on this machine.';

async function show(meant: MeantPanel, { isAllowed, isVoiceOn }: Stored): Promise<Said> {
  const left = await isOrderLeft(meant.folder);
  return says(
    wordsOf(isAllowed),
    isVoiceOn
      ? 'The voice assistant is on.'
      : 'The voice assistant is off: it is turned on under Configure > Voice on the panel’s page.',
    ...(isAllowed || left ? [] : [`Answer the question on its screen, or type: ${typed(meant, 'allow')}`]),
    ...(left ? ['What was typed last takes effect at the next start.'] : []),
  );
}

/** Makes the running agent look now; it does so every minute by itself. True once the order was taken. */
async function isTaken({ folder, wait = pause }: MeantPanel, port: number | null): Promise<boolean> {
  if (port !== null) {
    const asked = await askPanel(port, { method: 'GET', path: 'status?refresh=1', silentMs: ANSWER_MS });
    if (asked.ok) asked.response.resume();
  }
  const end = performance.now() + TAKE_MS;
  while (await isOrderLeft(folder)) {
    if (performance.now() > end) return false;
    await wait(LOOK_MS);
  }
  return true;
}

/** Leaves the order for the agent, and waits until a running one has taken it. */
async function order(meant: MeantPanel, task: MicrophoneOrder['do'], { installId }: Stored): Promise<Said> {
  const code = await leaveOrder(meant.folder, { do: task, installId });
  if (code === 'EACCES' || code === 'EPERM') return notPermitted(meant, task);
  if (code !== null) return fails(`Nothing was changed: the disk refused it (${code}).`);
  const holder = await askHolder(meant.folder);
  if (holder === 'free') return says('The panel is not running; this takes effect when it starts.');
  if (!(await isTaken(meant, holder.port)))
    return fails('Sconce is running, but has not answered yet. It looks again within a minute; its log says more.');
  const after = await readFilled(meant, task);
  if ('status' in after) return after;
  return after.isAllowed === (task === 'allow')
    ? says(wordsOf(after.isAllowed), 'It is in force now.')
    : fails('The panel did not take it; its log says why.');
}

/** Carries out the command for one data folder. */
export async function answerMicrophone(task: MicrophoneTask, meant: MeantPanel): Promise<Said> {
  const stored = await readFilled(meant, task);
  if ('status' in stored) return stored;
  return task === 'show' ? show(meant, stored) : order(meant, task, stored);
}

/** `sconce microphone`: whether voice may open it, for a person on this machine; 0 if it was done, else 1. */
export async function microphone({ data, task }: MicrophoneOptions): Promise<number> {
  const { folder, isInstalled } = await meantFolder(data);
  const named = isInstalled ? '' : ` --data ${quoted(folder)}`;
  const { status, lines } = await answerMicrophone(task, { folder, command: `${commandName()} microphone`, named });
  const text = lines.flatMap((line) => plainLines(line)).join('\n');
  (status === 0 ? process.stdout : process.stderr).write(`${text}\n`);
  return status;
}
