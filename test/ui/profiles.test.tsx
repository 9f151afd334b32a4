import { describe, expect, test } from 'vitest';
import type { ProfilePreview } from '#machines/profile-catalog/requests.ts';
import type { ShownCatalog } from '#machines/profile-catalog/listing.ts';
import { bundledBytes, bundledProfiles } from '#profiles/bundled.ts';
import { readProfile } from '#profiles/read.ts';
import { clonedProfile } from '#ui/elements/clone-profile.ts';
import { ProfilesPage } from '#ui/pages/profiles-page.tsx';
import { todosIn } from '#ui/parts/profile-todos.ts';
import { ProfileFindings } from '#ui/parts/profile-findings.tsx';
import { ProfilesView } from '#ui/parts/profiles-view.tsx';
import { fixtureCatalog, fixtureNow, fixtureStatus } from './fixture.ts';
import { markupOf } from './markup.ts';

const words = (markup: string): string => markup.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');

const view = (
  more: Partial<ShownCatalog> = {},
  props: { reachable?: boolean; expected?: string | null } = {},
): string =>
  markupOf(
    <ProfilesView
      catalog={{ ...fixtureCatalog, ...more }}
      title="Emergency"
      now={fixtureNow}
      reachable={props.reachable ?? true}
      live={true}
      expected={props.expected ?? null}
    />,
  );

const row = (markup: string, letter: string): string =>
  new RegExp(`<li id="profile-${letter.repeat(12)}">.*?</details></li>`).exec(markup)?.[0] ?? '';

describe('the list of profiles', () => {
  test('offers of each revision what can be done with it', () => {
    const markup = view();
    const offered = (letter: string): readonly string[] =>
      [...row(markup, letter).matchAll(/data-profile="([a-z]+)"/g)].map(([, does]) => does ?? '');
    expect(offered('a')).toEqual(['open']);
    expect(offered('b')).toEqual(['select', 'open']);
    expect(offered('d')).toEqual(['select', 'open', 'delete']);
    expect(row(markup, 'b')).toContain('Edit a copy');
    expect(row(markup, 'a')).not.toContain('Edit a copy');
  });

  test('shows the limits of a profile and its links as words, never as markup', () => {
    expect(row(view(), 'c')).toContain('Not run on its hardware &lt;b&gt;.');
    expect(row(view(), 'b')).toContain('href="https://panel.example/about" rel="noopener noreferrer nofollow"');
  });

  test('changes nothing where the command line decides', () => {
    const markup = view({ selection: { mode: 'command_line', id: null, revision: null }, active: null });
    expect(markup).not.toMatch(/data-profile="(?:select|rollback|auto)"/);
    expect(words(markup)).toContain('Emergency Set when Sconce starts');
  });

  test('says of a panel without a screen why it is a simulated one', () => {
    const chosen = (id: string): string =>
      words(view({ selection: { mode: 'auto', id: null, revision: null }, active: { id, revision: 'a'.repeat(64) } }));
    expect(chosen('simulated')).toContain('No screen was found on this machine');
    expect(chosen('hall')).toContain('the best match');
  });

  test('stays small in the page itself however many revisions there are', () => {
    const [first] = fixtureCatalog.profiles;
    if (first === undefined) throw new Error('the fixture has no profiles');
    const profiles = Array.from({ length: 128 }, (_, index) => ({
      ...first,
      id: `panel-${index}`,
      origin: index < 100 ? ('local' as const) : ('bundled' as const),
      revision: index.toString(16).padStart(4, '0').repeat(16),
      limitations: ['What does not work. '.repeat(4), 'It is slow.', 'It is late.'],
    }));
    const markup = markupOf(<ProfilesPage status={fixtureStatus} catalog={{ ...fixtureCatalog, profiles }} />);
    expect(Buffer.byteLength(markup)).toBeLessThan(40_000);
    expect(words(markup)).toContain('Turn on JavaScript to see 94 more.');
  });
});

describe('an activation', () => {
  const pending = { id: 'hall', revision: 'e'.repeat(64) };

  test.each<readonly [string, Partial<ShownCatalog>, { reachable?: boolean; expected?: string }, readonly string[]]>([
    [
      'is about to restart',
      { pending, activation: { state: 'trial', since: fixtureNow - 300, reason: 'restart-due', detail: null } },
      {},
      ['about to restart with Panel hall 1.2.0', 'checking'],
    ],
    [
      'waits for the agent',
      { pending },
      { reachable: false, expected: 'Panel hall 1.2.0' },
      ['Sconce is restarting with Panel hall 1.2.0. This page waits for it.', 'checking'],
    ],
    [
      'is on trial',
      {
        pending,
        activation: { state: 'trial', since: fixtureNow - 90_000, reason: 'not-proven-yet', detail: null },
        trial: { elapsed_ms: 7_100, held_ms: 4_500, hold_ms: 30_000 },
      },
      {},
      ['Trying Panel hall 1.2.0 for 7 s.', 'checking'],
    ],
    [
      'was taken back',
      {
        activation: {
          state: 'rolled_back',
          since: fixtureNow - 7_000,
          reason: 'screen-not-proven',
          detail: 'The screen did not answer.',
        },
      },
      {},
      ['Rolled back 7 s ago', 'The screen did not answer.', 'needs you'],
    ],
    ['is done', {}, {}, ['Panel hall 1.0.0 Chosen by you.', 'working']],
  ])('that %s says so', (_, catalog, props, expected) => {
    const markup = view(catalog, props);
    for (const said of expected) expect(words(markup)).toContain(said);
    const busy = catalog.activation?.state === 'trial' || props.reachable === false;
    expect(markup).toContain(`data-profile="rollback" data-busy="${busy ? 1 : 0}"`);
  });
});

test('the bar of a trial is full when what is awaited has held', () => {
  const activation = { state: 'trial' as const, since: 0, reason: 'not-proven-yet', detail: null };
  const bar = (trial: ShownCatalog['trial'], props = {}) =>
    /<progress[^>]*>/.exec(view({ activation, trial }, props))?.[0];
  expect(bar({ elapsed_ms: 7_100, held_ms: 4_500, hold_ms: 30_000 })).toContain('max="30000" value="4500"');
  expect(bar(null, { reachable: false })).toContain('max="1" value="0"');
});

describe('a copy of a profile that comes with Sconce', () => {
  const original = (id: string): string => Buffer.from(bundledBytes(id) ?? new Uint8Array()).toString('utf8');

  /** The fallback fits every machine; the author of its copy names the machine. */
  const named = (id: string, text: string): string =>
    id === 'generic-linux'
      ? text.replace('any: []', 'any: [{ priority: 0, all: [{ field: dmi_vendor, op: equals, values: [somebody] }] }]')
      : text;

  test.each(bundledProfiles().map(({ document }) => [document.id, document] as const))(
    '%s is one of its own, and claims nothing that was proved of the original',
    (id, document) => {
      const { tested_firmware: _, ...metadata } = document.metadata;
      const read = readProfile(Buffer.from(named(id, clonedProfile(original(id)))));
      expect(read).toMatchObject({ ok: true, warnings: [], summary: { maturity: 'draft', tested_firmware: [] } });
      expect(read.ok && { ...read.document, match: document.match }).toEqual({
        ...document,
        id: `${id}-copy`,
        display_name: `${document.display_name} (copy)`,
        version: '0.1.0',
        metadata: { ...metadata, maturity: 'draft' },
      });
    },
  );

  test('keeps the marks around a name', () => {
    expect(clonedProfile('display_name: "Panel: hall"\n')).toBe('display_name: "Panel: hall (copy)"\n');
  });
});

/** The mark of an open place, which no file of the repository may hold. */
const mark = ['TO', 'DO'].join('');

describe('what the panel says of a text', () => {
  const preview: ProfilePreview = {
    valid: true,
    issues: [],
    summary: null,
    already_saved: false,
    matches_this_device: false,
    risks: [{ code: 'relay-write', detail: 'It switches relays.' }],
    absent: ['led'],
    diff: [{ path: 'hardware.led', before: null, after: 'led.class' }],
    preview_token: 'x',
    preview_expires_at: 1,
    evidence: null,
  };

  test('names risks in words and what would change', () => {
    const text = words(markupOf(<ProfileFindings findings={{ phase: 'checked', preview, todos: [] }} />));
    expect(text).toContain('No errors found');
    expect(text).toContain('It switches relays.');
    expect(text).toContain('1 difference from the one in use hardware.led nothing → becomes led.class');
    expect(text).toContain('It does not list this panel.');
  });

  test('counts the places that are still open, and leads to each', () => {
    const markup = markupOf(<ProfileFindings findings={{ phase: 'checked', preview, todos: [3, 14] }} />);
    expect(words(markup)).toContain(`2 ${mark}s left Places that only you can fill in: Line 3 Line 14`);
    expect(words(markup)).not.toContain('No errors found');
    expect(markup).toContain('data-line="14" data-column="1"');
    const many = Array.from({ length: 25 }, (_, index) => index + 1);
    expect(words(markupOf(<ProfileFindings findings={{ phase: 'checked', preview, todos: many }} />))).toContain(
      'and 5 more further down',
    );
  });

  test('warns of a panel without a screen or without touch, and of nothing else that is missing', () => {
    const said = (absent: readonly string[]): string =>
      words(markupOf(<ProfileFindings findings={{ phase: 'checked', preview: { ...preview, absent }, todos: [] }} />));
    expect(said(['led', 'buttons'])).not.toContain('With this profile');
    expect(said(['screen', 'led'])).toContain('With this profile the panel has no screen');
    expect(said(['screen', 'led'])).not.toContain('has no touch');
    expect(said(['touch'])).toContain('With this profile the panel has no touch');
  });

  test('leads from a mistake to its line, and keeps it while the text is checked again', () => {
    const issues = [
      { severity: 'error', path: 'version', line: 4, column: 10, reason: 'format', message: 'Write <three> numbers.' },
      { severity: 'warning', path: '', line: null, column: null, reason: 'unused', message: 'A driver is not used.' },
    ] as const;
    const markup = markupOf(
      <ProfileFindings findings={{ phase: 'checked', preview: { ...preview, valid: false, issues }, todos: [] }} />,
    );
    expect(words(markup)).toContain('1 error');
    expect(markup).toContain('data-line="4" data-column="10"');
    expect(markup).toContain('Write &lt;three&gt; numbers.');
    expect(words(markup)).not.toContain('What it can do');
    expect(
      words(
        markupOf(
          <ProfileFindings
            findings={{ phase: 'checking', preview: { ...preview, valid: false, issues }, todos: [] }}
          />,
        ),
      ),
    ).toContain('Checking Error, line 4');
  });

  test('says why it could not be checked, and that the text is kept', () => {
    expect(
      words(
        markupOf(
          <ProfileFindings
            findings={{ phase: 'unchecked', preview: null, reason: 'The panel does not answer.', todos: [] }}
          />,
        ),
      ),
    ).toContain('Not checked: The panel does not answer. Your text is kept.');
  });
});

test('a place is open where the mark stands alone or with words behind it, not where it is spoken of', () => {
  const text = [
    '# Search for MARK, then import it.',
    'author: MARK',
    'license: MIT # MARK: yours',
    '#  x: MARK # a word',
  ];
  expect(todosIn(text.join('\n').replaceAll('MARK', mark))).toEqual([2, 3, 4]);
  expect(todosIn(`name: ${mark}S\nlist: [${mark}, "${mark}"]`)).toEqual([2]);
});

test('that nobody has confirmed the profiles of Sconce yet is said once, and not beside each', () => {
  const [first] = fixtureCatalog.profiles;
  if (first === undefined) throw new Error('the fixture has no profiles');
  const bundled = (maturity: 'draft' | 'verified', id: string) => ({
    ...first,
    id,
    origin: 'bundled' as const,
    state: 'bundled' as const,
    maturity,
  });
  const said = (profiles: ShownCatalog['profiles']): number =>
    words(view({ profiles })).split('No owner has confirmed').length - 1;
  expect(said([bundled('draft', 'one'), bundled('draft', 'two'), bundled('verified', 'three')])).toBe(1);
  expect(words(view({ profiles: [bundled('verified', 'three')] }))).toContain('fully tested');
  expect(said([bundled('verified', 'three')])).toBe(0);
});
