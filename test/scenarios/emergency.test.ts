import { afterEach, describe, expect, it } from 'vitest';

import { emergencyProfile } from '#profiles/emergency.ts';

import { type LiveAgent, post, startLive, statusOf, until } from './live-agent.ts';

/** The list of the groups of settings, once those were read from the disk. */
const configure = (url: string): Promise<string> =>
  until('the settings were read', async () => {
    const answer = await fetch(`${url}/configure`);
    return answer.ok ? await answer.text() : null;
  });

describe('an agent whose profiles are all broken', () => {
  let live: LiveAgent | undefined;
  afterEach(async () => live?.close());

  it('has no parts, and its pages and routes answer all the same', async () => {
    live = await startLive({ profile: emergencyProfile() });
    const { url } = live;
    await configure(url);
    const answers = await Promise.all(
      [
        '/',
        '/configure',
        '/logs',
        '/health',
        '/api/v1/info',
        '/api/v1/status',
        '/api/v1/sensors',
        '/api/v1/provisioning/plan',
      ].map(async (path) => [path, (await fetch(url + path)).status] as const),
    );
    expect(answers.filter(([, status]) => status !== 200)).toEqual([]);
    const status = await statusOf(url);
    expect(status.panel.profile).toMatchObject({ id: 'emergency', simulated: false });
    expect(status.screen).toBeNull();
    expect(status.capabilities.map(({ id }) => id)).not.toContain('screen');
  });

  it('asks for no settings of parts that are not there, and takes them all the same', async () => {
    live = await startLive({ profile: emergencyProfile() });
    const { url } = live;
    const list = await configure(url);
    const paths = [...list.matchAll(/class="group-link" href="([^"]+)"/g)].map(([, path = '']) => path);
    expect(paths).not.toContain('/configure/sensors');
    expect((await fetch(`${url}/configure/sensors`)).status).toBe(404);
    const form = [list, ...(await Promise.all(paths.map(async (path) => (await fetch(url + path)).text())))].join('');
    expect(form).toContain('name="log_level"');
    for (const key of ['temperature_offset', 'wake_on_wave', 'adb_device', 'screen_minimum_percent'])
      expect(form).not.toContain(`"${key}"`);
    expect(form).not.toContain('ha_expose_illuminance');
    expect((await post(`${url}/api/v1/config`, { temperature_offset: -2 })).status).toBe(200);
    expect(await (await fetch(`${url}/api/v1/config`)).json()).toMatchObject({ settings: { temperature_offset: -2 } });
  });
});
