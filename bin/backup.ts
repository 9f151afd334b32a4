import { createReadStream } from 'node:fs';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { dirname, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { leaveProof, withdrawProof } from '#drivers/backup/owner-proof.ts';
import { errorCode } from '#drivers/kit/error-code.ts';
import { syncFolder } from '#drivers/kit/replace-file.ts';
import { askHolder } from '#drivers/store/lock.ts';
import { RestoreDocument } from '#machines/backup/document.ts';
import { judgePassphrase } from '#machines/backup/passphrase.ts';
import { ok, refuse, type Result } from '#machines/kit/result.ts';
import type { BackupOptions, RestoreOptions } from './backup-arguments.ts';
import { ProblemRead, restoreLines, StatusRead } from './backup-text.ts';
import { readCredentialFile } from './credential-file.ts';
import { meantFolder } from './meant-folder.ts';
import { askPanel, documentOf, type Answered } from './panel-request.ts';
import { plainLines } from './report.ts';
import { untilInterrupted } from './until-interrupted.ts';
import { defaultPort } from './usage.ts';

/** Longest silence of the panel while it works, in milliseconds. */
const silentMs = 180_000;
/** Longest wait for the restart that carries a restore out, in milliseconds; a profile on trial takes a minute more. */
const restartMs = 180_000;
/** Pause between two looks at it, and longest wait for one answer. */
const lookMs = 1000;
const answerMs = 5000;

const say = (line: string): void => void process.stdout.write(`${plainLines(line).join('\n')}\n`);

function fail(message: string): 1 {
  process.stderr.write(`sconce: ${plainLines(message).join('\n')}\n`);
  return 1;
}

const wordsOfPort = 'Sconce is running, but does not answer. Try again in a minute, or restart it.';

/** The folder of the panel and the port of its agent. */
async function panelOf(data: string | null): Promise<Result<{ folder: string; port: number }, 'not-running'>> {
  const { folder } = await meantFolder(data);
  const holder = await askHolder(folder);
  return holder === 'free'
    ? refuse('not-running', `Sconce is not running with the data folder ${folder}. Start it first.`)
    : ok({ folder, port: holder.port ?? defaultPort });
}

/** The passphrase in a file; null if none was named. */
function passphraseIn(file: string | null): Result<string | null, 'unusable'> {
  if (file === null) return ok(null);
  const read = readCredentialFile('--passphrase-file', file, null);
  if (!read.ok) return refuse('unusable', read.message);
  if (read.value.isOpen)
    process.stderr.write('sconce: The file of --passphrase-file can be read by others. Give it mode 600.\n');
  const judged = judgePassphrase(read.value.text);
  return judged.ok ? judged : refuse('unusable', `The file of --passphrase-file: ${judged.message}`);
}

/** The sentences of a refusal. */
async function refusalOf(response: IncomingMessage): Promise<string> {
  const read = ProblemRead().safeParse(await documentOf(response));
  if (!read.success) return `The panel answered ${response.statusCode ?? 'nothing'} and no reason.`;
  const { message, reasons = {} } = read.data;
  return [message, ...Object.entries(reasons).map(([key, why]) => `  ${key}: ${why}`)].join('\n');
}

const unanswered = ({ code }: Extract<Answered, { readonly ok: false }>): string =>
  code === 'ECONNREFUSED' ? wordsOfPort : `The panel did not answer (${code}). Its log says more.`;

/** Writes an answer into a new file; resolves to its size in bytes, once it would survive a power cut. */
async function receive(response: IncomingMessage, part: FileHandle): Promise<number> {
  let bytes = 0;
  for await (const piece of response as AsyncIterable<Buffer>) {
    await part.write(piece);
    bytes += piece.byteLength;
  }
  if (!response.complete || bytes !== Number(response.headers['content-length'] ?? bytes))
    throw Object.assign(new Error('cut short'), { code: 'cut-short' });
  await part.sync();
  return bytes;
}

const sizeWords = (bytes: number): string =>
  bytes < 1_000_000 ? `${Math.ceil(bytes / 1000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;

/** Asks for a backup and receives it into the open file; null once it is whole, else why not. */
async function fetchBackup(
  port: number,
  body: string,
  part: FileHandle,
): Promise<Result<{ bytes: number; isPartial: boolean }, 'failed'>> {
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
  const answered = await askPanel(port, { method: 'POST', path: 'backup', headers, body, silentMs });
  if (!answered.ok) return refuse('failed', unanswered(answered));
  const { response } = answered;
  if (response.statusCode !== 200) return refuse('failed', await refusalOf(response));
  const bytes = await receive(response, part);
  return ok({ bytes, isPartial: response.headers['x-backup-state'] === 'unavailable' });
}

/** `sconce backup`: 0 once the file is whole and durable, else 1, and a file of that name is as it was. */
export async function backup({ file, passphraseFile, data, signIn }: BackupOptions): Promise<number> {
  const passphrase = passphraseIn(passphraseFile);
  if (!passphrase.ok) return fail(passphrase.message);
  const panel = await panelOf(data);
  if (!panel.ok) return fail(panel.message);
  const body = JSON.stringify(
    passphrase.value === null
      ? { allow_plaintext: true }
      : { passphrase: passphrase.value, ...(!signIn && { include_companion: false }) },
  );
  const path = resolve(file);
  const partPath = `${path}.${process.pid}.part`;
  return untilInterrupted(async () => {
    let part: FileHandle | null = null;
    try {
      part = await open(partPath, 'wx', 0o600);
      say('Making the backup…');
      const fetched = await fetchBackup(panel.value.port, body, part);
      if (!fetched.ok) return fail(fetched.message);
      await part.close();
      part = null;
      await rename(partPath, path);
      await syncFolder(dirname(path));
      const { bytes, isPartial } = fetched.value;
      say(`Saved ${file} (${sizeWords(bytes)}, ${passphrase.value === null ? 'not encrypted' : 'encrypted'}).`);
      if (isPartial) say('Some state of this panel could not be read, and is missing in it. The log says more.');
      return 0;
    } catch (error) {
      const code = errorCode(error);
      return fail(
        code === 'cut-short'
          ? 'The panel ended before the backup was whole. Nothing was saved.'
          : `${file} cannot be written (${code}). Nothing was saved.`,
      );
    } finally {
      await part?.close().catch(() => {});
      await rm(partPath, { force: true }).catch(() => {});
    }
  });
}

/** The UTF-8 bytes of a text as a header carries them. */
const headerOf = (text: string): string => Buffer.from(text, 'utf8').toString('latin1');

/** Sends the file; the answer, or why there is none. */
async function sendArchive(
  port: number,
  { file, dryRun, replaces }: RestoreOptions,
  secrets: { readonly passphrase: string | null; readonly proof: string | null },
): Promise<Answered> {
  const handle = await open(file, 'r');
  try {
    const { size } = await handle.stat();
    const query = [...(dryRun ? ['dry_run=1'] : []), ...(replaces ? ['replaces=1'] : [])].join('&');
    return await askPanel(port, {
      method: 'POST',
      path: query === '' ? 'restore' : `restore?${query}`,
      headers: {
        'content-type': 'application/octet-stream',
        'content-length': size,
        ...(secrets.passphrase !== null && { 'x-backup-passphrase': headerOf(secrets.passphrase) }),
        ...(secrets.proof !== null && { 'x-backup-owner': secrets.proof }),
      },
      body: createReadStream('', { fd: handle.fd, autoClose: false, start: 0 }),
      silentMs,
    });
  } finally {
    await handle.close();
  }
}

/** How the restore ended, once the panel has restarted; null if it does not say in time. */
async function outcomeOf(port: number, isOver: () => boolean): Promise<{ message: string; isWell: boolean } | null> {
  const deadline = Date.now() + restartMs;
  while (Date.now() < deadline && !isOver()) {
    // oxlint-disable-next-line no-await-in-loop -- one look after another
    await pause(lookMs);
    // oxlint-disable-next-line no-await-in-loop -- as above
    const answered = await askPanel(port, { method: 'GET', path: 'install/status', silentMs: answerMs });
    if (!answered.ok) continue;
    // oxlint-disable-next-line no-await-in-loop -- as above
    const read = StatusRead().safeParse(await documentOf(answered.response));
    if (!read.success || read.data.running || read.data.result == null) continue;
    return { message: read.data.message, isWell: read.data.result.status === 'succeeded' };
  }
  return null;
}

async function follow(port: number): Promise<number> {
  say('The panel restarts to carry it out…');
  const outcome = await untilInterrupted((signal) => outcomeOf(port, () => signal.aborted));
  if (outcome === null) return fail('The panel has not come back yet. Its page /install shows how the restore ends.');
  if (!outcome.isWell) return fail(outcome.message);
  say(outcome.message);
  return 0;
}

/** Leaves the proof of the data folder's owner, if one is needed. */
function proofFor(folder: string, { replaces, dryRun }: RestoreOptions): Result<string | null, 'not-permitted'> {
  if (!replaces || dryRun) return ok(null);
  try {
    return ok(leaveProof(folder));
  } catch (error) {
    const code = errorCode(error);
    return refuse(
      'not-permitted',
      code === 'EACCES' || code === 'EPERM'
        ? `--replaces is for the owner of the data folder ${folder}. Try again with sudo.`
        : `The data folder ${folder} cannot be written (${code}).`,
    );
  }
}

async function report(port: number, response: IncomingMessage, { dryRun }: RestoreOptions): Promise<number> {
  const isDone = response.statusCode === 200 || response.statusCode === 202;
  if (!isDone) return fail(await refusalOf(response));
  const document = await documentOf(response);
  const read = RestoreDocument().safeParse(document);
  if (!read.success) {
    const waits = ProblemRead().safeParse(document);
    return fail(waits.success ? waits.data.message : 'The panel answered something else. Its log says more.');
  }
  for (const line of restoreLines(read.data)) say(line);
  return dryRun ? 0 : follow(port);
}

/** `sconce restore`: 0 once everything is restored, or was shown; else 1. */
export async function restore(options: RestoreOptions): Promise<number> {
  const passphrase = passphraseIn(options.passphraseFile);
  if (!passphrase.ok) return fail(passphrase.message);
  const panel = await panelOf(options.data);
  if (!panel.ok) return fail(panel.message);
  const { folder, port } = panel.value;
  const proof = proofFor(folder, options);
  if (!proof.ok) return fail(proof.message);
  try {
    const answered = await sendArchive(port, options, { passphrase: passphrase.value, proof: proof.value });
    return answered.ok ? await report(port, answered.response, options) : fail(unanswered(answered));
  } catch (error) {
    return fail(`${options.file} cannot be read (${errorCode(error)}).`);
  } finally {
    if (proof.value !== null) withdrawProof(folder, proof.value);
  }
}
