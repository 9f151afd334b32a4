import { describe, expect, test } from 'vitest';
import { shownSettings as descriptors } from '#machines/settings.ts';
import type { StatusDocument } from '#machines/status.ts';
import { changedElsewhere } from '#ui/parts/form-item.ts';
import { fixtureStatus } from './fixture.ts';
import { config, groupMarkup, groupPages, groupRow, listMarkup, settingsPages } from './settings-fixture.tsx';

describe('the list of the groups of settings', () => {
  const rows = settingsPages.map(({ id }) => groupRow(id));
  const markup = listMarkup(rows);

  test('leads to the page of each, in the order of need', () => {
    const hrefs = [...markup.matchAll(/<a class="group-link" href="([^"]+)"/g)].map(([, href]) => href);
    expect(hrefs).toEqual([
      ...[
        'home-assistant',
        'mqtt',
        'identity',
        'dashboard',
        'screen',
        'sleep',
        'sound',
        'camera',
        'voice',
        'sensors',
        'system',
        'readings',
      ].map((id) => `/configure/${id}`),
      '/security',
    ]);
  });

  test('has a link to each field, with the id of what it leads to, for links from before there were pages', () => {
    for (const { key, group, readOnly, ha } of descriptors) {
      if ((readOnly && !ha) || changedElsewhere.has(key)) continue;
      const [page, id] = readOnly ? ['readings', `expose-${key}`] : [group, `field-${key}`];
      expect(markup).toContain(`<a id="${id}" href="/configure/${page}#${id}">`);
      expect(groupMarkup(page)).toContain(` id="${id}"`);
    }
    for (const id of ['group-mqtt', 'advanced-mqtt', 'confirm-moved', 'group-readings'])
      expect(markup).toContain(` id="${id}"`);
  });

  test('says of a group how many settings differ from the default, and what needs a person with the way there', () => {
    const detail = 'The broker refused the password. Enter the right one under Configure.';
    const needs = [{ detail, href: '/configure/mqtt#field-mqtt_password' }];
    const drawn = listMarkup([groupRow('identity', { differing: 1 }), groupRow('mqtt', { differing: 2, needs })]);
    expect(drawn).toContain('1 setting differs from the default');
    expect(drawn).toContain('2 settings differ from the default');
    expect(drawn).toContain('Enter the right one.');
    expect(drawn).toContain('<a class="button primary" href="/configure/mqtt#field-mqtt_password">');
    expect(drawn.match(/class="card need"/g)).toHaveLength(1);
    expect(markup).not.toContain('differ');
  });

  test('brings other names to the search, and draws an icon that it does not know as one of the settings', () => {
    expect(markup).toMatch(/data-words="\{[^"]*&quot;log_level&quot;:&quot;debugging&quot;/);
    const drawn = listMarkup([groupRow('mqtt', { icon: 'no-such' })]);
    expect(drawn).toMatch(/<a class="group-link"[^>]*><svg[^>]*><path d="M/);
  });

  test('says so where a panel has nothing to set', () => {
    const empty = listMarkup([]);
    expect(empty).toContain('This panel has no settings to change.');
    expect(empty).not.toContain('sconce-find');
  });
});

describe('the pages of the groups of settings', () => {
  const markup = groupPages.map((page) => page.markup).join('');

  test('have a control for everything that no page of its own changes, each once, and none for readings', () => {
    for (const item of descriptors) {
      const named = markup.match(new RegExp(`name="${item.key}"`, 'g'))?.length ?? 0;
      expect([item.key, named]).toEqual([item.key, item.readOnly || changedElsewhere.has(item.key) ? 0 : 1]);
      expect([item.key, markup.includes(`name="ha_expose_${item.key}"`)]).toEqual([item.key, item.ha]);
    }
  });

  test('show a secret only as set or not set', () => {
    expect(markup).toMatch(/data-set="1"[\s\S]*?Set[\s\S]*?name="mqtt_password" type="password"/);
    expect(markup).not.toMatch(/name="mqtt_password"[^>]*value=/);
  });

  test('lead to each other, and fold away what is seldom wanted', () => {
    for (const { name: called, markup: own } of groupPages) {
      const id = called.slice('configure '.length);
      const chips = own.match(/<nav class="jump"[\s\S]*?<\/nav>/)?.[0] ?? '';
      expect([...chips.matchAll(/href="([^"]+)"/g)].map(([, href]) => href)).toEqual([
        '/configure',
        ...settingsPages.map((page) => `/configure/${page.id}`),
      ]);
      expect(chips.match(/aria-current="page"/g)).toHaveLength(1);
      expect(chips).toContain(`href="/configure/${id}" aria-current="page"`);
      expect(own.match(new RegExp(` id="group-${id}"`, 'g'))).toHaveLength(1);
      expect(own).toMatch(new RegExp(`<h1[^>]*>${settingsPages.find((page) => page.id === id)?.title}</h1>`));
    }
    const folds = [...markup.matchAll(/id="advanced-([a-z-]+)"/g)].map((match) => match[1]);
    expect(folds).toEqual([
      'home-assistant',
      'mqtt',
      'identity',
      'dashboard',
      'screen',
      'sleep',
      'sound',
      'camera',
      'voice',
    ]);
    expect(markup.indexOf('id="field-friendly_name"')).toBeLessThan(markup.indexOf('id="field-panel_id"'));
  });

  test('show in empty fields what is in use, and never what is not', () => {
    const placeholderIn = (text: string, key: string): string | undefined =>
      new RegExp(`id="field-${key}"[^>]*placeholder="([^"]*)"`).exec(text)?.[1];
    expect(placeholderIn(markup, 'friendly_name')).toBe('Kitchen panel, chosen for you');
    expect(placeholderIn(markup, 'panel_id')).toBe('kitchen, chosen for you');
    expect(placeholderIn(markup, 'mqtt_broker')).toMatch(/^e\.g\. /);
    const own = { ...config, settings: { ...config.settings, panel_id: 'hall' } };
    expect(placeholderIn(groupMarkup('identity', fixtureStatus, own), 'panel_id')).toBe('chosen for you if left empty');
  });

  test('have switches, and one mark with a name for what Home Assistant shows', () => {
    const boxes = markup.match(/<input type="checkbox"[^>]*>/g) ?? [];
    const marks = boxes.filter((box) => !box.includes('role="switch"'));
    expect(boxes.length - marks.length).toBeGreaterThan(15);
    for (const mark of marks) expect(mark).toMatch(/aria-label="Show .+ in Home Assistant"/);
    expect(marks).toHaveLength(descriptors.filter((item) => item.ha && !item.readOnly).length);
  });

  test('do not send anybody to where they are', () => {
    const refused = { ...fixtureStatus.mqtt, phase: 'auth_failed', detail: 'Enter it under Configure.' };
    // Only the phase and the sentence differ from a whole status.
    const drawn = groupMarkup('mqtt', { ...fixtureStatus, mqtt: refused } as StatusDocument);
    expect(drawn).toContain('Enter it.');
    expect(drawn.replace(/<script[\s\S]*?<\/script>/g, '')).not.toContain('under Configure');
  });
});
