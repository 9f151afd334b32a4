import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, describe, expect, it } from 'vitest';

import { clearAway, ownFolder } from './agent-process.ts';
import { until } from './live-agent.ts';
import { soundMissing, VoiceRoom } from './voice-room.ts';

afterAll(clearAway);

/** The chunk of voice's parts and drivers (bin/parts/voice.ts). */
const chunkName = 'bin-parts-voice.js';
/** What voice reads of Home Assistant, and watches. */
const asks = ['assist_pipeline/pipeline/list', 'config/device_registry/list', 'assist_pipeline/run'] as const;

/** Writes, when the process ends, how many timers it has made in a script whose name ends so. */
function countTimers(): { readonly hook: string; readonly made: () => number } {
  const folder = ownFolder();
  const [hook, file] = [join(folder, 'hook.cjs'), join(folder, 'timers')];
  writeFileSync(
    hook,
    `let made = 0;
Error.stackTraceLimit = 30;
for (const name of ['setTimeout', 'setInterval']) {
  const real = globalThis[name];
  const counted = Object.assign((...args) => {
    if (new Error().stack.includes(${JSON.stringify(chunkName)})) made += 1;
    return real(...args);
  }, real);
  globalThis[name] = counted;
}
process.once('exit', () => require('node:fs').writeFileSync(${JSON.stringify(file)}, String(made)));`,
  );
  return { hook, made: () => Number(readFileSync(file, 'utf8')) };
}

describe.skipIf(soundMissing !== null)(
  `voice that is off${soundMissing === null ? '' : ` (skipped: ${soundMissing})`}`,
  () => {
    it('costs no process, timer, watch or code; turned on, it costs nothing before it is allowed', async () => {
      const { hook, made } = countTimers();
      const room = await VoiceRoom.open({ NODE_OPTIONS: `--require ${hook}` });
      const { house } = room;
      const asked = (): readonly number[] => asks.map((type) => house.asked(type));
      /** Nothing runs, and a trigger is refused. */
      const rests = async (status: number, error: string): Promise<void> => {
        const refused = await room.trigger();
        expect([refused.status, await refused.json()]).toMatchObject([status, { error }]);
        const { voice, in_use: inUse } = await room.status();
        expect([voice?.state, voice?.microphone.system, inUse.holders]).toEqual(['off', null, []]);
        expect([room.left(), asked(), house.home.sockets()]).toEqual([[], [0, 0, 0], []]);
      };
      try {
        await rests(409, 'voice-off');
        await room.save({ voice_enabled: true });
        await rests(503, 'voice-not-allowed');
        await room.agent.kill('SIGTERM');
        expect(room.loaded()).toContain('core.js');
        expect(room.loaded()).not.toContain(chunkName);
        expect(made()).toBe(0);

        // What was counted is there once it is allowed.
        await room.startAgain();
        await room.allow();
        await room.ready();
        expect(asked()).toEqual([1, 1, 0]);
        const before = house.assist.runs.length;
        expect((await room.trigger()).status).toBe(202);
        const run = await room.run(before);
        await until('a recorder', () => room.left().includes('parec'));
        await room.understand(run);
        room.answer(run, 50);
        await until('the end of the turn', async () => (await room.voice()).last?.outcome === 'done');

        await room.save({ voice_enabled: false });
        await until('it to be off', async () => (await room.voice()).state === 'off');
        expect(room.left()).toEqual([]);
        await room.agent.kill('SIGTERM');
        expect(room.loaded()).toContain(chunkName);
        expect(made()).toBeGreaterThan(0);
      } finally {
        await room.close();
      }
    });
  },
);
