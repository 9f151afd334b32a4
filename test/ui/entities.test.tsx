import { describe, expect, test } from 'vitest';
import type { EntityFilterContext } from '#machines/entity-filter/events.ts';
import { issueOf } from '#machines/entity-filter/fingerprint.ts';
import type { Issue } from '#machines/entity-filter/persisted.ts';
import { filterOf, issuesOf, preparingOf, syncOf } from '#machines/entity-filter/view.ts';
import type { EntityRow } from '#machines/entity-filter/documents.ts';
import { headlineOf, placeWords, stateWords, whyWords } from '#ui/parts/entities-words.ts';
import { countWords, onlyWords } from '#ui/parts/entities-list.tsx';
import { EntitiesView } from '#ui/parts/entities-view.tsx';
import type { Measured } from '#ui/parts/entities-savings.tsx';
import { OfflinePage } from '#ui/pages/offline-page.tsx';
import { filterFacts, learnedDashboard, twoIssues } from '#test/fakes/entity-filter.ts';
import { fixtureNow, fixtureStatus } from './fixture.ts';
import { markupOf } from './markup.ts';

function headline(more: Partial<EntityFilterContext>) {
  const facts = filterFacts(more);
  const { items } = issuesOf(facts.dashboards.find(({ dashboard }) => dashboard === 'kitchen-panel'));
  const { state, title, action } = headlineOf(
    syncOf(facts, 'kitchen-panel'),
    items,
    filterOf(facts, null).mode === 'manual',
  );
  return [state, title, action];
}
const unread = { showing: 'not-scanned', dashboards: [] } as const;
const tooLarge = issueOf('kitchen-panel', 'too-large', { view: null, card: null });
const open = [learnedDashboard({ active: null })];

test.each<[string, Partial<EntityFilterContext>, readonly unknown[]]>([
  ['filtered', {}, ['working', 'The dashboard loads 23 of 2,013 entities', null]],
  [
    'filtered, and more was learned',
    { dashboards: [learnedDashboard({ active: ['light.a'] })] },
    ['working', 'The dashboard loads 1 of 2,013 entities', 'activate'],
  ],
  [
    'filtered, of nobody knows how many',
    { dashboards: [{ ...learnedDashboard({ members: [], active: [] }), existing: 0 }] },
    ['working', 'The dashboard loads 0 of 0 entities', null],
  ],
  ['nobody chose it', { noFilter: 'not-chosen' }, ['off', 'The filter is off', 'on']],
  ['another program', { noFilter: 'no-renderer' }, ['not_here', 'Another browser shows the dashboard', 'renderer']],
  ['nobody signed in', { noFilter: 'signed-out' }, ['needs_you', 'The filter needs a sign-in', 'sign-in']],
  ['starting', { noFilter: 'reading' }, ['checking', 'Loading the filter', null]],
  [
    'a card that shows what it finds',
    { showing: 'unbounded', dashboards: [learnedDashboard({ active: null, issues: twoIssues })] },
    ['working', 'The dashboard gets everything', null],
  ],
  [
    'more than can be looked through',
    { showing: 'unbounded', dashboards: [learnedDashboard({ active: null, issues: [tooLarge] })] },
    ['working', 'The dashboard gets everything', null],
  ],
  ['all ignored', { showing: 'unbounded', dashboards: open }, ['off', 'The filter is ready', 'activate']],
  ['no dashboard', { showing: 'not-a-dashboard' }, ['off', 'This page gets everything', null]],
  ['uncut', { showing: 'fallback' }, ['off', 'The page could not be filtered', 'status']],
  ['not read', unread, ['checking', 'The dashboard has not been read yet', 'sync']],
  ['not readable now', { ...unread, scanFailure: 'busy' }, ['checking', 'The dashboard could not be read', 'sync']],
  [
    'not readable with this sign-in',
    { ...unread, scanFailure: 'signed-out' },
    ['needs_you', 'The dashboard could not be read', 'sync'],
  ],
  [
    'being read',
    { ...unread, scan: { number: 1, dashboard: 'kitchen-panel', step: 1, entities: 812, since: 1 } },
    ['checking', 'The dashboard is being read', null],
  ],
])('a dashboard is said to be %s', (_, more, words) => expect(headline(more)).toEqual(words));

test.each([
  [null, null, 'this dashboard'],
  ['Kitchen', null, 'the view Kitchen'],
  [null, 'entities', 'the entities card'],
  ['Kitchen', 'custom:mini-graph-card', 'the mini-graph card in Kitchen'],
])('a place of the view %s and the card %s is "%s"', (view, card, words) =>
  expect(placeWords({ view, card })).toBe(words),
);

describe('a row says', () => {
  const row: EntityRow = {
    entity_id: 'light.a',
    name: null,
    subscribed: true,
    override: 'auto',
    missing: false,
    misses: 0,
    reasons: [{ source: 'configuration', view: 'Kitchen', card: null }],
  };
  const read = { source: 'read', view: null, card: null } as const;
  const opened = { source: 'opened', view: null, card: null } as const;
  const tile = { source: 'configuration', view: 'Hall', card: 'tile' } as const;
  test.each<[Partial<EntityRow>, string]>([
    [{}, 'Sent. In the view Kitchen'],
    [{ reasons: [tile, read] }, 'Sent. On a tile card in Hall, read by the page'],
    [{ reasons: [{ ...tile, view: null, card: 'custom:entities-card' }] }, 'Sent. On an entities card'],
    [{ reasons: [{ ...tile, view: null, card: null }] }, 'Sent. Named by the dashboard'],
    [{ reasons: [{ ...tile, source: 'target' }] }, 'Sent. By area, floor, label or device on a tile card in Hall'],
    [{ reasons: [read] }, 'Sent. Read by the page'],
    [{ reasons: [read, read, opened] }, 'Sent. Read by the page, its details were opened'],
    [{ reasons: [read], misses: 2 }, 'Sent. Read by the page; not found in the last 2 scans'],
    [{ override: 'pinned', reasons: [] }, 'Always sent. Only you pinned it'],
    [{ override: 'forced_exclude', subscribed: false }, 'Never sent. In the view Kitchen'],
    [{ reasons: [] }, 'Sent. Home Assistant’s own page reads it'],
    [{ subscribed: false, reasons: [] }, 'Not sent. You turned off learning this kind'],
    [{ subscribed: false, reasons: [], misses: 3 }, 'Not sent. Nothing names it any more'],
    [{ missing: true }, 'Missing. Home Assistant does not have it'],
    [{ missing: true, override: 'pinned' }, 'Missing. You pinned it, but Home Assistant does not have it'],
  ])('%j as "%s"', (more, words) => {
    const one = { ...row, ...more };
    expect(`${stateWords(one)}. ${whyWords(one)}`).toBe(words);
  });
});

describe('the upper part', () => {
  const drawn = (issues: readonly Issue[], measured: Measured = null, live = true): string => {
    const facts = filterFacts({ dashboards: [learnedDashboard({ issues })] });
    return markupOf(
      <EntitiesView
        filter={filterOf(facts, null)}
        sync={syncOf(facts, 'kitchen-panel')}
        issues={issuesOf(facts.dashboards[0])}
        now={fixtureNow}
        live={live}
        measured={measured}
        without={null}
      />,
    );
  };
  test('says each issue with its place, and what can be done', () => {
    const markup = drawn(twoIssues);
    expect(markup).toContain('The auto-entities card in Ground floor shows whatever it finds');
    expect(markup).toContain('switch.old_pump does not exist');
    expect(markup.match(/data-entities="ignore"/g)).toHaveLength(2);
  });
  test.each<[string, Partial<EntityFilterContext>, boolean]>([
    ['has nothing to decide where all is ignored', {}, true],
    ['names nothing in the way of a filter that is off', { noFilter: 'not-chosen' }, false],
  ])('%s', (_, more, isNamed) => {
    const issues = twoIssues.slice(0, 1);
    const ignored = issues.map(({ fingerprint }) => fingerprint);
    const facts = filterFacts({ dashboards: [learnedDashboard({ issues, ignored })], ...more });
    const markup = markupOf(
      <EntitiesView
        filter={filterOf(facts, null)}
        sync={syncOf(facts, 'kitchen-panel')}
        issues={issuesOf(facts.dashboards[0])}
        now={fixtureNow}
        live={true}
        measured={null}
        without={null}
      />,
    );
    expect(markup.includes('Nothing to decide')).toBe(isNamed);
    expect(markup.includes('Ignored.')).toBe(isNamed);
  });
  test.each([
    [
      'another browser draws it',
      null,
      'Another browser shows the dashboard',
      '/configure/dashboard#field-dashboard_package',
      '',
    ],
    [
      'a simulated panel draws none',
      'simulated',
      'This simulated panel draws no dashboard,',
      '/',
      '--renderer headless',
    ],
    ['none was wanted', 'switched-off', 'Sconce was started without a dashboard,', '/', '--renderer none'],
  ] as const)('says once why nothing is filtered, and what helps, where %s', (_, without, reason, href, flag) => {
    const facts = filterFacts({ noFilter: 'no-renderer', dashboards: [] });
    const markup = markupOf(
      <EntitiesView
        filter={filterOf(facts, null)}
        sync={syncOf(facts, '')}
        issues={issuesOf(undefined)}
        now={fixtureNow}
        live={true}
        measured={null}
        without={without}
      />,
    );
    expect(markup.split(reason)).toHaveLength(2);
    expect([...markup.matchAll(/href="([^"#][^"]*|\/)"/g)].map(([, to]) => to)).toEqual([href]);
    // Help for a panel started by hand is folded.
    const [unfolded, folded] = markup.split('<details');
    expect(unfolded).not.toContain('--renderer');
    expect(folded?.includes(flag) ?? false).toBe(flag !== '');
    expect(markup).not.toContain('primary');
  });
  test('is to be read without scripts', () => {
    const buttons = drawn(twoIssues, null, false).match(/<button(?![^>]*class="moment")[^>]*>/g) ?? [];
    expect(buttons.length).toBeGreaterThan(3);
    for (const button of buttons) expect(button).toContain('disabled');
  });
  test.each<[Measured, string]>([
    [{ elapsed: 4, seconds: 30 }, 'Without the filter, 4 of 15 s. Toggle something now.'],
    [{ elapsed: 19, seconds: 30 }, 'With the filter, 4 of 15 s. Toggle it again.'],
    [
      { seconds: 15, all: { frames: 412, bytes: 96_300 }, filtered: { frames: 9, bytes: 1840 } },
      '98 % less Without the filter 412 messages, 96 kB With the filter 9 messages, 1.8 kB In 15 s each.',
    ],
    [{ seconds: 15, all: { frames: 1, bytes: 900 }, filtered: null }, 'The dashboard gets all of it'],
    [
      { seconds: 15, all: { frames: 2, bytes: 900 }, filtered: { frames: 3, bytes: 1200 } },
      'No difference in this time Without the filter 2 messages',
    ],
    [
      { seconds: 15, all: { frames: 0, bytes: 0 }, filtered: { frames: 0, bytes: 0 } },
      'Home Assistant sent nothing in this time. Measure again while something changes. Measure again',
    ],
    [{ reason: 'nobody is signed in.' }, 'Not measured: nobody is signed in.'],
  ])('says of the traffic %j: %s', (measured, words) => {
    const text = drawn([], measured)
      .replace(/<[^>]*>/g, ' ')
      .replace(/\s+/g, ' ');
    expect(text).toContain(words);
  });
});

describe('the list', () => {
  test.each([
    [38, '', 'all', '38 entities'],
    [0, '', 'all', 'Nothing was found on this dashboard.'],
    [0, ' ', 'candidate', 'All that was found is sent, except what you left out.'],
    [0, '', 'excluded', 'Nothing is left out. To leave one out, select it and choose “Never”.'],
    [0, 'zigbee', 'all', 'Nothing matches “zigbee”. Try a shorter word.'],
    [0, 'hue', 'missing', 'Nothing matches “hue” in this choice. Try a shorter word, or show all it uses.'],
  ] as const)('of %i for "%s" in %s says "%s"', (total, q, filter, words) =>
    expect(countWords(total, q, filter)).toBe(words),
  );
  test('says what it leaves out', () => {
    const sync = syncOf(filterFacts(), 'kitchen-panel');
    expect(onlyWords(sync)).toBe('Only what this dashboard uses is listed. Of 2,013 entities, 1,990 are not sent.');
    expect(onlyWords({ ...sync, active_count: null })).toBe('Only what this dashboard uses is listed.');
  });
});

describe('the offline page', () => {
  const starting = {
    ...fixtureStatus,
    renderer: fixtureStatus.renderer === null ? null : { ...fixtureStatus.renderer, glass: 'starting' as const },
  };
  const drawn = (facts: EntityFilterContext): string =>
    markupOf(<OfflinePage status={starting} origin={null} leads={false} preparing={preparingOf(facts)} />);
  const scan = { number: 1, dashboard: '', since: 1 };
  test.each<[string, Partial<EntityFilterContext>, string, number]>([
    ['the first step', { scan: { ...scan, step: 1, entities: 1204 } }, 'Reading entities, 1,204 so far', 0],
    ['the second step', { scan: { ...scan, step: 2, entities: 1204 } }, 'Building the filter', 1],
    ['that it waits', { scanFailure: 'unreachable' }, 'Reading entities', 0],
  ])('says %s of three while the dashboard is held back', (_, more, current, done) => {
    const markup = drawn(filterFacts({ holdSince: 1, ...more }));
    expect(markup).toContain('Preparing the dashboard');
    expect(markup).toContain('data-soon');
    expect(markup.includes('1,204 entities read')).toBe(done > 0);
    expect(markup).toMatch(new RegExp(`aria-current="step">${current}<`));
    expect(markup.match(/is-done/g) ?? []).toHaveLength(done);
    expect(markup.includes('trying again')).toBe('scanFailure' in more);
  });
  test('says so no longer once it is not', () => {
    const markup = drawn(filterFacts());
    expect(markup).not.toContain('Preparing');
    expect(markup).not.toContain('data-soon');
  });
});
