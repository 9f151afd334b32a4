import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { amount, few } from '#test/fakes/amount.ts';
import { actAsFilter, filterFacts, learnedDashboard, membersOf, twoIssues } from '#test/fakes/entity-filter.ts';
import { axe, closePages, noBrowser, openPage, startBrowser } from './browser.ts';
import { startStandIn, type StandIn } from './stand-in.ts';

const sizes = [
  { width: 390, height: 844 },
  { width: 480, height: 480 },
  { width: 1280, height: 800 },
];
const rows = 5000;

describe.skipIf(noBrowser)('the entities of a dashboard with thousands of them', () => {
  let browser: Browser;
  let panel: StandIn;
  let origin: string;

  beforeAll(async () => {
    const learned = learnedDashboard({ members: membersOf(rows), issues: twoIssues, active: null });
    const garden = learnedDashboard({ dashboard: 'garden' });
    const facts = filterFacts({ showing: 'unbounded', dashboards: [learned, garden] });
    [browser, panel] = await Promise.all([startBrowser(), startStandIn((registry) => actAsFilter(registry, facts))]);
    origin = `http://panel.local:${panel.port}`;
  });
  afterAll(async () => {
    await panel.stop();
    await closePages(browser);
  });

  const live = (page: Page): Promise<void> => page.locator('.is-window li').nth(5).waitFor();
  const drawn = (page: Page): Promise<number> => page.locator('.entity-list li').count();
  const counted = (page: Page, words: string): Promise<void> =>
    page.locator('[data-count]', { hasText: words }).waitFor();
  const told = (type: string): unknown[] =>
    panel.registry.told.flatMap(({ event }) => (event.type === type ? [event] : []));

  test.each(few(sizes))('fit $width x $height, for fingers and for axe', async (viewport) => {
    const { page, context, faults } = await openPage(browser, origin, {
      viewport,
      hasTouch: true,
      reducedMotion: 'reduce',
    });
    await page.goto(`${origin}/entities`);
    await live(page);
    await page.locator('.entity-fold > summary').click();
    await page.locator('.entity-list input').first().check();
    // A plain run sees each size in one of both themes, in turn.
    const themes = sizes.indexOf(viewport) % 2 === 0 ? (['light', 'dark'] as const) : (['dark', 'light'] as const);
    for (const colorScheme of themes.slice(0, amount(1, 2))) {
      // oxlint-disable-next-line no-await-in-loop -- one after another
      await page.emulateMedia({ colorScheme });
      // oxlint-disable-next-line no-await-in-loop -- as above
      expect(await axe(page)).toEqual([]);
    }
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(viewport.width);
    const small = await page.evaluate<string[]>(
      "Array.from(document.querySelectorAll('main a,main button,main input,main .input,main summary,main label:not(.label)')).filter((e) => e.getClientRects().length > 0 && Math.min(e.getBoundingClientRect().height, e.getBoundingClientRect().width) < 48).map((e) => e.outerHTML.slice(0, 120))",
    );
    expect(small).toEqual([]);
    // From 480 pixels the bar is one line of buttons.
    const bar = await page.locator('[data-bar]').boundingBox();
    expect(bar?.height).toBeLessThan(viewport.width < 440 ? 130 : 90);
    expect(faults).toEqual([]);
    await context.close();
  });

  test('are drawn as far as they are seen, also far down and for the keyboard', async () => {
    const { page, context, faults } = await openPage(browser, origin, { viewport: { width: 1280, height: 800 } });
    await page.goto(`${origin}/entities`);
    await live(page);
    await counted(page, '5,000 entities');
    expect(await drawn(page)).toBeLessThan(40);
    await page.evaluate("window.scrollTo(0, document.querySelector('.entity-list').offsetHeight / 2)");
    await page.locator('.entity-list li[aria-posinset="2490"]:not([data-waits])').waitFor();
    expect(await drawn(page)).toBeLessThan(40);
    expect(await page.locator('.entity-list li').first().getAttribute('aria-setsize')).toBe('5000');
    // The Tab key finds the rows that were not there when it began.
    await page.locator('.entity-list li[aria-posinset="2490"] input').focus();
    for (let step = 0; step < 30; step += 1) {
      // oxlint-disable-next-line no-await-in-loop -- one key after another
      await page.keyboard.press('Tab');
    }
    await page.locator('.entity-list li[aria-posinset="2520"] input:focus').waitFor();
    expect(faults).toEqual([]);
    await context.close();
  });

  test('are searched, chosen and decided together, after a question where that breaks something', async () => {
    const { page, context, faults } = await openPage(browser, origin, { viewport: { width: 480, height: 480 } });
    await page.goto(`${origin}/entities`);
    await live(page);
    await page.getByRole('searchbox').fill('climate.workshop_socket');
    await counted(page, '40 entities');
    expect(page.url()).toContain('q=climate.workshop_socket');
    await page.getByRole('button', { name: 'Select all' }).click();
    const bar = page.locator('[data-bar]');
    await bar.getByText('40 selected').waitFor();
    await page.getByRole('button', { name: 'Select none' }).click();
    // Of the only one that is selected every reason is said where its row has no room for them, and only there.
    const named = page.locator('.entity-list li', { hasText: 'By area, floor, label or device' }).first();
    const why = bar.locator('[data-why]');
    await named.locator('input').check();
    await bar.getByText('1 selected').waitFor();
    expect(await why.isVisible()).toBe(false);
    await named.locator('input').uncheck();
    await page.setViewportSize({ width: 300, height: 480 });
    await named.locator('input').check();
    const reason = 'By area, floor, label or device on a mini-graph card in Ground floor';
    expect(await why.innerText()).toBe(`${await named.locator('span').first().innerText()}: ${reason}.`);
    await page.setViewportSize({ width: 480, height: 480 });
    await page.getByRole('button', { name: 'Select all' }).click();
    await bar.getByText('40 selected').waitFor();
    expect(await why.isVisible()).toBe(false);
    panel.registry.told.length = 0;
    await bar.getByRole('button', { name: 'Never' }).click();
    const question = page.getByRole('dialog', { name: 'Never send 40 entities?' });
    await question.getByText('climate.workshop_socket').waitFor();
    await question.getByRole('button', { name: 'Cancel' }).click();
    await question.waitFor({ state: 'hidden' });
    expect(told('entity-filter.override')).toHaveLength(1);
    await bar.getByRole('button', { name: 'Never' }).click();
    await question.getByRole('button', { name: 'Never send' }).click();
    await bar.getByText('Changed 40 entities to “Never”.').waitFor();
    expect(await bar.getByRole('button').count()).toBe(0);
    await page.getByRole('combobox').selectOption('excluded');
    await counted(page, '40 entities');
    expect(await page.locator('.entity-list b').allInnerTexts()).toContain('Never sent');
    expect(told('entity-filter.override').at(-1)).toMatchObject({ override: 'forced_exclude', force: true });
    await page.getByRole('combobox').selectOption('candidate');
    await counted(page, 'Nothing matches “climate.workshop_socket” in this choice.');
    expect(await page.locator('[data-entities="all"]').isVisible()).toBe(false);
    await page.getByRole('combobox').selectOption('excluded');
    await counted(page, '40 entities');
    expect(await page.locator('[data-entities="all"]').isVisible()).toBe(true);
    // A reload shows the same list.
    await page.reload();
    await live(page);
    await counted(page, '40 entities');
    // The browser tells of each refusal; nothing else may go wrong.
    expect(faults.filter((fault) => !fault.includes('409'))).toEqual([]);
    await context.close();
  });

  test('are sent once a person ignored what is in the way and agreed to the numbers', async () => {
    const { page, context, faults } = await openPage(browser, origin, { viewport: { width: 390, height: 844 } });
    await page.goto(`${origin}/entities`);
    await page.getByRole('heading', { name: 'The dashboard gets everything' }).waitFor();
    await page.getByRole('button', { name: /^Ignore: The auto-entities card/ }).click();
    await page.getByRole('button', { name: /^Undo: / }).waitFor();
    const activate = page.locator('[data-entities="activate"]');
    await activate.click();
    const question = page.getByRole('dialog', { name: /^Send [\d,]+ entities\?$/ });
    await question.getByText('The dashboard gets everything now.').waitFor();
    expect(await axe(page)).toEqual([]);
    await question.getByRole('button', { name: 'Cancel' }).click();
    await question.waitFor({ state: 'hidden' });
    expect(told('entity-filter.activate')).toEqual([]);
    await activate.click();
    await question.getByRole('button', { name: /^Send/ }).click();
    await page.getByRole('heading', { name: /^The dashboard loads/ }).waitFor();
    expect(told('entity-filter.activate')).toMatchObject([{ dashboard: 'kitchen-panel', confirm: true }]);
    await page.getByRole('button', { name: 'Measure' }).click();
    await page.getByText('98 % less').waitFor();
    expect(faults).toEqual([]);
    await context.close();
  });

  test('have names before their ids, and their dashboards titles', async () => {
    const { page, context } = await openPage(browser, origin, { viewport: { width: 390, height: 844 } });
    await page.goto(`${origin}/entities`);
    await live(page);
    const places = page.getByRole('navigation', { name: 'Dashboards' });
    expect(await places.getByRole('link').allInnerTexts()).toEqual([expect.stringMatching(/^Kitchen: /), 'Garden: 23']);
    await places.getByRole('link', { name: 'Kitchen' }).and(page.locator('[aria-current]')).waitFor();
    await page.getByRole('heading', { name: 'Entities used by Kitchen' }).waitFor();
    await page.locator('main').getByText('working', { exact: true }).waitFor();
    await page.getByRole('searchbox').fill('hall motion 3');
    const first = page.locator('.entity-list li').first();
    await first.getByText('Hall motion').waitFor();
    expect(await first.locator('small').innerText()).toMatch(/^\w+\.hall_motion_3\d*$/);
    await context.close();
  });

  test('are read without scripts, a hundred at a time', async () => {
    const { page, context } = await openPage(browser, origin, { javaScriptEnabled: false });
    await page.goto(`${origin}/entities?dashboard=kitchen-panel`);
    expect(await drawn(page)).toBe(100);
    const first = await page.locator('.entity-list li').first().innerText();
    await page.getByRole('link', { name: 'Next' }).click();
    await page.getByText('2 of 50').waitFor();
    expect(await page.locator('.entity-list li').first().innerText()).not.toBe(first);
    await page.getByRole('searchbox').fill('light.hall_motion');
    await page.getByRole('button', { name: 'Search' }).click();
    await counted(page, '40 entities');
    await page.getByRole('link', { name: 'Garden: 23' }).click();
    await counted(page, '24 entities');
    await context.close();
  });

  test('are pinned by their id, also where nothing names them', async () => {
    const { page, context, faults } = await openPage(browser, origin, { viewport: { width: 480, height: 480 } });
    await page.goto(`${origin}/entities`);
    await live(page);
    await page.locator('.entity-fold > summary').click();
    await page.getByLabel('Pin an entity', { exact: true }).fill('light.roof');
    await page.getByRole('button', { name: 'Pin', exact: true }).click();
    const question = page.getByRole('dialog', { name: 'Always send light.roof?' });
    await question.getByText('Nothing on this dashboard names light.roof').waitFor();
    await question.getByRole('button', { name: 'Always send' }).click();
    await page.getByText('light.roof is pinned').waitFor();
    await page.getByRole('searchbox').fill('light.roof');
    await counted(page, '1 entity');
    expect(await page.locator('.entity-list b').allInnerTexts()).toEqual(['Always sent']);
    expect(faults.filter((fault) => !fault.includes('409'))).toEqual([]);
    await context.close();
  });
});
