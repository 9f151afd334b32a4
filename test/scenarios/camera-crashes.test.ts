import { readdirSync, readFileSync } from 'node:fs';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { agreedAtPanel } from './agreed-at-panel.ts';
import { type LiveAgent, startLive, until } from './live-agent.ts';

/** Ids of the encoders of this process. */
const encoders = (): readonly number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        const [, name = '', state = '', parent = ''] =
          /^\d+ \((.*)\) (\S) (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
        return name === 'ffmpeg' && state !== 'Z' && Number(parent) === process.pid;
      } catch {
        // It has just ended.
        return false;
      }
    })
    .map(Number);

describe('a camera that films while its parts crash', () => {
  let live: LiveAgent;
  /** What the part that shows it said, with the encoders of that moment. */
  const shown: { readonly holders: number; readonly encoders: number }[] = [];
  beforeAll(async () => {
    live = await startLive();
    await agreedAtPanel(live.url, { camera_enabled: true });
    await until('the session', () => live.agent.registry.read('camera-session')?.value === 'idle');
  });
  afterAll(() => live.close());

  const phase = () => live.agent.registry.read('camera-session')?.value;
  /** Opens the camera by a picture, which is not waited for. */
  const film = async (): Promise<void> => {
    void fetch(`${live.url}/api/v1/camera/snapshot.jpg`).catch(() => {});
    await until('an encoder', () => phase() === 'live' && encoders().length === 1);
  };

  it('keeps the mark of a session that crashed until its encoder is gone', async () => {
    await film();
    const end = live.agent.registry.follow(
      'in-use',
      (snapshot) => snapshot?.context.holders.length ?? 0,
      (holders) => shown.push({ holders, encoders: encoders().length }),
    );
    live.agent.kill('camera-session');
    expect(live.agent.registry.read('in-use')?.context).toMatchObject({
      holders: ['camera'],
      each: { camera: { shown: 'overlay' } },
    });
    await until('the mark to be gone', () => live.agent.registry.read('in-use')?.context.holders.length === 0);
    end();
    expect(shown).toEqual([
      { holders: 1, encoders: 1 },
      { holders: 0, encoders: 0 },
    ]);
    await until('the next session', () => phase() === 'idle');
    await film();
    await until('its end', () => phase() === 'idle' && encoders().length === 0);
    expect(live.agent.registry.read('in-use')?.context).toMatchObject({
      holders: [],
      each: { camera: { shown: 'none' } },
    });
  });

  it('closes when what shows it crashes', async () => {
    await film();
    live.agent.kill('in-use');
    await until('the encoder to be gone', () => encoders().length === 0, 1000);
    await until('the session to have closed', () => phase() === 'idle');
    await until('what shows it', () => live.agent.registry.read('in-use')?.context.holders.length === 0);
  });
});
