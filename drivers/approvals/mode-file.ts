import { lstat, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

import { errorCode } from '#drivers/kit/error-code.ts';
import { fromDriver } from '#drivers/kit/from-driver.ts';
import { replaceFile, type ReplaceStep, syncFolder } from '#drivers/kit/replace-file.ts';
import { serial } from '#drivers/kit/serial.ts';
import { HARDENED } from '#drivers/store/folder.ts';
import type { ModeCommand, ModeFact, SecurityMode } from '#machines/approvals/events.ts';

const MODE_BITS = 0o600;

/** What a person reads who opens the file. */
const CONTENT = 'While this file is here, Sconce asks at the panel before it obeys (Hardened mode).\n';

/** Steps of a write, in order; the last two are those of leaving Hardened mode. */
export type ModeStep = ReplaceStep | 'removed' | 'removal-synced';

export interface ModeFileOptions {
  /** The data folder. */
  readonly folder: string;
  /** Called after each step of a write; for tests. */
  readonly onStep?: (step: ModeStep) => void;
}

/** The mode as the disk has it. */
export type ModeOnDisk = Omit<Extract<ModeFact, { type: 'mode.read' }>, 'type'>;

const SURELY_HARDENED: ModeOnDisk = { mode: 'hardened', unreadable: false };
const UNREADABLE: ModeOnDisk = { mode: 'hardened', unreadable: true };

/**
 * Reads the mode. Relaxed needs proof: the folder can be looked at, and has no such name. A link that leads nowhere is
 * a name as well.
 */
export async function readMode(folder: string): Promise<ModeOnDisk> {
  try {
    return (await lstat(join(folder, HARDENED))).isFile() ? SURELY_HARDENED : UNREADABLE;
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') return UNREADABLE;
  }
  // A missing folder, such as that of a disk that is not mounted, says nothing about the mode.
  const isFolder = await stat(folder).then(
    (facts) => facts.isDirectory(),
    () => false,
  );
  return isFolder ? { mode: 'relaxed', unreadable: false } : UNREADABLE;
}

/** Enters Hardened mode durably; null on success, else the error code, with the mode as it was. */
async function harden({ folder, onStep }: ModeFileOptions): Promise<string | null> {
  const path = join(folder, HARDENED);
  const replaced = await replaceFile(path, CONTENT, { mode: MODE_BITS, ...(onStep && { onStep }) });
  if (replaced.ok) return null;
  // The file may not survive a power cut, so the mode was not entered.
  if (replaced.renamed) await rm(path, { force: true }).catch(() => {});
  return replaced.code;
}

/**
 * Leaves Hardened mode durably: also by the command of an owner while no agent runs. Null on success, else the error
 * code; only a failure after the removal leaves Relaxed mode, which a power cut may undo.
 */
export async function relax({ folder, onStep = () => {} }: ModeFileOptions): Promise<string | null> {
  try {
    await rm(join(folder, HARDENED), { force: true });
    onStep('removed');
    await syncFolder(folder);
    onStep('removal-synced');
    return null;
  } catch (error) {
    return errorCode(error);
  }
}

const writes: Readonly<Record<SecurityMode, (options: ModeFileOptions) => Promise<string | null>>> = {
  hardened: harden,
  relaxed: relax,
};

/**
 * The file whose presence is Hardened mode. It reports the mode at the start and after each write, which a refused
 * write precedes with its code.
 */
export const modeFile = (options: ModeFileOptions) =>
  fromDriver<ModeCommand, undefined, ModeFact>(async ({ send, onEvent }) => {
    const inTurn = serial({ stopsAtThrow: true });
    const report = async (): Promise<void> => send({ type: 'mode.read', ...(await readMode(options.folder)) });
    await report();
    onEvent(({ mode }) =>
      inTurn(async () => {
        const code = await writes[mode](options);
        if (code !== null) send({ type: 'mode.refused', code });
        await report();
      }),
    );
  });
