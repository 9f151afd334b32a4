import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, expect, it } from 'vitest';

import { amount } from '#test/fakes/amount.ts';
import { type AgentProcess, clearAway, ownFolder, startAgent } from '../scenarios/agent-process.ts';
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

// Imports and the way to a revision have theirs in test/scenarios/config-copies.test.ts.
const kills = amount(12, 100);

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

it(
  'has all of the old or all of the new after a kill at a random moment of a restore',
  async () => {
    const machine = panelOn(1);
    const other = await startAgent(seeded('kitchen', { ...machine, data: ownFolder() }));
    const options = seeded('hall', machine);
    let agent = await startAgent(options);
    const archives = { hall: await makeBackup(agent, passphrase), kitchen: await makeBackup(other, passphrase) };
    await other.kill('SIGTERM');

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
  },
  amount(180_000, 1_200_000),
);
