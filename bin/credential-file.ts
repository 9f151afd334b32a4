import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { ok, refuse, type Result } from '#machines/kit/result.ts';
import { descriptorOf } from '#machines/settings.ts';
import { checkValue } from '#machines/settings/check-value.ts';
import { errorCode } from '#drivers/kit/error-code.ts';

/** Longest credential file in bytes (as panel-assistant). */
const maxCredentialBytes = 16_384;
/** Permissions of the group and of others in the mode of a file. */
const othersMask = 0o077;
/** The same without reading by the group. */
const beyondGroupRead = 0o037;

/** A credential that was read from a file. */
export interface CredentialFile {
  readonly text: string;
  /** True if the group or others have any permission for it. */
  readonly isOpen: boolean;
}

/**
 * True if the group or others have any permission for a file of that mode. Credentials that systemd passes to a service
 * (systemd.exec(5), LoadCredential=) belong to root, and an access control list lets the user of the service read them:
 * its mask appears in place of the group's permissions. Their folder keeps everyone else out.
 */
export function isOpenToOthers(
  file: string,
  mode: number,
  env: Readonly<Record<string, string | undefined>> = process.env,
): boolean {
  const folder = env['CREDENTIALS_DIRECTORY'] ?? '';
  const isHandedOver = folder.startsWith('/') && dirname(resolve(file)) === resolve(folder);
  return (mode & (isHandedOver ? beyondGroupRead : othersMask)) !== 0;
}

/** Bytes of a file; at most one more than a credential may have. */
function readBounded(fd: number): Buffer {
  const bytes = Buffer.alloc(maxCredentialBytes + 1);
  let length = 0;
  for (let read = -1; read !== 0 && length < bytes.length; length += read)
    read = readSync(fd, bytes, length, bytes.length - length, null);
  return bytes.subarray(0, length);
}

/** Why a credential cannot be the value of that setting; null if it can. */
function unfit(option: string, setting: string | null, text: string): string | null {
  if (text.trim() === '') return `The file of ${option} is empty. Write the password or token into it.`;
  if (/[\r\n]/.test(text))
    return `The file of ${option} has more than one line. Leave only the password or token in it.`;
  if (/\ufffd|[^\P{Cc}\t]/u.test(text))
    return `The file of ${option} is not plain text in UTF-8. Write the password or token into it as text.`;
  const row = setting === null ? undefined : descriptorOf(setting);
  const checked = row === undefined ? ok(text) : checkValue(row, text);
  return checked.ok ? null : `The file of ${option} is not valid: ${checked.message}`;
}

function whyUnreadable(option: string, code: string): string {
  if (code === 'ENOENT' || code === 'ENOTDIR') return `The file of ${option} is not there. Check its path.`;
  if (code === 'EACCES' || code === 'EPERM')
    return `The file of ${option} may not be read by this user. Run this as its owner, or let this user read it.`;
  return `The file of ${option} cannot be read (${code}). Check its path.`;
}

/**
 * Reads the file of an option, without the end of its line; `setting` is the setting that it is for. A refusal's
 * message names the option and what to do.
 */
export function readCredentialFile(
  option: string,
  file: string,
  setting: string | null,
): Result<CredentialFile, 'unreadable'> {
  let fd: number | undefined;
  try {
    // A pipe without a writer would block the start.
    fd = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
    const facts = fstatSync(fd);
    if (!facts.isFile())
      return refuse(
        'unreadable',
        `${option} names ${facts.isDirectory() ? 'a folder' : 'something that is not an ordinary file'}. ` +
          'Name the file that holds the password or token.',
      );
    const bytes = readBounded(fd);
    if (bytes.length > maxCredentialBytes)
      return refuse(
        'unreadable',
        `The file of ${option} is too long for a credential, which has at most ${maxCredentialBytes} bytes.`,
      );
    const text = bytes.toString('utf8').replace(/\r?\n$/, '');
    const why = unfit(option, setting, text);
    return why === null ? ok({ text, isOpen: isOpenToOthers(file, facts.mode) }) : refuse('unreadable', why);
  } catch (failure) {
    return refuse('unreadable', whyUnreadable(option, errorCode(failure)));
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

/** A file's path, quoted for a shell. */
export const quoted = (path: string): string =>
  /^[\w./~-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
