import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import type { Watcher } from '#drivers/volume/mixer.ts';
import { watchMixer } from '#drivers/volume/watch.ts';

let folder = '';
const pidFile = (): string => join(folder, 'pid');
function alive(id: number): boolean {
  try {
    process.kill(id, 0);
    // One that was killed and is not yet waited for counts as dead.
    return !/^State:\s*Z/m.test(readFileSync(`/proc/${id}/status`, 'utf8'));
  } catch {
    return false;
  }
}
const watcher: Watcher = {
  tool: 'sh',
  args: ['-c', 'echo changed; echo $$ > "$PID_FILE"; exec sleep 600'],
  concerns: (line) => line === 'changed',
};
const env = () => ({ ...process.env, PID_FILE: pidFile() });
async function pid(): Promise<number> {
  await vi.waitFor(() => expect(existsSync(pidFile()) && readFileSync(pidFile(), 'utf8')).toMatch(/\d\n/), {
    timeout: 8000,
  });
  return Number(readFileSync(pidFile(), 'utf8'));
}

/** A program of its own that watches, ready to run with node; the path of its file. */
function program(code: string): string {
  const outfile = join(folder, 'program.mjs');
  const contents = `import { watchMixer } from './drivers/volume/watch.ts';\n${code}`;
  buildSync({
    stdin: { contents, resolveDir: join(import.meta.dirname, '../../..'), loader: 'ts' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    outfile,
  });
  return outfile;
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sconce-watch-'));
});
afterEach(() => {
  vi.useRealTimers();
  rmSync(folder, { recursive: true, force: true });
});

describe('the watcher of a mixer', () => {
  it('says that something changed, and leaves neither a process nor a listener behind', async () => {
    const listeners = process.listenerCount('exit');
    const stirred = vi.fn<() => void>();
    const stop = watchMixer(watcher, env(), stirred);
    const tool = await pid();
    await vi.waitFor(() => expect(stirred).toHaveBeenCalled());
    stop();
    await vi.waitFor(() => expect(alive(tool)).toBe(false));
    expect(process.listenerCount('exit')).toBe(listeners);
  });

  it('reads four times after a start, while a tool says nothing from which it could be known to listen', () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const stirred = vi.fn<() => void>();
    const stop = watchMixer({ ...watcher, args: ['-c', 'exec sleep 600'] }, env(), stirred);
    const readBy = [250, 500, 1000, 2000, 60_000].map((ms) => {
      vi.advanceTimersByTime(ms);
      return stirred.mock.calls.length;
    });
    stop();
    expect(readBy).toEqual([1, 2, 3, 4, 4]);
  });

  it('reads once after the first line of a tool, whatever that says, and no more by itself', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const stirred = vi.fn<() => void>();
    const concerns = vi.fn<(line: string) => boolean>(() => false);
    const script = 'until [ -e "$PID_FILE" ]; do sleep 0.01; done; echo hello; echo again; exec sleep 600';
    const stop = watchMixer({ ...watcher, args: ['-c', script], concerns }, env(), stirred);
    vi.advanceTimersByTime(250);
    // As with PulseAudio, where each reading is a client that the tool reports.
    writeFileSync(pidFile(), '');
    while (concerns.mock.calls.length === 0) await new Promise((resolve) => setImmediate(resolve));
    const readBy = [49, 1, 60_000].map((ms) => {
      vi.advanceTimersByTime(ms);
      return stirred.mock.calls.length;
    });
    stop();
    expect(readBy).toEqual([1, 2, 2]);
  });

  it.each(['exits', 'is killed'])('takes its tool along when the process %s', async (how) => {
    const { tool, args } = watcher;
    const script = program(
      `watchMixer({ ...${JSON.stringify({ tool, args })}, concerns: () => true }, process.env, () => {}); process.stdin.on('data', () => process.exit(1));`,
    );
    const agent = spawn(process.execPath, [script], { env: env(), stdio: ['pipe', 'ignore', 'ignore'] });
    const child = await pid();
    expect(alive(child)).toBe(true);
    if (how === 'exits') agent.stdin.write('go\n');
    else agent.kill('SIGKILL');
    await vi.waitFor(() => expect(alive(child)).toBe(false), { timeout: 5000 });
  });

  it('lives on and reads later where a tool cannot be started', async () => {
    const tool = join(folder, 'tool');
    writeFileSync(tool, 'no program');
    chmodSync(tool, 0o600);
    const stirred = vi.fn<() => void>();
    const stop = watchMixer({ ...watcher, tool }, env(), stirred);
    // Refused before any process was made.
    const stopOther = watchMixer({ ...watcher, args: ['\0'] }, env(), stirred);
    await vi.waitFor(() => expect(stirred.mock.calls.length).toBeGreaterThanOrEqual(2), { timeout: 8000 });
    stop();
    stopOther();
  });

  it('lives on without a free descriptor', () => {
    const script = program(`import { openSync } from 'node:fs';
try { for (;;) openSync('/dev/null', 'r'); } catch {}
const stop = watchMixer({ tool: 'sh', args: ['-c', 'exit 0'], concerns: () => true }, process.env, () => { stop(); process.exit(7); });`);
    const { status } = spawnSync('sh', ['-c', 'ulimit -n 64; exec "$0" "$1"', process.execPath, script], {
      stdio: 'ignore',
      timeout: 15_000,
    });
    expect(status).toBe(7);
  });
});
