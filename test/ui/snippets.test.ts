import { defineScalarTag, load, YAML11_SCHEMA } from 'js-yaml';
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
const line =
  /^(?: {2})*(?:- )?(?:(?:script )?[a-z_]+:(?: (?:"(?:[^"\\]|\\.)*"|'[^']*'|!secret [a-z_]+|[\w./]+))?|[a-z]{3})$/;

const automationKeys = ['alias', 'mode', 'triggers', 'conditions', 'actions'];

/** YAML as Home Assistant reads it: version 1.1, with its own tag for what stands in `secrets.yaml`. */
const schema = YAML11_SCHEMA.withTags(
  defineScalarTag('!secret', { resolve: (name) => ({ secret: name }), identify: () => false }),
);
const read = (id: string): unknown => load(snippets.find((snippet) => snippet.id === id)?.yaml ?? '', { schema });

async function page(host: string | null, changed: Readonly<Record<string, unknown>> = {}): Promise<string> {
  const env = { incoming: { rawHeaders: host === null ? [] : ['Host', host] } };
  const app = createApp(fakeDeps({}, { ...settledFacts(), ...changed }));
  return (await app.fetch(new Request('http://panel.invalid/snippets'), env)).text();
}

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

  test.each(snippets.filter(({ place }) => place === 'automation').map(({ id }) => id))(
    '%s is an automation in the words that Home Assistant uses since 2024.10',
    (id) => {
      const text = expect.any(String);
      const triggers = expect.arrayContaining([expect.objectContaining({ trigger: text })]);
      const actions = expect.arrayContaining([expect.objectContaining({ action: text })]);
      expect(read(id)).toMatchObject({ alias: text, mode: text, triggers, actions });
      expect(Object.keys(read(id) as object).filter((key) => !automationKeys.includes(key))).toEqual([]);
      expect(snippets.find((snippet) => snippet.id === id)?.yaml).not.toMatch(/\b(?:service|platform):/);
    },
  );

  test('a state is text, not what YAML 1.1 makes of on and off', () => {
    expect(read('motion')).toMatchObject({ triggers: [{ to: 'on' }], conditions: [{ state: 'off' }] });
  });

  test('speech stands beside the scripts of Home Assistant’s own editor, which a second plain key would replace', () => {
    expect(read('speak')).toMatchObject({
      rest_command: {
        hall_panel_speech: { headers: { authorization: { secret: 'hall_panel_speech' } } },
        hall_panel_play: { url: 'http://panel.local:8888/play' },
      },
      'script hall_panel': {
        hall_panel_say: {
          fields: { message: { required: true } },
          sequence: [{ action: 'rest_command.hall_panel_speech' }, { action: 'rest_command.hall_panel_play' }],
        },
      },
    });
    expect(load(snippets.at(-1)?.secret ?? '')).toEqual({ hall_panel_speech: 'Bearer LONG_LIVED_ACCESS_TOKEN' });
  });

  test('quotes a name that would end the text', () => {
    expect(snippets[0]?.yaml.split('\n')[0]).toBe('alias: "Hall \\"panel\\": one: light the screen at motion"');
  });

  test('takes the address of Home Assistant from the settings where it is set', () => {
    expect(snippetsOf({ ...facts, homeAssistant: 'https://home.example' }).at(-1)?.yaml).toContain(
      '"https://home.example/api/tts_get_url"',
    );
  });

  test('what most people want stands first, what needs a token and a restart last', () => {
    expect(snippets.map(({ id }) => id)).toEqual(['motion', 'doorbell', 'night', 'reload', 'speak']);
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

  test('what is to be changed is read before the button that copies', async () => {
    const text = await page('panel.local:8888');
    expect(text.match(/<b>Change:<\/b>(?:(?!<section)[\s\S])*?data-copy=/g)).toHaveLength(snippets.length);
  });

  test('the line for secrets.yaml is copied on its own', async () => {
    expect(await page('panel.local:8888')).toMatch(
      /data-copy="\w+_speech: &quot;Bearer LONG_LIVED_ACCESS_TOKEN&quot;" aria-label="Copy the line for secrets.yaml"/,
    );
  });
});
