import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';

import { errorCode } from '#drivers/kit/error-code.ts';
import { fieldsOf } from '#drivers/kit/json-fields.ts';
import { DOCUMENT } from '#drivers/store/folder.ts';
import { askHolder } from '#drivers/store/lock.ts';
import { CompanionDocument } from '#machines/companion/document.ts';
import type { Milliseconds } from '#machines/kit/units.ts';
import { askPanel, documentOf, type Sending } from './panel-request.ts';
import { defaultPort } from './usage.ts';

/** What the command prints; with status 1 on the error output. */
export interface Said {
  readonly status: 0 | 1;
  readonly lines: readonly string[];
}

/** The panel that is meant. */
export interface MeantPanel {
  readonly folder: string;
  /** This command as it may be typed again. */
  readonly again: string;
}

/** Longest silence of the panel: it writes to its disk. */
const SILENT_MS: Milliseconds = 10_000;

export const says = (...lines: readonly string[]): Said => ({ status: 0, lines });
export const fails = (...lines: readonly string[]): Said => ({ status: 1, lines });

export const notPermitted = ({ folder, again }: MeantPanel): Said =>
  fails(`The data folder ${folder} belongs to another user. Try: sudo ${again}`);

/** The port of the running agent, or why there is none. */
export async function portOf(meant: MeantPanel): Promise<number | Said> {
  try {
    accessSync(join(meant.folder, DOCUMENT), constants.R_OK);
  } catch (error) {
    return errorCode(error) === 'EACCES'
      ? notPermitted(meant)
      : fails(`No panel was ever started with the data folder ${meant.folder}. Start it once, then try again.`);
  }
  const holder = await askHolder(meant.folder);
  return holder === 'free'
    ? fails(`Sconce is not running with the data folder ${meant.folder}. Start it first.`)
    : (holder.port ?? defaultPort);
}

/** What the panel answers to a request, or why it does not carry it out. */
export async function askJson(
  port: number,
  sending: Omit<Sending, 'silentMs'>,
): Promise<{ readonly value: unknown } | Said> {
  const asked = await askPanel(port, { ...sending, silentMs: SILENT_MS });
  if (!asked.ok) return fails('Sconce is running, but does not answer. Try again in a minute, or restart it.');
  const value = await documentOf(asked.response);
  if (asked.response.statusCode === 200) return { value };
  const { message } = fieldsOf(value);
  return fails(typeof message === 'string' ? message : 'Sconce did not do it; its log says why.');
}

/** Who is paired, as the panel says. */
export async function pairedOf(port: number): Promise<{ readonly value: CompanionDocument } | Said> {
  const asked = await askJson(port, { method: 'GET', path: 'companion' });
  if (!('value' in asked)) return asked;
  const parsed = CompanionDocument().safeParse(asked.value);
  return parsed.success
    ? { value: parsed.data }
    : fails('Another version of Sconce is running than this command is from. Restart it, then try again.');
}
