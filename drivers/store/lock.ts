import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { resolve } from 'node:path';
import { errorCode } from '#drivers/kit/error-code.ts';
import { ok, refuse } from '#machines/kit/result.ts';
import type { Result } from '#machines/kit/result.ts';

/** A held lock; the kernel frees it when the process dies, however it dies. */
export interface FolderLock {
  /** Whoever asks is from now on told the port on which this process listens at that moment; 0 is none. */
  readonly tellPort: (port: () => number) => void;
  /** Gives the folder free. */
  readonly release: () => Promise<void>;
}

/** Bytes of a Unix socket's name after the leading NUL (unix(7): 108 in all). */
const NAME_LENGTH = 107;

/** The real path, as far as the folder exists. */
const real = (folder: string): string => {
  try {
    return realpathSync(folder);
  } catch {
    return resolve(folder);
  }
};

/**
 * The abstract socket's name for a folder. Always full length: some versions of Node pad a shorter name with NULs and
 * some do not, and two agents on different versions must meet on one name.
 */
export const lockName = (folder: string): string =>
  `\0sconce-${createHash('sha256').update(real(folder)).digest('hex')}-`.padEnd(NAME_LENGTH + 1, '0');

/**
 * Takes the data folder for this process by listening on an abstract Unix socket: a second agent on the same folder
 * (and in the same network namespace, where such names live) is refused. The folder should exist, so that symbolic
 * links are followed.
 */
export const lockFolder = (folder: string): Promise<Result<FolderLock, 'folder-in-use' | 'lock-failed'>> =>
  new Promise((settle) => {
    let port = (): number => 0;
    const server = createServer((connection) => {
      // Who has gone before the answer is nobody's failure.
      connection.on('error', () => {});
      connection.unref();
      const now = port();
      if (now > 0) connection.end(`${now}\n`, () => connection.destroy());
      else connection.destroy();
    });
    server.once('error', (error) => {
      settle(
        errorCode(error) === 'EADDRINUSE'
          ? refuse(
              'folder-in-use',
              'Another Sconce is running with this data folder. Stop it first, or give this one a folder of its own with --data.',
            )
          : refuse('lock-failed', 'The data folder could not be locked.'),
      );
    });
    server.listen({ path: lockName(folder) }, () => {
      server.on('error', () => {});
      server.unref();
      settle(
        ok({
          tellPort: (tell) => void (port = tell),
          release: () => new Promise((done) => void server.close(() => done())),
        }),
      );
    });
  });

/** Longest answer that is read, in bytes: a port of five digits and the end of the line. */
const longestAnswer = 6;

/**
 * Who has a data folder, asked at its lock: nothing of it lies on a disk, so nothing is left of a process that died.
 * `free` nobody has it; else the port on which its agent listens, null where it names none until `signal` ends the wait
 * (it starts, stops or hangs).
 */
export const askHolder = (folder: string, signal: AbortSignal): Promise<'free' | { readonly port: number | null }> =>
  new Promise((settle) => {
    let answer = '';
    const connection = connect({ path: lockName(folder), signal });
    connection.setEncoding('utf8');
    connection.on('data', (text: string) => {
      answer += text;
      if (answer.length > longestAnswer) connection.destroy();
    });
    connection.on('error', (error) => settle(errorCode(error) === 'ECONNREFUSED' ? 'free' : { port: null }));
    connection.on('close', () => settle({ port: /^[1-9]\d{0,4}\n$/.test(answer) ? Number(answer) : null }));
  });
