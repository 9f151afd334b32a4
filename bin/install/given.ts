import { accessSync, constants, existsSync } from 'node:fs';
import { join } from 'node:path';
import type { StepState } from '#machines/install/events.ts';
import { ok, type Result } from '#machines/kit/result.ts';
import { descriptorOf } from '#machines/settings.ts';
import { judgeProvision, readMarks } from '#machines/settings/provision.ts';
import { readStored } from '#machines/settings/stored.ts';
import { keyedDigest } from '#drivers/kit/keyed-digest.ts';
import { readOrdinary } from '#drivers/install/files.ts';
import { recordedFile } from '#drivers/store/recorded-file.ts';
import { recordedContents } from '#actors/settings/recorded-contents.ts';
import { type Given, givenFile, mergeGiven, parseGiven } from '#drivers/install/given-file.ts';
import { readDocument } from '#drivers/store/document.ts';
import { DOCUMENT } from '#drivers/store/folder.ts';
import { readCredentials } from '../credentials.ts';
import { understood } from '../understood.ts';
import type { Provision } from '../provision-options.ts';

/** What `sconce install` was given for the panel, with the secrets from their files. */
export interface ReadGiven {
  /** Null if nothing was given. */
  readonly given: Given | null;
  /** Options whose files others can read. */
  readonly open: readonly string[];
}

/** Reads what the options give; a refusal's message names the option and what to do. */
export function readGivenOptions(options: Provision): Result<ReadGiven, 'unreadable'> {
  const read = readCredentials(options);
  if (!read.ok) return read;
  const { credentials, takeLogin, open } = read.value;
  const given: Given = { settings: { ...options.settings, ...credentials }, login: takeLogin() };
  const isNothing = given.login === null && Object.keys(given.settings).length === 0;
  return ok({ given: isNothing ? null : given, open });
}

/** How the given values compare with this panel before anything is done. */
export interface GivenOutlook {
  /** `there` if the panel took all of it before, so that it need not be given again. */
  readonly state: StepState;
  /** Names of the settings that stay as they are, since they were set on the panel. */
  readonly kept: readonly string[];
  /** Names of the credentials that the panel would refuse, because no address is given with them. */
  readonly unaddressed: readonly string[];
  /** True if a person is signed in to Home Assistant, so that a user and password are not needed. */
  readonly signedIn: boolean;
  /** The panel id that is made from the given name; null for none, or if this user may not read the settings. */
  readonly madeId: string | null;
}

function sectionsIn(folder: string): Readonly<Record<string, unknown>> {
  try {
    return readDocument(JSON.parse(readOrdinary(join(folder, DOCUMENT))?.text ?? '')).sections;
  } catch {
    // Nothing was ever saved, or only its owner and root may read it.
    return {};
  }
}

/** True if nothing that was saved there is hidden from this user. */
function isOpen(folder: string): boolean {
  try {
    accessSync(folder, constants.R_OK | constants.X_OK);
    return true;
  } catch {
    return !existsSync(folder);
  }
}

function waitsAlready(folder: string, given: Given): boolean {
  const left = parseGiven(readOrdinary(givenFile(folder))?.text ?? '');
  return left !== null && JSON.stringify(mergeGiven(left, given)) === JSON.stringify(left);
}

/**
 * Compares the given values with the settings in `folder`, by the agent's own rule; `target` is the data folder that
 * they are left in.
 */
export function outlookOf(given: Given, folder: string, target: string): GivenOutlook {
  const sections = sectionsIn(folder);
  const { configuration } = readStored({ settings: sections['settings'], secrets: sections['secrets'] });
  const memory = readMarks(sections['settings']);
  const wasGiven = (name: string, value: string): boolean | null => {
    const mark = memory?.marks[name];
    return memory === null || mark === undefined ? null : mark === keyedDigest(memory.key, name, value);
  };
  const { recipientOf } = recordedContents(recordedFile(folder));
  const judged = judgeProvision(configuration, given.settings, wasGiven, recipientOf, sections['announced']);
  const signedIn = ['ha_oauth', 'ha_token'].some((key) => configuration.secrets[key] !== undefined);
  const isTaken =
    folder === target &&
    Object.entries(given.settings).every(([name, value]) => wasGiven(name, value) === true) &&
    (given.login === null || signedIn);
  const labels = (keys: readonly string[]): readonly string[] => keys.map((key) => descriptorOf(key)?.label ?? key);
  const kept = judged.status === 'judged' ? labels(judged.kept) : [];
  const unaddressed = judged.status === 'judged' ? labels(judged.unaddressed) : [];
  const made = judged.status === 'judged' ? judged.wanted['panel_id'] : undefined;
  const madeId = given.settings['panel_id'] === undefined && made !== undefined && isOpen(folder) ? String(made) : null;
  return { state: isTaken || waitsAlready(target, given) ? 'there' : 'to-add', kept, unaddressed, signedIn, madeId };
}

function echoed(settings: Given['settings']): readonly string[] {
  const sentence = understood(settings);
  return sentence === null ? [] : [sentence];
}

/** What an owner should know of it, in sentences. */
export const givenNotes = (
  { given, open }: ReadGiven,
  { kept, signedIn, madeId }: Pick<GivenOutlook, 'kept' | 'signedIn' | 'madeId'>,
): readonly string[] => [
  ...echoed({ ...given?.settings, ...(madeId !== null && { panel_id: madeId }) }),
  ...open.map((option) => `Others can read the file of ${option}. Make it its owner's only: chmod 600 and its path.`),
  ...(kept.length === 0
    ? []
    : [`Kept as set on the panel, and not changed by this: ${kept.join(', ')}. Change them under Configure.`]),
  ...(given?.login != null && signedIn
    ? ['The panel is signed in to Home Assistant already, so --ha-user and its password are not used.']
    : []),
];
