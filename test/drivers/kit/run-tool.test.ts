import { getEventListeners } from 'node:events';
import { expect, it } from 'vitest';

import { runTool } from '#drivers/kit/run-tool.ts';

const listeners = (signal: AbortSignal): number => getEventListeners(signal, 'abort').length;

it.each([
  ['a tool that is not installed', 'sconce-no-such-tool', [], { ok: false, reason: 'not-installed' }],
  ['a tool that fails', 'false', [], { ok: false, reason: 'failed' }],
  ['a tool that answers', 'echo', ['yes'], { ok: true, value: 'yes\n' }],
] as const)('%s leaves nothing on the signal, however often it is tried', async (_, tool, args, answer) => {
  const { signal } = new AbortController();
  const runs = Array.from({ length: 3 }, () => runTool(tool, args, process.env, signal));
  expect(listeners(signal)).toBe(3);
  for (const run of runs) expect(await run).toMatchObject(answer);
  expect(listeners(signal)).toBe(0);
});

it('ends a tool that hangs when the signal says so', async () => {
  const stop = new AbortController();
  const run = runTool('sleep', ['60'], process.env, stop.signal);
  stop.abort();
  expect(await run).toMatchObject({ ok: false, reason: 'failed' });
  expect(listeners(stop.signal)).toBe(0);
});

it('starts no tool once the signal has said so', async () => {
  const run = runTool('echo', ['late'], process.env, AbortSignal.abort());
  expect(await run).toMatchObject({ ok: false, reason: 'failed' });
});
