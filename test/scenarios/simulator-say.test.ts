import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

import { SimulatedDevice } from '#drivers/simulator/device.ts';
import { simulatedProfile } from '#test/fakes/simulated-profile.ts';

import { wavFile } from '../drivers/simulator/wav-file.ts';
import { refuseMismatch, startLive, until } from './live-agent.ts';

it('what is sent to a simulated panel is heard by its microphone, and neither logged nor kept', async () => {
  const device = new SimulatedDevice();
  const live = await startLive({ profile: simulatedProfile(device) });
  try {
    const say = async (type: string, body: string | Uint8Array<ArrayBuffer>): Promise<readonly [number, unknown]> => {
      const response = await fetch(`${live.url}/api/v1/simulator/say`, {
        method: 'POST',
        headers: { 'content-type': type },
        body,
      });
      return [response.status, await response.json()];
    };
    const sound = new Uint8Array(wavFile(Array<number>(8000).fill(900), { rate: 8000 }));
    await until('the simulator runs', async () => (await say('audio/wav', sound))[0] === 202);
    expect(await say('audio/wav', sound)).toEqual([202, { ok: true, ms: 1000 }]);
    expect(Buffer.from(device.microphone.take(64)).readInt16LE(62)).toBe(900);
    const long = JSON.stringify({ text: 'marker '.repeat(40) });
    expect(await say('application/json', long)).toMatchObject([400, { error: 'bad-value' }]);
    const six = new Uint8Array(wavFile([1, 2, 3, 4, 5, 6], { channels: 6 }));
    expect(await say('audio/wav', six)).toMatchObject([400, { error: 'bad-sound' }]);
    expect((await say('audio/wav', new Uint8Array(1_048_577)))[0]).toBe(413);
    const log = live.lines.join('\n');
    refuseMismatch(log);
    expect(log).not.toContain('marker');
    const temporary = join(live.folder, 'tmp');
    await until('its files are gone', () => !existsSync(temporary) || readdirSync(temporary).length === 0);
  } finally {
    await live.close();
  }
});
