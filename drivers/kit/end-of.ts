import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';

/** The end of a file's text, of at most that many bytes; "" if it cannot be read or is no file, such as a pipe. */
export function endOf(path: string, mostBytes: number): string {
  let file: number | null = null;
  try {
    // Opening a pipe would wait for its writer.
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const stat = fstatSync(file);
    if (!stat.isFile()) return '';
    const buffer = Buffer.alloc(Math.min(stat.size, mostBytes));
    return buffer.toString('utf8', 0, readSync(file, buffer, 0, buffer.length, Math.max(0, stat.size - mostBytes)));
  } catch {
    return '';
  } finally {
    if (file !== null) closeSync(file);
  }
}
