import { spawnSync } from 'node:child_process';
import { appendFileSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { killAgentWhileSaving } from '#test/durability/agent.mjs';
import { canMount, unmount, withMount } from '#test/durability/own-mounts.ts';
import { amount } from '#test/fakes/amount.ts';
import { clearAway, ownFolder, startAgent } from './agent-process.ts';
import { post } from './live-agent.ts';

afterAll(clearAway);

const hasStrace = spawnSync('strace', ['-V']).status === 0;

const kills = amount(2, 8);

describe('a killed agent', () => {
  test('loses no save that was answered with 200', async () => {
    const tally = await killAgentWhileSaving(kills);
    expect(tally).toMatchObject({ kills, lost: 0 });
    expect(tally.acknowledged).toBeGreaterThanOrEqual(kills);
  }, 60_000);
});

describe('a save, seen by the kernel', () => {
  test('is fsync of the file, rename, fsync of the folder, and only then the 200', async (context) => {
    context.skip(!hasStrace, 'strace is not installed');
    const trace = join(ownFolder(), 'trace');
    const calls = 'trace=fsync,fdatasync,rename,renameat,renameat2,write,writev,pwrite64,sendto,sendmsg';
    // -D makes strace the grandchild, so that a signal reaches the agent.
    const agent = await startAgent({ wrapper: ['strace', '-D', '-f', '-y', '-s', '4000', '-o', trace, '-e', calls] });
    const saved = await post(`${agent.url}/api/v1/config`, { friendly_name: 'Traced marker' });
    expect(saved.status).toBe(200);
    await agent.kill('SIGTERM');
    const lines = readFileSync(trace, 'utf8').split('\n');
    const after = (start: number, pattern: RegExp): number =>
      lines.findIndex((line, index) => index > start && pattern.test(line));
    const written = after(-1, /write[v6-9]*\(\d+<[^>]*state\.json.*Traced marker/);
    expect(written).toBeGreaterThan(-1);
    const file = after(written, /\bf(data)?sync\(\d+<[^>]*state\.json[^>]*>/);
    const rename = after(file, /\brename(at2?)?\(.*state\.json"/);
    const folder = after(rename, /\bf(data)?sync\(\d+<[^>]*\/sconce-process-[^/>]*>/);
    const answered = after(written, /HTTP\/1\.1 200 OK/);
    expect([file, rename, folder, answered].every((line) => line > written)).toBe(true);
    expect(answered).toBeGreaterThan(folder);
  }, 40_000);
});

describe('a full disk of 64 KiB', () => {
  test('answers 500 commit-failed, keeps everything, and the next save works when there is room', async (context) => {
    context.skip(!canMount, 'mounting in a namespace of its own needs root');
    const mount = ownFolder();
    const agent = await startAgent({ data: join(mount, 'data'), wrapper: withMount(mount, 'size=64k') });
    try {
      // The file system as the agent sees it.
      const inside = `/proc/${agent.child.pid}/root${mount}`;
      const state = join(inside, 'data/state.json');
      const save = async (name: string): Promise<readonly unknown[]> => {
        const answer = await post(`${agent.url}/api/v1/config`, { friendly_name: name });
        const said = /"(?:error|status)":"([a-z-]+)"/.exec(await answer.text())?.[1];
        const config = await (await fetch(`${agent.url}/api/v1/config`)).text();
        return [answer.status, said, /"friendly_name":"([A-Za-z]*)"/.exec(config)?.[1]];
      };
      expect(await save('Before')).toEqual([200, 'saved', 'Before']);
      expect(() => {
        for (;;) appendFileSync(join(inside, 'filler'), Buffer.alloc(1024));
      }).toThrow('ENOSPC');
      const before = readFileSync(state, 'utf8');
      expect(await save('During')).toEqual([500, 'commit-failed', 'Before']);
      expect(await save('During')).toEqual([500, 'commit-failed', 'Before']);
      expect(readFileSync(state, 'utf8')).toBe(before);
      expect(JSON.stringify(await (await fetch(`${agent.url}/api/v1/status`)).json())).toContain(
        '"last_failure":"ENOSPC"',
      );
      expect((await fetch(`${agent.url}/health`)).status).toBe(200);
      rmSync(join(inside, 'filler'));
      expect(await save('After')).toEqual([200, 'saved', 'After']);
    } finally {
      await agent.kill();
      unmount(mount);
    }
  }, 40_000);
});
