import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Which of these programs are not installed, in words; null if all are. */
export async function toolsMissing(...tools: readonly string[]): Promise<string | null> {
  const found = await Promise.all(
    tools.map((tool) =>
      run('sh', ['-c', `command -v ${tool}`]).then(
        () => true,
        () => false,
      ),
    ),
  );
  const absent = tools.filter((_, index) => found[index] === false);
  return absent.length === 0 ? null : `not installed: ${absent.join(', ')}`;
}
