import { describe, expect, test } from 'vitest';
import type { Observed } from '#machines/provisioning/events.ts';
import type { ProfileCatalogContext } from '#machines/profile-catalog/events.ts';
import { createLogTail } from '#drivers/log/tail.ts';
import { createApp } from '#routes/app.ts';
import type { RouteDeps } from '#routes/kit/deps.ts';
import { fakeDeps, settledFacts } from '#test/fakes/route-deps.ts';

const observed: Observed = {
  at: 5,
  packages: {},
  groupsKnown: ['video'],
  groupsOwn: [],
  root: false,
  user: 'markerwall',
  rules: null,
  evidence: {},
};

const yaml = `# The flat of Marker Anna
schema: 1
id: marker.flat
display_name: Marker flat
metadata:
  author: Marker Anna
hardware:
  screen: { driver: screen.adb, options: { host: marker-tablet, port: 5555 } }
  relays:
    - { driver: relay.gpio, options: { line: 4 } } # behind 198.51.100.8
`;

function factsOf(origin: 'bundled' | 'local'): Record<string, unknown> {
  const facts = settledFacts();
  const hash = 'd'.repeat(64);
  const profiles = facts['profile-catalog'] as ProfileCatalogContext;
  return {
    ...facts,
    'active-profile': { ...(facts['active-profile'] as object), id: 'marker.flat', title: 'Marker flat', hash, origin },
    'profile-catalog': {
      ...profiles,
      catalog: profiles.catalog && { ...profiles.catalog, active: { id: 'marker.flat', revision: hash } },
    },
    provisioning: {
      requirements: [
        {
          slot: 'screen',
          driver: 'screen.auto',
          capability: null,
          title: 'Screen',
          importance: 'required',
          groups: ['video'],
          packages: [],
          udev: [],
        },
      ],
      observed,
    },
  };
}

async function get(more: Partial<RouteDeps> = {}, facts: Record<string, unknown> = factsOf('local')) {
  const deps = fakeDeps(more, facts);
  deps.registry.answer = (id) => {
    if (id === 'provisioning') return { ok: true, value: observed };
    if (id === 'profile-catalog') return { ok: true, value: { bytes: new TextEncoder().encode(yaml) } };
    return { ok: false, reason: 'absent' };
  };
  const app = createApp(deps);
  const response = await app.fetch(new Request('http://panel.invalid/api/v1/support'), {});
  return { app, response, text: await response.text() };
}

describe('the support bundle', () => {
  test('is one file with its day, which nothing keeps, and reading it counts as an action', async () => {
    const { app, response } = await get();
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/plain; charset=UTF-8');
    expect(response.headers.get('content-disposition')).toBe('attachment; filename="sconce-support-2023-11-14.txt"');
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(app.isActiveGet('/api/v1/support', '')).toBe(true);
  });

  test('holds versions, diagnostics, the plan, the profile, the status and every line that is kept', async () => {
    const logs = createLogTail({ lines: 8, scrub: (text) => text });
    for (const msg of ['the first line', 'the second line'])
      logs.keep(JSON.stringify({ level: 'warn', time: 1000, part: 'volume', msg, route: 'simulated' }));
    const { text } = await get({ logs });
    const titles = [...text.matchAll(/^== (.*) ==$/gm)].map(([, title]) => title);
    expect(titles).toEqual([
      'Sconce support bundle',
      'Versions',
      'Diagnostics',
      'What the profile requires of this machine',
      'Active profile',
      'Status',
      'Log, the newest line last',
    ]);
    expect(text).toContain('Sconce 0.1.0, build abcdef01');
    expect(text).toContain('[supervision]');
    expect(text).toContain('Group video');
    expect(text).toContain('driver: relay.gpio, options: { line: 4 }');
    const status = /== Status ==\n([\s\S]*?)\n\n== /.exec(text)?.[1] ?? '';
    expect(JSON.parse(status)).toMatchObject({ panel: { version: '0.1.0', name: '[redacted]' } });
    expect(text).toMatch(
      /1970-01-01T00:00:01\.000Z warn {2}volume: the first line route=simulated\n.*the second line route=simulated\n$/,
    );
  });

  test('names nobody: neither the panel nor its network, its account, its user, or the author of its profile', async () => {
    const logs = createLogTail({ lines: 8, scrub: (text) => text });
    logs.keep(
      JSON.stringify({ level: 'info', time: 1, msg: 'Hall panel at 192.0.2.7 as hall_panel', to: 'host-of-mine' }),
    );
    const { text } = await get({ logs, ownNames: () => ['host-of-mine'] });
    for (const name of [
      /marker/i,
      /hall.panel/i,
      /00112233445566778899aabbccddeeff/,
      /192\.0\.2\.7/,
      /198\.51\.100/,
      /host-of-mine/,
    ])
      expect(text).not.toMatch(name);
  });

  test('leaves a profile that comes with Sconce its words', async () => {
    const { text } = await get({}, factsOf('bundled'));
    expect(text).toContain('# The flat of Marker Anna');
    expect(text).not.toContain('marker-tablet');
  });

  test('keeps out what the log keeps out', async () => {
    const { text } = await get({ scrub: (words) => words.replaceAll('simulated', '[secret]') });
    expect(text).toContain('[secret]');
    expect(text).not.toContain('simulated');
  });

  test('is given all the same while parts of the agent are being restarted', async () => {
    const { provisioning: _plan, identity: _names, settings: _written, ...rest } = factsOf('local');
    const { response, text } = await get({}, rest);
    expect(response.status).toBe(200);
    expect(text).toContain('(not read: that part of the agent is being restarted)');
    expect(text).toContain('== Status ==');
  });
});
