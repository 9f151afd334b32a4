import { spawnSync } from 'node:child_process';
import { cpSync, existsSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, expect, it } from 'vitest';

import { type AgentProcess, clearAway, ownFolder, spawnAgent, startAgent } from '../scenarios/agent-process.ts';
import { until } from '../scenarios/live-agent.ts';
import {
  endedJob,
  getJson,
  makeBackup,
  panelOn,
  type PanelOptions,
  sendRestore,
  spawnAgain,
  temporaryIn,
} from '../scenarios/panels.ts';
import { nameIn, seeded } from './named-panels.ts';

afterAll(clearAway);

const hasStrace = spawnSync('strace', ['-V']).status === 0;

// Imports and the way to a revision have theirs in test/scenarios/config-copies.test.ts.
const kills = 60;

const passphrase = 'correct horse battery';
/** Sends a restore and kills the agent, or the one that follows it, once so much time has gone. */
async function cut(agent: AgentProcess, options: PanelOptions, archive: Buffer, afterMs: number): Promise<void> {
  const now = { isOver: false, agent };
  const followed = async (): Promise<void> => {
    const { code } = await now.agent.ended;
    if (code !== 75 || now.isOver) return;
    now.agent = await spawnAgain(now.agent, options);
    if (now.isOver) now.agent.child.kill('SIGKILL');
    await followed();
  };
  const sent = sendRestore(agent, archive, { passphrase }).catch(() => null);
  const loop = followed();
  await new Promise((resolve) => void setTimeout(resolve, afterMs));
  now.isOver = true;
  now.agent.child.kill('SIGKILL');
  await Promise.all([loop, sent]);
}

/** A panel that runs, and backups of it and of how it may become. */
async function prepare() {
  const machine = panelOn(1);
  const other = seeded('kitchen', { ...machine, data: ownFolder() });
  const options = seeded('hall', machine);
  const [agent, kitchen] = await Promise.all([startAgent(options), startAgent(other)]);
  const archives = { hall: await makeBackup(agent, passphrase), kitchen: await makeBackup(kitchen, passphrase) };
  await kitchen.kill();
  return { options, agent, archives };
}

it('has all of the old or all of the new after a kill at a random moment of a restore', async () => {
  const { options, agent: first, archives } = await prepare();
  let agent = first;

  // One that is not cut tells how long it takes.
  const began = Date.now();
  expect((await sendRestore(agent, archives.kitchen, { passphrase })).status).toBe(202);
  await agent.ended;
  agent = await startAgent({ ...options, port: agent.port });
  const wholeMs = Date.now() - began;
  expect(await endedJob(agent)).toMatchObject({ kind: 'restore', result: { status: 'succeeded' } });
  expect(nameIn(options.data)).toBe('kitchen');

  for (let life = 0; life < kills; life += 1) {
    const archive = archives[nameIn(options.data) === 'hall' ? 'kitchen' : 'hall'];
    // oxlint-disable-next-line no-await-in-loop -- one life after another
    await cut(agent, options, archive, Math.random() * wholeMs);
    // oxlint-disable-next-line no-await-in-loop -- as above
    agent = await startAgent({ ...options, port: agent.port });
    const { url } = agent;
    // oxlint-disable-next-line no-await-in-loop -- as above
    await until('the end of it', async () => (await getJson({ url }, 'install/status'))['running'] === false);
    // oxlint-disable-next-line no-await-in-loop -- as above
    expect((await getJson(agent, 'config'))['friendly_name']).toBe(nameIn(options.data));
    expect(temporaryIn(options.data)).toEqual([]);
    expect(existsSync(join(options.data, 'restore'))).toBe(false);
  }
  await agent.kill('SIGTERM');
}, 1_200_000);

/** What changes names in a folder or makes that durable. */
const calls = 'rename,renameat,renameat2,fsync,unlink,unlinkat';

it.skipIf(!hasStrace)(
  `has all of the new after a kill at a step of the start${hasStrace ? '' : ' (skipped: strace is not installed)'}`,
  async () => {
    const { options, agent, archives } = await prepare();
    expect((await sendRestore(agent, archives.kitchen, { passphrase })).status).toBe(202);
    await agent.ended;

    let killed = 0;
    for (let step = 1; ; step += 1) {
      const data = join(ownFolder(), 'data');
      cpSync(options.data, data, { recursive: true });
      const inject = ['-e', `trace=${calls}`, '-e', `inject=${calls}:signal=SIGKILL:when=${step}`];
      // oxlint-disable-next-line no-await-in-loop -- one start after another
      const dying = await spawnAgent({
        ...options,
        data,
        wrapper: ['strace', '-D', '-f', '-o', '/dev/null', ...inject],
        // The calls are counted by thread.
        env: { ...options.env, UV_THREADPOOL_SIZE: '1' },
      });
      // oxlint-disable-next-line no-await-in-loop -- as above
      const isOver = await until('its end or an answer', async () => {
        if (dying.child.signalCode !== null) return 'killed';
        return (await fetch(`${dying.url}/api/v1/config`).catch(() => null))?.ok === true && 'served';
      });
      // oxlint-disable-next-line no-await-in-loop -- as above
      await dying.kill();
      if (isOver === 'served') break;
      killed += 1;
      // oxlint-disable-next-line no-await-in-loop -- as above
      const next = await startAgent({ ...options, data });
      // oxlint-disable-next-line no-await-in-loop -- as above
      expect(await endedJob(next)).toMatchObject({ kind: 'restore', result: { status: 'succeeded' } });
      expect(nameIn(data)).toBe('kitchen');
      expect(existsSync(join(data, 'restore'))).toBe(false);
      // oxlint-disable-next-line no-await-in-loop -- as above
      await next.kill();
    }
    expect(killed).toBeGreaterThan(1);
  },
  600_000,
);
