import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { faultsIn, readIcons, readWords, shortened, shortNames, usedIn, type Word } from '#bin/build/words.mjs';
import { eachPage } from '#ui/page-table.ts';
import { bundles, drawn, root, scripts, usedByServer } from './page-bundles.ts';

const words = readWords(root);
const icons = readIcons(root);
const sentTo = (page: keyof typeof bundles): Readonly<Record<string, Word>> =>
  JSON.parse(bundles[page]?.words ?? '{}') as Readonly<Record<string, Word>>;

describe('what the pages are sent', () => {
  it('has no string and no icon that neither the server nor a script draws', async () => {
    const server = await usedByServer();
    const used = new Set([...server.keys, ...Object.values(drawn).flat()]);
    expect(server.keys.length).toBeGreaterThan(500);
    expect([...words.keys()].filter((key) => !used.has(key))).toEqual([]);
    const shown = new Set<string>([...server.icons, ...Object.values(bundles).flatMap(({ icons: own }) => own)]);
    expect([...icons].filter((name) => !shown.has(name))).toEqual([]);
  });

  it.each([
    ['configure-group', 'form.changes', 'form.intro'],
    ['configure-group', 'links.sign_in', 'storage.title'],
    ['entities', 'entities.pick_all', 'entities.paging'],
    ['parts', 'part.mqtt', 'nav.label'],
    ['more', 'shell.theme', 'part.mqtt'],
  ] as const)('is for %s what its scripts draw, as %s, and not what the server does, as %s', (page, own, served) => {
    expect(words.has(own) && words.has(served)).toBe(true);
    expect(drawn[page]).toContain(own);
    expect(drawn[page]).not.toContain(served);
    expect(Object.values(sentTo(page))).toContainEqual(words.get(own));
    expect(Object.keys(sentTo(page))).toHaveLength(drawn[page]?.length ?? -1);
  });

  it('has short names for keys that are written out, and whole ones for those made from codes', () => {
    const script = scripts.find(({ name }) => name === 'configure-group.js')?.code ?? '';
    const [[key, name] = ['', '']] = shortNames(['form.changes']);
    expect(script).not.toContain(key);
    expect(script).toContain(`"${name}"`);
    expect(sentTo('configure-group')).toMatchObject({ [name]: words.get(key), 'state.working': 'working' });
  });

  it('are no words where the script of the page brings them', () => {
    const script = scripts.find(({ name }) => name === 'status.js')?.code ?? '';
    expect(sentTo('status')).toEqual({});
    expect(drawn['status']).toContain('summary.go');
    for (const key of ['summary.go', 'state.working']) expect(script).toContain(JSON.stringify(words.get(key)));
    expect(script).not.toContain('getElementById("strings")');
  });

  it('are not the words of a script that is loaded later, which brings them', () => {
    const code = (name: string): string => scripts.find((script) => script.name === name)?.code ?? '';
    expect(drawn['status-on-demand']).toContain('trying.stop');
    expect(drawn['status']).not.toContain('trying.stop');
    expect(code('status-on-demand.js')).toContain('Undo ({count})');
    expect(code('status.js')).not.toContain('Undo ({count})');
    for (const name of [
      'status-cards',
      'status-on-demand',
      'screen-picture',
      'approval',
      'confirm-broker',
      'profile-editor',
    ])
      expect(code(`${name}.js`), name).not.toContain('getElementById("strings")');
  });

  it('are the icons of every script that it may load, which for one that sends is that of approvals', () => {
    // Written by `send`; the offline page posts without it.
    const sends = scripts.filter(({ code }) => /method:"POST".{1,99}keepalive:/.test(code)).map(({ name }) => name);
    expect(sends.length).toBeGreaterThan(10);
    const pages = eachPage.filter(({ scripts: own }) => own.some((name) => sends.includes(`${name}.js`)));
    const lacking = pages.filter(({ page }) => bundles[page]?.icons.includes('mdi:shield-outline') !== true);
    expect(lacking.map(({ page }) => page)).toEqual([]);
    expect(bundles['more']?.icons).not.toContain('mdi:shield-outline');
    // By way of a script that itself is loaded later.
    expect(bundles['profiles']?.icons).toContain('mdi:shield-outline');
  });

  it('draws with no helper for private members, and no long name of one', () => {
    const own = scripts.filter(({ name }) => name !== 'profile-editor.js');
    expect(own.length).toBeGreaterThan(10);
    expect(own.filter(({ code }) => code.includes('private_') || code.includes('WeakSet'))).toEqual([]);
  });

  it('is far less than all there is', () => {
    for (const [page, keys] of Object.entries(drawn))
      expect([page, keys.length < words.size / 5]).toEqual([page, true]);
  });

  it('can stand in a script element', () => {
    for (const { words: json } of Object.values(bundles)) expect(json).not.toContain('<');
  });

  it('has a script for each page', () => {
    const names = scripts.map(({ name }) => name);
    expect(names).toContain('status.js');
    expect(names).toContain('confirm-broker.js');
  });
});

describe('what is found in a program', () => {
  const table = new Map(
    ['a.one', 'a.two', 'a.two.more', 'a.state.on', 'a.state.on.help', 'b.one'].map((key) => [key, key]),
  );
  const found = (program: string): readonly string[] => usedIn(program, table, new Set(['mdi:alert'])).keys;

  it.each([
    ['a literal', 't("a.one")', ['a.one']],
    ['a literal that is chosen', 't(on ? "a.one" : "b.one")', ['a.one', 'b.one']],
    ['a literal in a table', 'var words = { x: "a.two" };', ['a.two']],
    ['a template: one segment for each code', 't(`a.state.${word}`)', ['a.state.on']],
    ['a template that goes on', 't(`a.state.${on ? { x: 1 }.x : "z"}.help`)', ['a.state.on.help']],
    ['no key that only begins alike', 't("a.two.more")', ['a.two.more']],
    ['no template of another kind', 'log(`${a}.one and b.${one}`, `c.${x}`)', []],
  ])('%s', (_, program, keys) => expect(found(program)).toEqual(keys));

  it('is written with the short names in place of whole literals', () => {
    const program = 't("a.one", "a.one b.one"); tOr("a.two", `a.state.${x}`)';
    expect(
      shortened(
        program,
        new Map([
          ['a.one', 'X1'],
          ['b.one', 'X2'],
        ]),
      ),
    ).toBe(program.replace('"a.one",', '"X1",'));
  });

  it('an icon by its name', () => {
    expect(usedIn('jsx(Icon, { name: "mdi:alert" })', table, new Set(['mdi:alert', 'mdi:power'])).icons).toEqual([
      'mdi:alert',
    ]);
  });
});

describe('what a source names and does not exist', () => {
  const known = new Map(['form.save', 'state.on'].map((key) => [key, key]));
  const faults = (source: string): readonly string[] =>
    faultsIn(source, known, new Set(['mdi:alert'])).map(({ line, what }) => `${line}: ${what}`);

  it.each([
    ["\nt('form.sav')", ['2: there is no string "form.sav"']],
    ["t(\n  'fomr.save',\n)", ['1: there is no string "fomr.save"']],
    ["tOr('gone.key', '')", ['1: there is no string "gone.key"']],
    ["const title: StringKey = wide ? 'form.save' : 'form.safe';", ['1: there is no string "form.safe"']],
    ['<Card title="form.titel" />', ['1: there is no string "form.titel"']],
    ['t(`form.${kind}.text`)', ['1: there is no string like "form.*.text"']],
    ["tOr(key, '')", ['1: the key of tOr must stand in the call, written out or as a template']],
    ['<Icon name="mdi:alarm" />', ['1: there is no icon "mdi:alarm"']],
    ["t('form.save'); t(`state.${word}`); import x from './form.save.ts'; at('other.key'); 'mdi:alert'", []],
  ])('is named with its line: %s', (source, expected) => expect(faults(source)).toEqual(expected));
});

describe('the files of strings', () => {
  it('may not have a key twice', () => {
    const folder = mkdtempSync(join(tmpdir(), 'sconce-words-'));
    try {
      mkdirSync(join(folder, 'ui/strings'), { recursive: true });
      writeFileSync(join(folder, 'ui/strings/a.json'), '{ "a.one": "One", "a.two": "Two" }');
      writeFileSync(join(folder, 'ui/strings/b.json'), '{ "b.one": "One" }');
      expect([...readWords(folder).keys()]).toEqual(['a.one', 'a.two', 'b.one']);
      writeFileSync(join(folder, 'ui/strings/b.json'), '{ "a.two": "Too" }');
      expect(() => readWords(folder)).toThrow('the string "a.two" stands in a.json and in b.json');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
