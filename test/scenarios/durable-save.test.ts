import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { killAgentWhileSaving } from '#test/durability/agent.mjs';
import { canMount, tellMounted } from '#test/durability/own-mounts.ts';
import { bundle, clearAway, ownFolder, startAgent } from './agent-process.ts';
import { freePort, post } from './live-agent.ts';

afterAll(clearAway);

const hasStrace = spawnSync('strace', ['-V']).status === 0;

describe('a killed agent', () => {
  test('loses no save that was answered with 200', async () => {
    const tally = await killAgentWhileSaving(8);
    expect(tally).toMatchObject({ kills: 8, lost: 0 });
    expect(tally.acknowledged).toBeGreaterThanOrEqual(8);
  }, 60_000);
});

describe('a save, seen by the kernel', () => {
  test('is fsync of the file, rename, fsync of the folder, and only then the 200', async (context) => {
    context.skip(!hasStrace, 'strace is not installed');
    const trace = join(ownFolder(), 'trace');
    const calls = 'trace=fsync,fdatasync,rename,renameat,renameat2,write,writev,pwrite64,sendto,sendmsg';
    // -D makes strace the grandchild, so that a signal reaches the agent.
    const agent = await startAgent({ wrapper: ['strace', '-D', '-f', '-y', '-s', '300', '-o', trace, '-e', calls] });
    const saved = await post(`${agent.url}/api/v1/config`, { friendly_name: 'Traced marker' });
    expect(saved.status).toBe(200);
    await agent.kill('SIGTERM');
    const lines = readFileSync(trace, 'utf8').split('\n');
    const after = (start: number, pattern: RegExp): number => lines.findIndex((line, index) => index > start && pattern.test(line));
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
    const port = await freePort();
    const story = `
      ${process.execPath} ${bundle} run --data ${mount}/data --port ${port} --profile simulated >/dev/null 2>&1 & agent=$!
      url=http://127.0.0.1:${port}/api/v1
      until curl -sf $url/config >/dev/null; do sleep 0.05; done
      save() { curl -s -o ${mount}/../answer-${port} -w '%{http_code} ' -H 'content-type: application/json' -d "{\\"friendly_name\\":\\"$1\\"}" $url/config; cat ${mount}/../answer-${port} | grep -o '"error":"[a-z-]*"\\|"status":"[a-z-]*"' | head -1; }
      name() { curl -s $url/config | grep -o '"friendly_name":"[A-Za-z]*"' | head -1; }
      save Before
      cat /dev/zero > ${mount}/filler 2>/dev/null
      before=$(sha256sum < ${mount}/data/state.json)
      save During; name; save During; name
      [ "$before" = "$(sha256sum < ${mount}/data/state.json)" ] && echo unchanged
      curl -s $url/status | grep -o '"last_failure":"[A-Z]*"'
      curl -sf -o /dev/null http://127.0.0.1:${port}/health && echo listening
      rm ${mount}/filler
      save After; name
      kill -KILL $agent; rm -f ${mount}/../answer-${port}`;
    expect(tellMounted(mount, 'size=64k', story, 30_000)).toEqual([
      '200 "status":"saved"',
      '500 "error":"commit-failed"',
      '"friendly_name":"Before"',
      '500 "error":"commit-failed"',
      '"friendly_name":"Before"',
      'unchanged',
      '"last_failure":"ENOSPC"',
      'listening',
      '200 "status":"saved"',
      '"friendly_name":"After"',
    ]);
  }, 40_000);
});
