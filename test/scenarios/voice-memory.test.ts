import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, describe, expect, it } from 'vitest';

import { assistHouse, say } from '#test/fakes/assist-house.ts';

import { type AgentProcess, clearAway, ownFolder, startAgent } from './agent-process.ts';
import { agreedAtPanel } from './agreed-at-panel.ts';
import { post, statusOf, until } from './live-agent.ts';

afterAll(clearAway);

const TURNS = 360;
/** Turns until everything that is made once was made. */
const WARM = 120;
/** What turns may leave in the heap, in kilobytes: a kilobyte for each would be 240. */
const MOST_KB = 400;
const isAll = process.env['SCONCE_TEST_ALL'] === '1';

/**
 * Writes the used heap after a collection, when the process is sent SIGUSR2. Optimised code, which is all that grows
 * (2.5 kB a turn, for minutes), is not made.
 */
function heapGauge(): { readonly hook: string; readonly read: (agent: AgentProcess) => Promise<number> } {
  const folder = ownFolder();
  const [hook, file] = [join(folder, 'hook.cjs'), join(folder, 'heap')];
  writeFileSync(
    hook,
    `for (const flag of ['--expose-gc', '--no-opt']) require('node:v8').setFlagsFromString(flag);
const collect = require('node:vm').runInNewContext('gc');
process.on('SIGUSR2', () => {
  collect();
  collect();
  require('node:fs').writeFileSync(${JSON.stringify(`${file}.new`)}, String(process.memoryUsage().heapUsed));
  require('node:fs').renameSync(${JSON.stringify(`${file}.new`)}, ${JSON.stringify(file)});
});`,
  );
  const written = (): number | null => {
    try {
      return Number(readFileSync(file, 'utf8')) / 1024;
    } catch {
      return null;
    }
  };
  return {
    hook,
    read: async ({ child }) => {
      rmSync(file, { force: true });
      child.kill('SIGUSR2');
      return until('the heap', written);
    },
  };
}

describe.skipIf(!isAll)(`many turns${isAll ? '' : ' (skipped: SCONCE_TEST_ALL)'}`, () => {
  it(
    'leave nothing in the memory of a panel',
    async () => {
      const house = await assistHouse('kitchen');
      const [token, { hook, read }] = [join(ownFolder(), 'token'), heapGauge()];
      writeFileSync(token, 'a-token', { mode: 0o600 });
      const agent = await startAgent({
        args: ['--ha-url', house.home.origin, '--ha-token-file', token],
        env: { NODE_OPTIONS: `--require ${hook}`, SCONCE_VERIFY_ANSWERS: '' },
      });
      await post(`${agent.url}/api/v1/config`, { panel_id: 'kitchen' });
      await until('the scan', async () => (await statusOf(agent.url)).microphone.state === 'present');
      await agreedAtPanel(agent.url, { microphone_access: true });
      await post(`${agent.url}/api/v1/config`, { voice_enabled: true });
      const voice = async () => (await statusOf(agent.url)).voice;
      await until('voice', async () => (await voice())?.refusal === null);
      // The question had a sound.
      await until('the lane', async () => (await statusOf(agent.url)).announcement?.phase === 'idle');
      const turn = async (number: number): Promise<void> => {
        const { length: before } = house.assist.runs;
        await until('a turn', async () => (await post(`${agent.url}/api/v1/voice/test`, {})).status === 202);
        const run = await until('the run', () => house.assist.runs[before]);
        await until('sound', () => run.frames.length > 2);
        say.understood(run);
        say.answer(run, house.sound(50));
        await until('its end', async () => {
          const now = await voice();
          return now?.turns === number && now.turn === null;
        });
        expect((await voice())?.last).toMatchObject({ outcome: 'done', fault: null });
      };
      const turns = async (from: number, to: number): Promise<void> => {
        // oxlint-disable-next-line no-await-in-loop -- one turn after another
        for (let number = from; number <= to; number += 1) await turn(number);
      };
      await turns(1, WARM);
      const before = await read(agent);
      await turns(WARM + 1, TURNS);
      const after = await read(agent);
      console.log(`${TURNS} turns: ${Math.round(before)} kB after ${WARM}, ${Math.round(after)} kB after all`);
      expect(after - before).toBeLessThan(MOST_KB);
      await agent.kill('SIGTERM');
      await house.home.stop();
    },
    // A turn takes half a second; with people it takes ten.
    900_000,
  );
});
