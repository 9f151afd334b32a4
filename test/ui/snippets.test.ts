import { describe, expect, test } from 'vitest';
import { entityRows } from '#machines/entities.ts';
import { createApp } from '#routes/app.ts';
import { fakeDeps, settledFacts } from '#test/fakes/route-deps.ts';
import { snippetsOf } from '#ui/parts/snippets.ts';

const facts = {
  origin: 'http://panel.local:8888',
  panelId: 'hall_panel',
  name: 'Hall "panel": one',
  homeAssistant: '',
};
const snippets = snippetsOf(facts);

/**
 * One line of the YAML that the snippets keep to: two spaces a level, a key with or without a value, or an item of a
 * list.
 */
const line = /^(?: {2})*(?:- )?(?:[a-z_]+:(?: (?:"(?:[^"\\]|\\.)*"|'[^']*'|!secret [a-z_]+|[\w./]+))?|[a-z]{3})$/;

const page = async (host: string | null, changed: Readonly<Record<string, unknown>> = {}): Promise<string> => {
  const env = { incoming: { rawHeaders: host === null ? [] : ['Host', host] } };
  const app = createApp(fakeDeps({}, { ...settledFacts(), ...changed }));
  return (await app.fetch(new Request('http://panel.invalid/snippets'), env)).text();
};

describe('every snippet', () => {
  test.each(snippets.map(({ id, yaml }) => [id, yaml] as const))('%s is plain YAML, line by line', (_, yaml) => {
    expect(yaml.split('\n').filter((text) => text !== '' && !line.test(text))).toEqual([]);
    expect(yaml.endsWith('\n')).toBe(true);
  });

  test.each(snippets.map(({ id, yaml }) => [id, yaml] as const))(
    '%s names only entities that this panel has',
    (_, yaml) => {
      const known = entityRows.map(({ entityKind, key }) => `${entityKind}.hall_panel_${key}`);
      const named = [...yaml.matchAll(/entity_id: (\w+\.hall_panel_\w+)/g)].map((match) => match[1]);
      expect(named.filter((entity) => entity === undefined || !known.includes(entity))).toEqual([]);
    },
  );

  test('quotes a name that would end the text', () => {
    expect(snippets[1]?.yaml.split('\n')[0]).toBe('alias: "Hall \\"panel\\": one: light the screen at motion"');
  });

  test('takes the address of Home Assistant from the settings where it is set', () => {
    expect(snippetsOf({ ...facts, homeAssistant: 'https://home.example' })[0]?.yaml).toContain(
      '"https://home.example/api/tts_get_url"',
    );
  });
});

describe('the page', () => {
  test('holds the address that the visitor used', async () => {
    expect(await page('panel.local:8123')).toContain('http://panel.local:8123/play');
    expect(await page('[fd00::7]:8888')).toContain('http://[fd00::7]:8888/play');
  });

  test.each([null, 'evil"host', 'a b', 'x<y>'])('holds none for the host %j, and says so', async (host) => {
    const text = await page(host);
    expect(text).toContain('http://192.0.2.20:8888/play');
    expect(text).toContain('did not send');
    if (host !== null) expect(text).not.toContain(host);
  });

  test('over loopback it holds the address that Home Assistant is given, and says so', async () => {
    for (const own of ['127.0.0.1:8888', 'localhost:8888', '[::1]:8888']) {
      // oxlint-disable-next-line no-await-in-loop -- one page after another
      const text = await page(own);
      expect(text).toContain('http://192.0.2.7:8888/play');
      expect(text).toContain('reaches this panel at http://192.0.2.7:8888,');
      expect(text).not.toContain('on the panel itself');
    }
    expect(await page('panel.local:8888')).not.toContain('reaches this panel at');
  });

  test('without a network it says that the machine’s own address is of no use elsewhere', async () => {
    const text = await page('127.0.0.1:8888', { readings: { reading: null, takenAt: 1 } });
    expect(text).toContain('on the panel itself');
    expect(text).toContain('http://127.0.0.1:8888/play');
  });

  test('leads into the Home Assistant of the settings, and by the public service where none is set', async () => {
    expect(await page('panel.local:8888')).toContain('href="https://my.home-assistant.io/redirect/automations/"');
    const settings = settledFacts()['settings'] as { readonly values: object };
    const set = { settings: { ...settings, values: { ...settings.values, ha_url: 'http://home.example:8123' } } };
    const text = await page('panel.local:8888', set);
    expect(text).toContain('href="http://home.example:8123/_my_redirect/automations"');
    expect(text).not.toContain('my.home-assistant.io');
  });

  test('each piece is folded, and copied without unfolding it', async () => {
    const text = await page('panel.local:8888');
    expect(text.match(/data-copy="[\s\S]*?<details class="fold">[\s\S]*?<pre/g)).toHaveLength(snippets.length);
  });
});
