import type { Child } from 'hono/jsx';
import { describe, expect, test } from 'vitest';
import { Bundles } from '#ui/parts/page-bundles.ts';
import { offeredAbouts } from '#machines/history.ts';
import { daysOf } from '#ui/parts/history-days.ts';
import { AboutPage } from '#ui/pages/about-page.tsx';
import { ConfigureGroupPage } from '#ui/pages/configure-group-page.tsx';
import { ConfigurePage } from '#ui/pages/configure-page.tsx';
import { EntitiesPage } from '#ui/pages/entities-page.tsx';
import { ExplorerPage } from '#ui/pages/explorer-page.tsx';
import { HistoryPage } from '#ui/pages/history-page.tsx';
import { LogsPage } from '#ui/pages/logs-page.tsx';
import { MorePage } from '#ui/pages/more-page.tsx';
import { PartsPage } from '#ui/pages/parts-page.tsx';
import { ProfilesPage } from '#ui/pages/profiles-page.tsx';
import { InspectorPage } from '#ui/pages/inspector-page.tsx';
import { SnippetsPage } from '#ui/pages/snippets-page.tsx';
import { ProximityPage } from '#ui/pages/proximity-page.tsx';
import { RoomPage, type RoomPageProps } from '#ui/pages/room-page.tsx';
import { NotFoundPage } from '#ui/pages/not-found-page.tsx';
import { SignInPage } from '#ui/pages/sign-in-page.tsx';
import { ResetPage } from '#ui/pages/reset-page.tsx';
import { SetupPage } from '#ui/pages/setup-page.tsx';
import { SimulatorPage } from '#ui/pages/simulator-page.tsx';
import { StatusPage } from '#ui/pages/status-page.tsx';
import { catalogueOf } from '#machines/entity-filter/catalogue.ts';
import type { Issue } from '#machines/entity-filter/persisted.ts';
import { filterOf, issuesOf, syncOf } from '#machines/entity-filter/view.ts';
import type { IssueList } from '#machines/entity-filter/documents.ts';
import { filterFacts, learnedDashboard, membersOf, twoIssues } from '#test/fakes/entity-filter.ts';
import type { ResetDocument } from '#machines/reset/document.ts';
import { unknownRoom } from '#machines/auto-brightness/off.ts';
import { DEFAULTS } from '#machines/auto-brightness/settings.ts';
import { documentOf as sleepOf } from '#machines/auto-sleep/view.ts';
import { documentOf as roomOf, historyOf } from '#machines/auto-brightness/view.ts';
import type { ProximityDocument } from '#machines/proximity/document.ts';
import { documentOf } from '#machines/proximity/view.ts';
import type { StatusDocument } from '#machines/status.ts';
import { lightWeek } from '#test/fakes/light-week.ts';
import { fullSleepDocument, sensorsOf } from '#test/fakes/sleeping-room.ts';
import { fixtureCatalog, fixtureLines, fixtureMachines, fixtureNow, fixturePanel, fixtureStatus } from './fixture.ts';
import { markupOf } from './markup.ts';
import { bundles } from './page-bundles.ts';
import { config, groupRow, settingsPages } from './settings-fixture.tsx';

/** A page with all that is sent along for its scripts. */
const sentMarkup = (page: Child): string => markupOf(<Bundles.Provider value={bundles}>{page}</Bundles.Provider>);

const simulated: StatusDocument = {
  ...fixtureStatus,
  panel: { ...fixtureStatus.panel, profile: { id: 'simulated', title: 'Simulated panel', simulated: true } },
};

const calibrated: ProximityDocument = {
  ...documentOf(null, fixtureNow),
  present: true,
  phase: 'ready',
  learning: 'ready',
  near: true,
  level: 80,
  statuses: { presence: 'validated', wave: 'not_detected' },
  source: { driver: 'proximity.iio', name: 'vcnl4040' },
};
const calibrating: ProximityDocument = {
  ...calibrated,
  phase: 'calibrating',
  near: null,
  level: null,
  stage: 'near',
  cue: 'hold',
  sessionActive: true,
  sessionId: 'one',
  remainingMs: 3000,
  totalMs: 5000,
  reading: { raw: 900, level: 90 },
};

const counts = { settings: 12, dashboards: 3, profiles: 2, happenings: 100 };
const resettable: ResetDocument = {
  phase: 'idle',
  scope: null,
  trial: false,
  broker: 'connected',
  entities: 24,
  comes_back: ['mqtt_password'],
  choices: { connection: counts, settings: counts, everything: counts },
  last: null,
};
const wasReset: ResetDocument = {
  ...resettable,
  last: { scope: 'everything', at: fixtureNow - 1000, finished: true, failure: null, left_behind: 1 },
};

const entityFacts = filterFacts({ dashboards: [learnedDashboard({ members: membersOf(5000) })] });
const manyIssues: readonly Issue[] = Array.from({ length: 100 }, (_, index) => index).flatMap((index) =>
  twoIssues.map((issue) => ({
    ...issue,
    fingerprint: `${index.toString(16).padStart(8, '0')}${issue.fingerprint.slice(8)}`,
  })),
);
const listOf = (limit: number, total: number) => ({
  dashboard: 'kitchen-panel',
  q: '',
  filter: 'all' as const,
  list: {
    ...catalogueOf(learnedDashboard({ members: membersOf(total) }), {
      q: '',
      filter: 'all',
      sort: 'entity_id',
      dir: 'asc',
      limit,
      offset: 0,
    }),
    limit,
    offset: 0,
  },
});
const entitiesMarkup = (listed: ReturnType<typeof listOf> | null, issues: IssueList): string =>
  sentMarkup(
    <EntitiesPage
      status={fixtureStatus}
      filter={filterOf(entityFacts, null)}
      sync={syncOf(
        listed === null ? { ...entityFacts, noFilter: 'not-chosen', dashboards: [] } : entityFacts,
        'kitchen-panel',
      )}
      issues={issues}
      listed={listed}
    />,
  );

/** All that the card of the sleep can show: ten changes, and as many sensors as count. */
const fullSleep: RoomPageProps['sleep'] = {
  doc: fullSleepDocument(fixtureNow),
  sources: sensorsOf(32, 40),
  now: fixtureNow,
};

const roomMarkup = (isOn: boolean): string =>
  sentMarkup(
    <RoomPage
      status={fixtureStatus}
      room={{
        doc: roomOf(isOn ? unknownRoom : null, { auto_brightness: isOn }, fixtureNow),
        own: null,
        now: fixtureNow,
      }}
      sleep={
        isOn
          ? fullSleep
          : { doc: sleepOf('off', { values: {}, areaName: null, now: fixtureNow }), sources: null, now: fixtureNow }
      }
      chosen={DEFAULTS}
      history={isOn ? historyOf(lightWeek(fixtureNow, DEFAULTS), 168) : null}
    />,
  );

const allGroups = settingsPages.map(({ id }) => groupRow(id));

const pages = [
  { name: 'status', markup: sentMarkup(<StatusPage status={fixtureStatus} />) },
  { name: 'configure', markup: sentMarkup(<ConfigurePage status={fixtureStatus} groups={allGroups} />) },
  { name: 'simulator', markup: sentMarkup(<SimulatorPage status={simulated} panel={fixturePanel} />) },
  ...settingsPages.map((group) => ({
    name: `configure ${group.id}`,
    markup: sentMarkup(
      <ConfigureGroupPage status={fixtureStatus} group={group} groups={settingsPages} config={config} />,
    ),
  })),
  { name: 'parts', markup: sentMarkup(<PartsPage status={fixtureStatus} />) },
  { name: 'explorer', markup: sentMarkup(<ExplorerPage status={fixtureStatus} />) },
  { name: 'more', markup: sentMarkup(<MorePage status={fixtureStatus} />) },
  {
    name: 'history',
    markup: sentMarkup(
      <HistoryPage
        status={fixtureStatus}
        days={daysOf(
          Array.from({ length: 75 }, (_, index) => ({
            at: fixtureNow - index * 3_600_000,
            icon: 'mdi:tune',
            sentence: `The settings were saved: ${'Some setting, '.repeat(6)}.`,
            times: index % 2 === 0 ? 1 : 12,
          })),
          fixtureNow,
        )}
        about={null}
        offered={offeredAbouts}
        page={1}
        more={true}
      />,
    ),
  },
  {
    name: 'snippets',
    markup: sentMarkup(
      <SnippetsPage
        status={fixtureStatus}
        facts={{
          origin: 'http://panel.local:8888',
          panelId: 'kitchen',
          name: 'Kitchen "panel": <b>',
          homeAssistant: '',
        }}
        loopback={false}
        elsewhere={true}
      />,
    ),
  },
  { name: 'profiles', markup: sentMarkup(<ProfilesPage status={fixtureStatus} catalog={fixtureCatalog} />) },
  { name: 'profiles, while it is read,', markup: sentMarkup(<ProfilesPage status={fixtureStatus} catalog={null} />) },
  {
    name: 'about',
    markup: sentMarkup(
      <AboutPage
        status={fixtureStatus}
        facts={{
          build: 'abcdef01',
          node: '24.11.1',
          profile: { id: 'hall', version: '1.2.0', origin: 'local' },
          licence: 'licence.txt',
          notices: 'notices.txt',
        }}
      />,
    ),
  },
  {
    name: 'more, while it is inspected,',
    markup: sentMarkup(<MorePage status={{ ...fixtureStatus, inspecting: true }} />),
  },
  { name: 'logs', markup: sentMarkup(<LogsPage status={fixtureStatus} entries={fixtureLines} />) },
  {
    name: 'inspector',
    markup: sentMarkup(
      <InspectorPage status={{ ...fixtureStatus, inspecting: true }} machines={fixtureMachines} chosen="volume" />,
    ),
  },
  {
    name: 'sign-in',
    markup: sentMarkup(
      <SignInPage
        status={fixtureStatus}
        address="http://192.168.1.20:8123"
        name={null}
        obstacle={null}
        outcome="expired"
        isSetUp
      />,
    ),
  },
  {
    name: 'setup',
    markup: sentMarkup(
      <SetupPage
        status={fixtureStatus}
        facts={{
          name: 'Kitchen "panel": <b>',
          panelId: 'kitchen',
          isIdFree: true,
          user: 'Owner "of" <b>',
          homeAssistant: 'http://192.168.1.20:8123',
          broker: '',
          brokerUser: '',
          dashboard: '',
          isFiltered: false,
          returnMin: 5,
          brokerBeside: '',
          hasPassword: true,
          link: null,
        }}
      />,
    ),
  },
  { name: 'proximity', markup: sentMarkup(<ProximityPage status={fixtureStatus} doc={calibrating} />) },
  { name: 'proximity at rest', markup: sentMarkup(<ProximityPage status={fixtureStatus} doc={calibrated} />) },
  { name: 'room', markup: roomMarkup(true) },
  { name: 'room, off', markup: roomMarkup(false) },
  { name: 'entities', markup: entitiesMarkup(listOf(100, 5000), issuesOf(learnedDashboard({ issues: manyIssues }))) },
  { name: 'entities, while there is no filter,', markup: entitiesMarkup(null, issuesOf(undefined)) },
  { name: 'reset', markup: sentMarkup(<ResetPage status={fixtureStatus} doc={resettable} />) },
  { name: 'reset, done', markup: sentMarkup(<ResetPage status={fixtureStatus} doc={wasReset} />) },
  { name: 'not found', markup: sentMarkup(<NotFoundPage status={fixtureStatus} />) },
];

test('the log shows the newest line first, and has a place in the navigation', () => {
  const markup = pages.find((page) => page.name === 'logs')?.markup ?? '';
  expect(markup.indexOf('Words of line 3')).toBeLessThan(markup.indexOf('Words of line 1'));
  expect(markup).toContain('<a href="/logs" aria-current="page">');
  expect(markup).toContain('&lt;b&gt;');
});

test('More leads to the setup, with how much of it is left, until nothing is', () => {
  const { setup } = fixtureStatus;
  const more = (state: 'done' | 'put_off' | 'needs_you'): string => {
    const steps = (setup?.steps ?? []).map((step, index) => ({
      ...step,
      status: index === 0 ? state : ('done' as const),
    }));
    return markupOf(<MorePage status={{ ...fixtureStatus, setup: setup && { ...setup, complete: true, steps } }} />);
  };
  for (const state of ['put_off', 'needs_you'] as const)
    expect(more(state)).toMatch(/href="\/setup"[\s\S]*?Set up this panel[\s\S]*?1 step is left/);
  expect(more('done')).not.toContain('href="/setup"');
});

test.each([
  ['setup', ['/']],
  ['sign-in', ['/']],
  ['entities', ['/more']],
  ['room', ['/']],
  ['configure mqtt', ['/configure']],
  ['not found', []],
])('the tab that the page "%s" belongs to is marked', (called, hrefs) => {
  const markup = pages.find(({ name }) => name === called)?.markup ?? '';
  const tabs = markup.match(/<nav class="nav"[\s\S]*?<\/nav>/)?.[0] ?? '';
  expect([...tabs.matchAll(/<a href="([^"]+)" aria-current="true">/g)].map(([, href]) => href)).toEqual(hrefs);
});

/** HTML of one page in bytes (look: "HTML under 40 kB"); the first page and those of settings stay well below it. */
const htmlBudget = (name: string): number => (name === 'status' || name.startsWith('configure') ? 32_000 : 40_000);

describe.each(pages)('the $name page', ({ name: called, markup }) => {
  test('is a whole document with landmarks and one first heading', () => {
    expect(markup.startsWith('<!DOCTYPE html><html lang="en">')).toBe(true);
    for (const landmark of ['<header', '<nav', '<main']) expect(markup).toContain(landmark);
    expect(markup.match(/<h1/g)).toHaveLength(1);
  });

  test('holds nothing that the strict policy would refuse', () => {
    expect(markup).not.toMatch(/\son[a-z]+="/);
    expect(markup).not.toMatch(/\sstyle="/);
    expect(markup).not.toContain('<style');
    const scripts = markup.match(/<script(?![^>]*\bsrc=)[^>]*>/g) ?? [];
    expect(scripts).toEqual(['<script type="application/json" id="strings">']);
    // Links of profiles and into Home Assistant are shown, and lead out only for a person.
    const outward = /<a class="(?:profile-link|outward)" href="[^"]*" rel="noopener noreferrer nofollow"/g;
    expect(markup.replace(outward, '')).not.toMatch(/(?:src|href)="(?:https?:)?\/\//);
  });

  test('stays within its weight', () => {
    expect(Buffer.byteLength(markup)).toBeLessThan(htmlBudget(called));
  });

  test('has every id once and every icon it refers to', () => {
    const ids = [...markup.matchAll(/\sid="([^"]+)"/g)].map((match) => match[1]);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
    for (const [, name] of markup.matchAll(/href="#(i-[^"]+)"/g)) expect(ids).toContain(name);
    for (const [, id] of markup.matchAll(/\sfor="([^"]+)"/g)) expect(ids).toContain(id);
  });

  test('shows no key in place of a string', () => {
    const seen = markup.replace(/<script[\s\S]*?<\/script>/g, '').replace(/<[^>]*>/g, ' ');
    expect(seen).not.toMatch(
      /\b(?:shell|more|product|history|snippets|entities|logs|controls|links|form|sim|profiles|api|tree|engine|part|about|capabilities|summary|drawing|state|inspector|reset|room)\.[a-z_]+\b/,
    );
    expect(seen).not.toMatch(/\{[a-z]+\}/);
    expect(seen).not.toContain('undefined');
  });
});

describe('the status page', () => {
  const { setup } = fixtureStatus;
  /** As it is once the setup was put off. */
  const later = { ...fixtureStatus, setup: setup && { ...setup, due: false, put_off: true } };
  const markup = markupOf(<StatusPage status={later} />);

  test('has the next step as its headline, with its sentence and its command', () => {
    expect(markup).toContain('<h2 class="summary-sentence">Let Sconce dim the screen</h2>');
    expect(markup).toContain(fixtureStatus.next?.sentence);
    expect(markup).toContain('sudo usermod -aG video sconce');
    expect(markup).not.toContain(fixtureStatus.sentence);
  });

  test('says how the panel is where nothing is to be done', () => {
    const sentence = 'This panel is working.';
    const calm = markupOf(<StatusPage status={{ ...later, state: 'working', sentence, next: null }} />);
    expect(calm).toContain(`<p>${sentence}</p>`);
    expect(calm).not.toContain('class="summary-sentence"');
  });

  test('lists what else needs a person shortly, each with its link, and says the next step once', () => {
    expect(markup).toMatch(/After that:<\/b><a href="#capability-reboot">Reboot<\/a>/);
    const [first] = fixtureStatus.capabilities.filter(({ state }) => state === 'needs_you');
    const next = { title: 'Let Sconce reboot', sentence: first?.detail ?? '', fix: null, href: '/#capability-reboot' };
    const alone = markupOf(<StatusPage status={{ ...later, next }} />);
    expect(alone).not.toContain('After that:</b>');
    expect(alone).toMatch(/<details class="fold" id="capability-reboot">/);
    expect(markup).toMatch(/<details class="fold" id="capability-reboot" open="">/);
  });

  test('has a switch for each light and relay, behind one line each', () => {
    const light: NonNullable<StatusDocument['lights']['led']> = {
      state: 'working',
      on: null,
      rgb: null,
      brightness: 128,
      effect: null,
      effects: [],
      fault: null,
    };
    const drawn = markupOf(
      <StatusPage
        status={{
          ...fixtureStatus,
          lights: {
            led: { ...light, on: true, rgb: [255, 120, 0] },
            buttons: { ...light, on: false, brightness: null, rgb: null },
          },
          relays: {
            relay1: { state: 'working', on: true, fault: null },
            relay2: { state: 'not_here', on: null, fault: null },
          },
        }}
      />,
    );
    expect(drawn).toMatch(/Lights \(2\)<span class="fold-hint">1 on/);
    expect(drawn).toMatch(/Relays \(1\)<span class="fold-hint">1 on/);
    expect(drawn).toMatch(/data-act="light" data-id="led" data-on="0"/);
    expect(drawn).toMatch(/data-act="light" data-id="buttons" data-on="1"/);
    expect(drawn).toContain('value="#ff7800" data-colour="led"');
    expect(drawn).toMatch(/value="128" data-slide="light" data-id="led"/);
    expect(drawn).not.toContain('id="buttons-level"');
    expect(drawn).not.toContain('data-id="relay2"');
    expect(markup).not.toContain('id="lights"');
  });

  test('puts what needs a person before what works', () => {
    expect(markup.indexOf('id="capability-reboot"')).toBeLessThan(markup.indexOf('id="capability-screen"'));
  });

  test('offers no control of what the panel does not have', () => {
    const bare = markupOf(<StatusPage status={{ ...fixtureStatus, screen: null, volume: null, power: null }} />);
    expect(bare).not.toContain('data-act="screen_off"');
    expect(bare).not.toContain('data-slide="volume"');
    expect(bare).not.toContain('data-ask="reboot-question"');
    expect(markup).not.toContain('data-act="home"');
  });

  test('says which part is parked and why', () => {
    expect(markup).toContain('1 of 11 parts is not working');
    const parts = pages.find(({ name }) => name === 'parts')?.markup ?? '';
    expect(parts).toContain('1 of 11 parts is not working');
    expect(parts).toContain('Volume <code>volume</code>');
    expect(parts).toContain('last failure: mixer-lost');
    expect(parts).not.toContain('>parked<');
  });

  test('escapes what comes from outside', () => {
    const name = '<img src=x onerror=alert(1)>';
    const hostile = markupOf(<StatusPage status={{ ...fixtureStatus, panel: { ...fixtureStatus.panel, name } }} />);
    expect(hostile).not.toContain('<img src=x');
    expect(hostile).toContain('&lt;img');
  });
});

test('the simulated panel says so loudly and its page is in the navigation only there', () => {
  expect(pages[2]?.markup).toContain('This panel is simulated');
  expect(pages[2]?.markup).toContain('<li data-while="simulated"><a href="/simulator"');
  expect(pages[0]?.markup).toContain('<li data-while="simulated" hidden=""><a href="/simulator"');
});

describe('the inspector', () => {
  const markup = pages.find(({ name }) => name === 'inspector')?.markup ?? '';

  test('is under More only where it was asked for, and never in the navigation', () => {
    expect(markup.match(/<nav class="nav"[\s\S]*?<\/nav>/)?.[0]).toContain('<a href="/more" aria-current="true">');
    const more = pages.filter(({ name }) => name.startsWith('more')).map((page) => page.markup);
    expect(more.map((one) => one.includes('href="/inspector"'))).toEqual([false, true]);
    for (const page of pages.filter(({ name }) => !name.startsWith('more')))
      expect([page.name, page.markup.replace(/href="\/inspector\?/g, '').includes('href="/inspector')]).toEqual([
        page.name,
        false,
      ]);
  });

  test('says what its words mean', () => {
    expect(markup).toContain('Legend');
    expect(markup).toContain('A transition shows its event');
  });

  test('lights the active states of the chosen part, and no other', () => {
    const boxes = [
      ...markup.matchAll(/<li class="box ([^"]*)"><p class="box-head"><span class="box-name">([^<]*)/g),
    ].map(([, kind, name]) => [name, kind?.includes('is-lit')]);
    expect(boxes).toEqual([
      ['probing', false],
      ['ready', true],
      ['idle', true],
      ['writing', false],
      ['stopped', false],
    ]);
  });

  test('says the ways out of what is active in words, and counts the others', () => {
    const text = markup.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');
    expect(text).toContain('mixer.lost (isLast) → probing');
    expect(text).toContain('after settle → ready › writing');
    expect(text).toContain('mixer crashed → stopped');
    expect(text).toContain('1 transition');
  });

  test('chooses the first part where the address names none that exists', () => {
    const other = markupOf(<InspectorPage status={fixtureStatus} machines={fixtureMachines} chosen="nothing" />);
    expect(other).toContain('<h2 id="inspect-chart">stream</h2>');
    expect(other).toContain('This part has no states');
  });
});

describe('the page More', () => {
  const markup = pages.find(({ name }) => name === 'more')?.markup ?? '';

  test('has a row for each page that the navigation does not show, the whole row its link', () => {
    const rows = [...markup.matchAll(/<li><a class="row" href="([^"]+)">/g)].map(([, href]) => href);
    expect(rows).toEqual([
      '/setup',
      '/profiles',
      '/entities',
      '/history',
      '/install',
      '/snippets',
      '/proximity-setup',
      '/setup/reset',
      '/about',
      // These follow apart, under "For programmers".
      '/api',
      '/parts',
    ]);
    for (const href of rows) expect(markup.match(/<nav class="nav"[\s\S]*?<\/nav>/)?.[0]).not.toContain(`"${href}"`);
  });
});

describe('the page About', () => {
  const markup = pages.find(({ name }) => name === 'about')?.markup ?? '';

  test('says what runs and under which licences, and hands out the bundle', () => {
    const text = markup.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');
    for (const said of ['abcdef01', '24.11.1', 'hall 1.2.0, yours', 'MIT licence', fixtureStatus.panel.system])
      expect(text).toContain(said);
    expect(markup).toContain('href="/api/v1/support" download');
    for (const href of ['/assets/licence.txt', '/assets/notices.txt', '/api/v1/openapi.json'])
      expect(markup).toContain(`href="${href}"`);
  });

  test('leads to no text that this build does not have', () => {
    const facts = { build: '0', node: '', profile: null, licence: null, notices: null };
    expect(markupOf(<AboutPage status={fixtureStatus} facts={facts} />)).not.toContain('.txt');
  });
});
