import type { Browser, Page, Response } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { amount } from '#test/fakes/amount.ts';
import { clearAway, startAgent, type AgentProcess } from '#test/scenarios/agent-process.ts';
import { axe, closePages, noBrowser, openPage, startBrowser, type WatchedPage } from './browser.ts';

const paths = [
  '/',
  '/configure',
  '/configure/mqtt',
  '/configure/dashboard',
  '/simulator',
  '/more',
  '/about',
  '/history',
  '/parts',
  '/snippets',
  '/profiles',
  '/logs',
  '/proximity-setup',
  '/room',
  '/entities',
  '/companion',
  '/setup/reset',
  '/sign-in',
  '/setup',
  '/api',
  '/no-such-page',
];
const sizes = [
  { width: 360, height: 640 },
  { width: 390, height: 844 },
  { width: 480, height: 480 },
  { width: 1440, height: 900 },
  { width: 1280, height: 800 },
];
const schemes = ['light', 'dark'] as const;

/** Bytes of all scripts and of all styles of one page (look: "Weight"). */
const budgets = { script: 40_000, stylesheet: 20_000, document: 40_000 };

/** What is to be tapped and is lower than 48 px, as its markup begins. */
const lowTargets = (page: Page): Promise<readonly string[]> =>
  page.evaluate<string[]>(
    "Array.from(document.querySelectorAll('a:not(.skip),button,.range,.input,.colour,summary,.check')).filter((e) => e.getClientRects().length > 0 && e.getBoundingClientRect().height < 48).map((e) => e.outerHTML.slice(0, 120))",
  );

describe.skipIf(noBrowser)('every page on a real panel', () => {
  let browser: Browser;
  let agent: AgentProcess;
  /** The same with its inspector, which is a page only there. */
  let inspected: AgentProcess;
  let origin: string;

  beforeAll(async () => {
    [browser, agent, inspected] = await Promise.all([
      startBrowser(),
      startAgent(),
      startAgent({ args: ['--inspect'] }),
    ]);
    origin = `http://panel.local:${agent.port}`;
  });
  afterAll(async () => {
    clearAway();
    await closePages(browser);
  });

  // A scheme changes colours alone: a plain run sees each size in one of both, in turn.
  const cases = sizes.flatMap((size, index) =>
    schemes.filter((_, turn) => amount((index + turn) % 2 === 1, true)).map((scheme) => ({ scheme, ...size })),
  );

  /** A plain run audits each page once: one as on a light phone, the next as on a dark panel. */
  const isAudited = (path: (typeof paths)[number], width: number, scheme: string): boolean =>
    amount(
      paths.indexOf(path) % 2 === 0 ? width === 390 && scheme === 'light' : width === 1280 && scheme === 'dark',
      true,
    );

  /** Loads a page, and answers the bytes that it brought until then, by kind. */
  async function load({ page }: WatchedPage, address: string): Promise<Readonly<Record<string, number>>> {
    const weights: Record<string, number> = {};
    const bodies: Promise<void>[] = [];
    const weigh = (response: Response): void => {
      const type = response.request().resourceType();
      // The explorer's own files do not count (look: "the explorer aside").
      if (!(type in budgets) || response.url().includes('/explorer.')) return;
      bodies.push(
        response.body().then((body) => {
          weights[type] = (weights[type] ?? 0) + body.byteLength;
        }),
      );
    };
    page.on('response', weigh);
    const answer = await page.goto(address, { waitUntil: 'load' });
    page.off('response', weigh);
    expect(answer?.status()).toBe(address.endsWith('/no-such-page') ? 404 : 200);
    await Promise.all(bodies);
    return weights;
  }

  function expectLight(weights: Readonly<Record<string, number>>): void {
    for (const [type, bytes] of Object.entries(budgets)) {
      expect(weights[type]).toBeGreaterThan(0);
      expect([type, weights[type]]).toSatisfy(([, weight]: [string, number]) => weight < bytes);
    }
  }

  describe.each(paths)('%s', (path) => {
    let watched: WatchedPage;
    let weights: Readonly<Record<string, number>>;

    // Once for all that is looked at: of the sizes nothing but the styles depends on them.
    beforeAll(async () => {
      watched = await openPage(browser, origin, { reducedMotion: 'reduce', viewport: { width: 1280, height: 800 } });
      const { page } = watched;
      weights = await load(watched, origin + path);
      await page.locator('[data-theme-button]').waitFor();
      if (path === '/api') await page.locator('[data-tag]').first().waitFor();
    });
    afterAll(() => watched.context.close());

    test('stays within its weight', () => expectLight(weights));

    test('is reached whole by the Tab key, and focus is seen', async () => {
      const { page } = watched;
      const focusable = (): Promise<number> =>
        page.evaluate<number>(
          "Array.from(document.querySelectorAll('a[href],button,input,select,textarea,summary,[tabindex=\"0\"]')).filter((e) => !e.disabled && e.getClientRects().length > 0 && !(e.matches('summary') ? e.parentElement.parentElement : e).closest('details:not([open])')).length",
        );
      let wanted = await focusable();
      // What is drawn again while it is walked, such as a link that was found, is walked again.
      for (let walks = 0; walks < 3; walks += 1) {
        await page.evaluate(
          "(() => { window.reached = new Set(); window.unseen = []; document.activeElement.blur(); window.look ??= ({ target }) => { window.reached.add(target); const s = getComputedStyle(target); if (s.outlineStyle === 'none' || parseFloat(s.outlineWidth) < 2) window.unseen.push(target.outerHTML.slice(0, 120)); }; document.addEventListener('focusin', window.look); })()",
        );
        for (let step = 0; step < wanted + 5; step += 1) await page.keyboard.press('Tab');
        const now = await focusable();
        if (now === wanted) break;
        wanted = now;
      }
      expect(await page.evaluate('window.unseen')).toEqual([]);
      expect(await page.evaluate('window.reached.size')).toBeGreaterThanOrEqual(wanted);
      await page.evaluate('document.activeElement.blur()');
    });

    test.each(cases)('at $width x $height, $scheme', async ({ width, height, scheme }) => {
      const { page, faults } = watched;
      await page.setViewportSize({ width, height });
      await page.emulateMedia({ colorScheme: scheme });
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
      // A finger hits what is this high; a panel's own touch screen makes targets higher still.
      if (width === 480) expect(await lowTargets(page)).toEqual([]);
      if (isAudited(path, width, scheme)) expect(await axe(page)).toEqual([]);
      expect(faults.filter((fault) => path !== '/no-such-page' || !fault.includes('404'))).toEqual([]);
    });
  });

  test('/inspector stays within its weight', async () => {
    const home = `http://panel.local:${inspected.port}`;
    const watched = await openPage(browser, home);
    expectLight(await load(watched, `${home}/inspector`));
    await watched.context.close();
  });

  test.each(['/', '/configure', '/configure/mqtt', '/simulator', '/profiles', '/room'])(
    '%s reads without scripts',
    async (path) => {
      const { page, context } = await openPage(browser, origin, { javaScriptEnabled: false });
      await page.goto(origin + path);
      expect(await page.locator('h1').count()).toBe(1);
      expect(await page.locator('main').innerText()).toContain('without JavaScript');
      expect(
        await page
          .locator('main button:not([disabled]):not(.moment):not(.undo):not([data-copy]):not([data-copies])')
          .filter({ visible: true })
          .count(),
      ).toBe(0);
      await context.close();
    },
  );

  test('a pinned theme is there before the first paint and survives the page', async () => {
    const { page, context } = await openPage(browser, origin, { colorScheme: 'light' });
    await page.goto(`${origin}/`);
    const button = page.locator('[data-theme-button]');
    await button.click();
    await button.click();
    expect(await button.getAttribute('aria-label')).toBe('Theme: dark');
    await page.goto(`${origin}/configure`, { waitUntil: 'commit' });
    await page.locator('html[data-theme=dark] h1').waitFor();
    await page.locator('[data-theme-button]').click();
    expect(await page.locator('html').getAttribute('data-theme')).toBeNull();
    await context.close();
  });

  test('spacing that older browsers lack is not put on those that have it', async () => {
    const { page, context } = await openPage(browser, origin);
    await page.goto(`${origin}/`);
    await page.locator('[data-theme-button]').waitFor();
    expect(await page.evaluate("document.documentElement.classList.contains('no-flex-gap')")).toBe(false);
    await context.close();
  });

  test('a low screen shows the sentence and the next step without scrolling, and a phone says that the panel is simulated', async () => {
    const { page, context } = await openPage(browser, origin, {
      viewport: { width: 480, height: 480 },
      hasTouch: true,
    });
    await page.goto(`${origin}/`);
    const nav = await page.locator('.nav').boundingBox();
    for (const part of ['.hero-words .primary', '.summary-sentence']) {
      const box = await page.locator(part).boundingBox();
      expect((box?.y ?? 999) + (box?.height ?? 999)).toBeLessThanOrEqual(nav?.y ?? 0);
    }
    // The setup is the one next step.
    expect(await page.locator('.summary-sentence').innerText()).toBe('Set up this panel');
    expect(await page.locator('.hero-words .button').allInnerTexts()).toEqual(['Set it up']);
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await page.locator('.badge').isVisible()).toBe(true);
    await context.close();
  });

  test.each([
    ['/sign-in', ['#sign-address', '.sign-form .primary']],
    ['/api', ['[data-filter]', '[data-tag] >> nth=0']],
    ['/snippets', ['.snippet >> nth=0 >> .button']],
  ] as const)('what %s is for is on a low screen without scrolling', async (path, parts) => {
    const { page, context } = await openPage(browser, origin, {
      viewport: { width: 480, height: 480 },
      hasTouch: true,
    });
    await page.goto(`${origin}${path}`);
    const nav = await page.locator('.nav').boundingBox();
    for (const part of parts) {
      await page.locator(part).waitFor();
      const box = await page.locator(part).boundingBox();
      expect((box?.y ?? 999) + (box?.height ?? 999), part).toBeLessThanOrEqual(nav?.y ?? 0);
    }
    await context.close();
  });

  test('all that is under More stands on one screen of a phone, a row each; the inspector follows', async () => {
    const { page, context } = await openPage(browser, `http://panel.local:${inspected.port}`, {
      viewport: { width: 390, height: 844 },
      hasTouch: true,
    });
    await page.goto(`http://panel.local:${inspected.port}/more`);
    await page.locator('[data-theme-button]').waitFor();
    expect(await page.locator('.row', { hasText: 'Inspector' }).count()).toBe(1);
    const nav = await page.locator('.nav').boundingBox();
    const rows = await page.evaluate<{ readonly bottom: number; readonly height: number; readonly cut: boolean }[]>(
      "Array.from(document.querySelectorAll('.rows > li')).map((row) => ({ bottom: row.getBoundingClientRect().bottom, height: row.getBoundingClientRect().height, cut: Array.from(row.querySelectorAll('.row-words span')).some((words) => words.scrollWidth > words.clientWidth) }))",
    );
    expect(rows.length).toBeGreaterThan(8);
    // The inspector comes last, and is there only with `--inspect`.
    for (const { bottom } of rows.slice(0, -1)) expect(bottom).toBeLessThanOrEqual(nav?.y ?? 0);
    for (const { height, cut } of rows) {
      expect(height).toBeGreaterThanOrEqual(56);
      expect(cut).toBe(false);
    }
    await context.close();
  });

  test('the support bundle is saved as a file from the page About', async () => {
    const { page, context, faults } = await openPage(browser, origin, { acceptDownloads: true });
    await page.goto(`${origin}/about`);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Save the bundle' }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/^sconce-support-\d{4}-\d\d-\d\d\.txt$/);
    expect(await download.failure()).toBeNull();
    await page.goto(`${origin}/assets/notices.txt`);
    expect(await page.locator('body').innerText()).toContain('It is built with these packages');
    expect(faults).toEqual([]);
    await context.close();
  });

  test('a request of the API takes one row of a phone where its path is short enough', async () => {
    const { page, context } = await openPage(browser, origin, { viewport: { width: 390, height: 844 } });
    await page.goto(`${origin}/api`);
    await page.locator('[data-tag]').first().waitFor();
    const rows = await page.evaluate<{ readonly path: string; readonly height: number }[]>(
      "Array.from(document.querySelectorAll('.operation > summary')).filter((row) => row.getClientRects().length > 0).map((row) => ({ path: row.querySelector('code').textContent, height: row.getBoundingClientRect().height }))",
    );
    expect(rows.length).toBeGreaterThan(30);
    expect(rows.filter(({ path, height }) => path.length <= 26 && height > 64)).toEqual([]);
    await context.close();
  });

  test('the answer to a request of the API is in sight on a phone', async () => {
    const { page, context, faults } = await openPage(browser, origin, { viewport: { width: 390, height: 844 } });
    await page.goto(`${origin}/api`);
    await page.locator('[data-tag]').first().waitFor();
    await page.getByPlaceholder('Find a request').fill('get /api/v1/logs');
    const row = page.locator('.operation:visible').first();
    await row.locator('summary').first().click();
    await row.getByRole('button', { name: 'Send it' }).click();
    await row.getByText(/^Response 200/).waitFor();
    await row.locator('[data-output]').waitFor();
    const nav = await page.locator('.nav').boundingBox();
    const line = await row.locator('[data-line]').boundingBox();
    expect(line?.y).toBeGreaterThanOrEqual(0);
    expect((line?.y ?? 999) + (line?.height ?? 999)).toBeLessThanOrEqual(nav?.y ?? 0);
    expect(await row.locator('[data-line]').getAttribute('class')).not.toContain('refused');
    expect(faults).toEqual([]);
    await context.close();
  });

  test('every target is large enough for a finger on a touch screen', async () => {
    const { page, context } = await openPage(browser, origin, {
      viewport: { width: 480, height: 480 },
      hasTouch: true,
    });
    for (const path of ['/', '/configure/readings', '/simulator']) {
      await page.goto(origin + path);
      await page.locator('[data-theme-button]').waitFor();
      expect(await lowTargets(page)).toEqual([]);
    }
    await context.close();
  });
});
