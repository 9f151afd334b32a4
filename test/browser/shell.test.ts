import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { few } from '#test/fakes/amount.ts';
import type { StatusDocument } from '#machines/status.ts';
import { clearAway, startAgent, type AgentProcess } from '#test/scenarios/agent-process.ts';
import { closePages, noBrowser, openPage, readStatus, startBrowser, type WatchedPage } from './browser.ts';

const widths = [360, 390, 480, 800, 1280];
const schemes = ['light', 'dark'] as const;
const states = ['working', 'needs_you', 'off', 'not_here', 'checking'] as const;
const longName = 'Wandtafel neben der großen Wohnzimmertür im Erdgeschoss';

/** A stream that says what the test has it say. */
const ownStream = `window.EventSource = class extends EventTarget {
  constructor() { super(); this.readyState = 1; window.ownStream = this; }
  close() {}
};`;

const tell = (page: Page, status: StatusDocument): Promise<void> =>
  page.evaluate(
    `window.ownStream.dispatchEvent(new MessageEvent('status', { data: ${JSON.stringify(JSON.stringify(status))} }))`,
  );

/** What of the header is painted over, cut off by the window, or too narrow to be read. */
const findClashes = (page: Page): Promise<readonly string[]> =>
  page.evaluate<string[]>(`(() => {
    const parts = ['.header-words', '.badge', '.header .cut', '.header .mark', '[data-theme-button]']
      .map((name) => [name, document.querySelector(name).getBoundingClientRect()])
      .filter(([, box]) => box.width > 0);
    const apart = (a, b) => a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top;
    const header = document.querySelector('.header').getBoundingClientRect();
    return parts.flatMap(([name, box], index) => [
      ...(box.left < 0 || box.right > innerWidth ? [name + ' leaves the window'] : []),
      ...(box.top < header.top || box.bottom > header.bottom ? [name + ' leaves the header'] : []),
      ...parts.slice(index + 1).flatMap(([other, its]) => apart(box, its) ? [] : [name + ' lies over ' + other]),
      ...(name === '.header-words' && box.width < 96 ? ['the name has only ' + box.width + ' px'] : []),
    ]);
  })()`);

describe.skipIf(noBrowser)('the shell of every page', () => {
  let browser: Browser;
  let agent: AgentProcess;
  let origin: string;
  let status: StatusDocument;

  beforeAll(async () => {
    [browser, agent] = await Promise.all([startBrowser(), startAgent()]);
    origin = `http://panel.local:${agent.port}`;
    status = await readStatus(agent.url);
  });
  afterAll(async () => {
    clearAway();
    await closePages(browser);
  });

  const open = async (path: string, colorScheme: 'light' | 'dark' = 'light'): Promise<WatchedPage> => {
    const watched = await openPage(browser, origin, { colorScheme });
    await watched.page.addInitScript(ownStream);
    await watched.page.goto(origin + path);
    await watched.page.locator('[data-theme-button]').waitFor();
    return watched;
  };
  const panelOf = (simulated: boolean, name = longName): StatusDocument['panel'] => ({
    ...status.panel,
    name,
    profile: { ...status.panel.profile, simulated },
  });

  test.each(few(schemes))('its header keeps every part apart and in the window, %s', async (scheme) => {
    const { page, context } = await open('/more', scheme);
    const clashes: string[] = [];
    const look = async (what: string): Promise<void> => {
      for (const width of widths) {
        await page.setViewportSize({ width, height: 640 });
        clashes.push(...(await findClashes(page)).map((clash) => `${width} ${what}: ${clash}`));
      }
    };
    for (const simulated of [true, false]) {
      for (const state of states) {
        await tell(page, { ...status, state, panel: panelOf(simulated) });
        await look(`${state}${simulated ? ' with the badge' : ''}`);
      }
    }
    await tell(page, { ...status, panel: panelOf(true) });
    await page.evaluate("window.ownStream.dispatchEvent(new Event('error'))");
    await page.locator('.header .cut').waitFor();
    await look('not live');
    expect(clashes).toEqual([]);
    await context.close();
  });

  test('while it is not live it says no state, which may be an old one', async () => {
    const { page, context } = await open('/more');
    await tell(page, status);
    expect(await page.locator('.header .mark').isVisible()).toBe(true);
    await page.evaluate("window.ownStream.dispatchEvent(new Event('error'))");
    await page.locator('.header .cut', { hasText: 'not live' }).waitFor();
    expect(await page.locator('.header .mark').isVisible()).toBe(false);
    await tell(page, status);
    await page.locator('.header .mark').waitFor();
    expect(await page.locator('.header .cut').isVisible()).toBe(false);
    await context.close();
  });

  test('badge and navigation follow a switch of the profile, there and back', async () => {
    const { page, context } = await open('/');
    const tab = page.locator('.nav a', { hasText: 'Panel' });
    const seen = async (): Promise<readonly boolean[]> => [
      await page.locator('.badge').isVisible(),
      await tab.isVisible(),
    ];
    expect(await seen()).toEqual([true, true]);
    await tell(page, { ...status, panel: panelOf(false) });
    expect(await seen()).toEqual([false, false]);
    // Without its profile's part the panel says nothing of it.
    await tell(page, { ...status, panel: { ...panelOf(true), profile: { id: '', title: '', simulated: false } } });
    await tell(page, { ...status, panel: panelOf(true) });
    expect(await seen()).toEqual([true, true]);
    await context.close();
  });

  test('a page that the new profile does not have gives way to the first one', async () => {
    const { page, context } = await open('/simulator');
    await tell(page, { ...status, panel: panelOf(false) });
    await page.waitForURL(`${origin}/`);
    await context.close();
  });

  const otherProfile = (): StatusDocument => ({
    ...status,
    panel: { ...status.panel, profile: { id: 'generic-linux', title: 'Linux panel', simulated: false } },
  });

  test('the settings are drawn anew for another profile, once', async () => {
    const { page, context } = await open('/configure');
    await page.evaluate('window.old = true');
    await Promise.all([page.waitForEvent('load'), tell(page, otherProfile())]);
    await page.locator('[data-theme-button]').waitFor();
    expect(await page.evaluate('window.old === undefined')).toBe(true);
    // The profile of this test's panel has not changed, so the reloaded page is drawn for it.
    await tell(page, status);
    await tell(page, { ...status, panel: { ...status.panel, profile: { id: '', title: '', simulated: true } } });
    expect(await page.locator('[data-other-profile]').isVisible()).toBe(false);
    await context.close();
  });

  test('what was typed is never lost by that: the page says so instead, and waits', async () => {
    const { page, context } = await open('/configure/identity');
    const name = page.locator('input[name=friendly_name]');
    await name.fill('By the door');
    await page.evaluate('window.old = true');
    await tell(page, otherProfile());
    await page.locator('[data-other-profile]', { hasText: 'The profile has changed' }).waitFor();
    await tell(page, otherProfile());
    expect([await page.evaluate('window.old'), await name.inputValue()]).toEqual([true, 'By the door']);
    await tell(page, status);
    expect(await page.locator('[data-other-profile]').isVisible()).toBe(false);
    await context.close();
  });

  const noDisplay: StatusDocument['capabilities'][number] = {
    id: 'dashboard',
    title: 'Dashboard',
    state: 'needs_you',
    reason: 'no-display',
    detail: 'No display was found; with --renderer headless the dashboard runs unseen.',
    missing: 'A display to draw on; --renderer none does without it.',
    fix: null,
    name: 'Dashboard',
    note: '',
    color: '#d9a528',
  };

  test('what no setting puts right leads to its evidence, unfolded', async () => {
    const { page, context } = await open('/');
    const next = {
      title: 'Give the dashboard a screen',
      sentence: noDisplay.detail,
      fix: null,
      href: '/#capability-dashboard',
    };
    // While the panel is to be set up, that is the one next step.
    const setup = status.setup && { ...status.setup, due: false };
    await tell(page, { ...status, setup, next, capabilities: [...status.capabilities, noDisplay] });
    expect(await page.getByRole('link', { name: 'Open the settings' }).count()).toBe(0);
    await page.getByRole('link', { name: 'See what was found' }).click();
    await page.locator('#capability-dashboard').getByText('A display to draw on').waitFor();
    await context.close();
  });

  test('no flag of a command breaks over two lines, however narrow the page', async () => {
    const { page, context } = await open('/');
    const next = {
      title: 'Give the dashboard a screen',
      sentence: noDisplay.detail,
      fix: null,
      href: '/#capability-dashboard',
    };
    await tell(page, {
      ...status,
      next,
      warnings: ['Started with --no-discovery, so that nothing is looked for.'],
      capabilities: [noDisplay],
    });
    await page.evaluate("document.querySelector('#capability-dashboard').open = true");
    const torn: string[] = [];
    for (let width = 360; width <= 480; width += 8) {
      await page.setViewportSize({ width, height: 640 });
      torn.push(
        ...(await page.evaluate<string[]>(`(() => {
          const texts = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT);
          const torn = [];
          while (texts.nextNode()) {
            for (const found of texts.currentNode.data.matchAll(/--[a-z][a-z-]*/g)) {
              const range = document.createRange();
              range.setStart(texts.currentNode, found.index);
              range.setEnd(texts.currentNode, found.index + found[0].length);
              if (range.getClientRects().length > 1) torn.push(innerWidth + ' ' + found[0]);
            }
          }
          return torn;
        })()`)),
      );
    }
    expect(await page.locator('main .flag').count()).toBeGreaterThan(2);
    expect(torn).toEqual([]);
    await context.close();
  });

  test.each(few(['/configure/mqtt', '/api', '/', '/configure', '/profiles', '/snippets'], 2))(
    'each fold of %s has one arrow',
    async (path) => {
      const { page, context } = await open(path);
      if (path === '/api') await page.locator('[data-tag]').first().waitFor();
      const arrows = await page.evaluate<number[]>(
        `Array.from(document.querySelectorAll('details')).map((fold) => {
        const summary = fold.querySelector('summary');
        const drawn = getComputedStyle(summary, '::after').content === 'none' ? 0 : 1;
        const marker = getComputedStyle(summary).display === 'list-item' ? 1 : 0;
        return drawn + marker + summary.querySelectorAll('use[href="#i-chevron-down"]').length;
      })`,
      );
      expect(arrows.length).toBeGreaterThan(path.startsWith('/configure') ? 0 : 1);
      expect(arrows.filter((count) => count !== 1)).toEqual([]);
      await context.close();
    },
  );
});
