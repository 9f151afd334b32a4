import type { Browser, ViewportSize } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { unseenBrowser } from '#test/browser/program.ts';
import { amount, few } from '#test/fakes/amount.ts';
import { clearAway, startAgent, type AgentProcess } from '#test/scenarios/agent-process.ts';
import { axe, closePages, noBrowser, openPage, startBrowser, untilStatus } from './browser.ts';

/** A plain run audits at the smallest size. */
const isAudited = ({ width, height }: ViewportSize): boolean => amount(width <= 480 && height <= 480, true);

describe.skipIf(noBrowser)('a panel whose browser runs', () => {
  let browser: Browser;
  let agent: AgentProcess;

  beforeAll(async () => {
    [browser, agent] = await Promise.all([
      startBrowser(),
      startAgent({ args: ['--renderer', 'headless'], env: unseenBrowser() }),
    ]);
    await untilStatus(
      agent.url,
      'the offline page',
      ({ renderer }) => renderer?.phase === 'waiting' && renderer.place === 'own',
      45_000,
    );
  }, 60_000);
  afterAll(async () => {
    // Asked to stop, it takes its browser along.
    await agent.kill('SIGTERM');
    clearAway();
    await closePages(browser);
  });

  test.each(
    few([
      { width: 480, height: 480 },
      { width: 1280, height: 800 },
    ]),
  )('its own pages lead back on its screen at $width x $height', async (viewport) => {
    const { page, context, faults } = await openPage(browser, agent.url, { viewport, hasTouch: true });
    await page.goto(`${agent.url}/?on=glass`);
    await page.locator('[data-theme-button]').waitFor();
    if (isAudited(viewport)) expect(await axe(page)).toEqual([]);
    for (const path of ['/', '/configure', '/configure/mqtt', '/more', '/sign-in']) {
      await page.goto(agent.url + path);
      await page.evaluate('scrollTo(0, 600)');
      const box = await page.locator('.way-back').boundingBox();
      expect(box?.height).toBeGreaterThanOrEqual(56);
      expect(box?.y).toBeGreaterThanOrEqual(0);
      expect((box?.y ?? 999) + (box?.height ?? 999)).toBeLessThan(viewport.height);
    }
    await page.locator('.way-back').click();
    await page.waitForURL('**/glass?on=glass');
    expect(faults).toEqual([]);
    await context.close();
  });

  test.each(
    few(
      [
        { width: 480, height: 480 },
        { width: 800, height: 480 },
        { width: 480, height: 800 },
        { width: 1024, height: 600 },
        { width: 1280, height: 800 },
      ],
      2,
    ),
  )('the offline page fits $width x $height, for the finger too', async (viewport) => {
    const { page, context, faults } = await openPage(browser, agent.url, { viewport, hasTouch: true });
    await page.goto(`${agent.url}/glass`);
    if (isAudited(viewport)) expect(await axe(page)).toEqual([]);
    // The most that it says: a long address and name, and a second button.
    await page.evaluate(`
      document.querySelector('.glass-link').innerHTML = '<span>http://192.168.178.123</span><span>:8888</span><span>/setup</span>';
      document.querySelector('.glass-name').textContent = 'A panel with a name as long as that of a whole hall';
      document.querySelector('.glass-title').textContent = 'Sign in to Home Assistant';
      document.querySelector('.glass-buttons').insertAdjacentHTML('afterbegin', '<a class="glass-button" href="/">Sign in here</a>');
    `);
    for (const part of ['.glass-title', '.glass-code', '.glass-link', '.glass-button >> nth=1', '.glass-name']) {
      const box = await page.locator(part).boundingBox();
      expect(box?.y).toBeGreaterThanOrEqual(0);
      expect((box?.x ?? 0) + (box?.width ?? 9999)).toBeLessThanOrEqual(viewport.width);
      expect((box?.y ?? 0) + (box?.height ?? 9999)).toBeLessThanOrEqual(viewport.height);
      if (part.startsWith('.glass-button')) expect(box?.height).toBeGreaterThanOrEqual(56);
    }
    expect(faults).toEqual([]);
    await context.close();
  });

  test.each(
    few([
      { width: 480, height: 480 },
      { width: 800, height: 480 },
      { width: 1280, height: 800 },
    ]),
  )('shows the code and no way to type at $width x $height, until a keyboard is plugged in', async (viewport) => {
    const plug = (plugged: boolean) =>
      fetch(`${agent.url}/api/v1/simulator`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ plug: 'keyboard', plugged }),
      });
    const { page, context, faults } = await openPage(browser, agent.url, { viewport, hasTouch: true });
    await page.goto(`${agent.url}/glass?on=glass`);
    const enter = page.getByRole('link', { name: 'Enter it here' });
    const words = page.locator('.glass-hint', { hasText: 'plug in a keyboard' });
    expect(await enter.count()).toBe(0);
    if (isAudited(viewport)) expect(await axe(page)).toEqual([]);
    // Wherever it moves to.
    await page.evaluate(`document.body.style.transform = ''`);
    for (const part of ['.glass-title', '.glass-code', '.glass-link', '.glass-hint', '.glass-button', '.glass-clock']) {
      const box = await page.locator(part).boundingBox();
      expect(box?.y, part).toBeGreaterThanOrEqual(6);
      expect((box?.x ?? 0) + (box?.width ?? 9999), part).toBeLessThanOrEqual(viewport.width - 6);
      expect((box?.y ?? 0) + (box?.height ?? 9999), part).toBeLessThanOrEqual(viewport.height - 6);
    }
    await plug(true);
    await enter.waitFor();
    expect(await words.count()).toBe(0);

    await page.goto(`${agent.url}/sign-in`);
    const address = page.locator('[name=ha_url]');
    expect(await address.isVisible()).toBe(true);
    await plug(false);
    await page.getByText('plug in a keyboard').waitFor();
    expect(await address.count()).toBe(0);
    expect(await page.getByAltText('QR code').isVisible()).toBe(true);
    if (isAudited(viewport)) expect(await axe(page)).toEqual([]);

    await page.goto(`${agent.url}/setup#step-home_assistant`);
    const step = page.locator('#step-home_assistant.is-open');
    await step.getByText('Scan the code on this page').waitFor();
    await page.locator('.setup-phone img').waitFor();
    expect(await step.getByRole('button', { name: 'Sign in' }).count()).toBe(0);
    expect(await address.count()).toBe(0);
    await plug(true);
    await step.getByRole('button', { name: 'Sign in' }).waitFor();
    expect(await address.isVisible()).toBe(true);
    await plug(false);
    await step.getByText('Scan the code on this page').waitFor();
    if (isAudited(viewport)) expect(await axe(page)).toEqual([]);
    expect(faults).toEqual([]);
    await context.close();
  });

  test('the offline page is a clock on the panel’s screen that needs no network, and moves a little', async () => {
    const { page, context, faults } = await openPage(browser, agent.url, { viewport: { width: 480, height: 480 } });
    await page.clock.install({ time: new Date(2026, 0, 5, 21, 58, 30) });
    await page.goto(`${agent.url}/glass?on=glass`);
    // As drawn while Home Assistant isn't responding, which this panel has none of.
    await page.evaluate(`
      document.querySelector('main').className = 'glass glass-away';
      document.querySelector('main').innerHTML = '<span class="glass-clock" data-clock></span>'
        + '<h1 class="glass-title">Home Assistant isn’t responding</h1>'
        + '<p class="glass-text">Since 21:30: it is not running, or it is starting.</p>'
        + '<p class="glass-text glass-quiet">The dashboard comes back on its own.</p>'
        + '<p class="glass-foot"><span class="glass-name">Hall</span></p>';
    `);
    const clock = page.locator('.glass-clock');
    const places = new Set<string>();
    await context.setOffline(true);
    for (const time of ['21:59', '22:00', '22:01']) {
      await page.clock.runFor(60_000);
      expect(await clock.textContent()).toBe(time);
      for (const part of ['.glass-clock', '.glass-title', '.glass-quiet', '.glass-name']) {
        const box = await page.locator(part).boundingBox();
        expect(box?.x, part).toBeGreaterThanOrEqual(4);
        expect((box?.y ?? 0) + (box?.height ?? 9999), part).toBeLessThanOrEqual(476);
        if (part === '.glass-clock') places.add(`${box?.x} ${box?.y}`);
      }
    }
    expect(places.size).toBe(3);
    expect(faults.filter((fault) => !fault.includes('ERR_INTERNET_DISCONNECTED'))).toEqual([]);
    await context.close();
  });

  test('the offline page elsewhere has no clock and does not move', async () => {
    const { page, context } = await openPage(browser, agent.url);
    await page.clock.install();
    await page.goto(`${agent.url}/glass`);
    await page.clock.runFor(120_000);
    expect(await page.locator('[data-clock]').count()).toBe(0);
    expect(await page.evaluate('document.body.style.transform')).toBe('');
    await context.close();
  });

  test.each(['127.0.0.1', 'panel.local'])('nobody else at %s is led anywhere', async (host) => {
    const { page, context } = await openPage(browser, `http://${host}:${agent.port}`);
    await page.goto(`http://${host}:${agent.port}/`);
    await page.locator('[data-theme-button]').waitFor();
    expect(await page.locator('.way-back').count()).toBe(0);
    await context.close();
  });

  test('the offline page asks for the dashboard where it is the way back, and not otherwise', async () => {
    const { page, context } = await openPage(browser, agent.url);
    const asked: (string | null)[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/api/v1/action')) asked.push(request.postData());
    });
    await page.goto(`${agent.url}/glass?on=glass`, { waitUntil: 'load' });
    expect(asked).toEqual([]);
    // As the panel draws it over a dashboard, which this panel has none of.
    await page.route('**/glass?on=glass', async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, body: (await response.text()).replace('<main ', '<main data-leads="" ') });
    });
    const answer = page.waitForResponse('**/api/v1/action');
    await page.goto(`${agent.url}/glass?on=glass`);
    // The panel is not signed in, so there is no dashboard to go back to.
    expect((await answer).status()).toBe(409);
    expect(asked).toEqual(['{"a":"home"}']);
    await context.close();
  });

  test('the offline page says after a while what keeps a dashboard that does not come', async () => {
    const { page, context } = await openPage(browser, agent.url);
    await page.clock.install();
    // As the panel draws it elsewhere while the dashboard loads, which takes a second.
    await page.route('**/glass', async (route) => {
      const response = await route.fetch();
      const late = '<div data-late hidden><p>The dashboard is loading.</p></div>';
      await route.fulfill({ response, body: (await response.text()).replace(/<main [^>]*>/, `$&${late}`) });
    });
    await page.goto(`${agent.url}/glass`);
    const words = page.getByText('The dashboard is loading.');
    await page.clock.runFor(18_000);
    expect(await words.isVisible()).toBe(false);
    await page.clock.runFor(4_000);
    expect(await words.isVisible()).toBe(true);
    await context.close();
  });

  test('the offline page has the dashboard tried again by its button', async () => {
    const { page, context } = await openPage(browser, agent.url);
    // As the panel draws it for a dashboard that failed, which takes minutes.
    await page.route('**/glass', async (route) => {
      const response = await route.fetch();
      const button = '<button type="button" data-try-again><span>Try again</span></button>';
      await route.fulfill({ response, body: (await response.text()).replace(/<main [^>]*>/, `$&${button}`) });
    });
    await page.goto(`${agent.url}/glass`);
    const asked = page.waitForRequest('**/api/v1/action');
    await page.getByText('Try again').click();
    expect((await asked).postData()).toBe('{"a":"home"}');
    await context.close();
  });

  test.each(
    few([
      { width: 480, height: 480 },
      { width: 390, height: 844 },
    ]),
  )('what the dashboard remembers is cleared only after a question, at $width x $height', async (viewport) => {
    const { page, context, faults } = await openPage(browser, agent.url, { viewport, hasTouch: true });
    const sent: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST') sent.push(request.url());
    });
    await page.goto(`${agent.url}/configure/dashboard`);
    const clear = page.getByRole('button', { name: 'Clear and reload' });
    const question = page.getByRole('dialog', { name: 'Clear what the dashboard remembers?' });
    await clear.click();
    await question.getByText('the panel’s sign-in, all settings').waitFor();
    if (isAudited(viewport)) expect(await axe(page)).toEqual([]);
    await question.getByRole('button', { name: 'Cancel' }).click();
    expect(await question.isVisible()).toBe(false);
    expect(sent).toEqual([]);
    await clear.click();
    await question.getByRole('button', { name: 'Clear', exact: true }).click();
    // This panel has no Home Assistant yet, and says so beside the button.
    await page.locator('sconce-storage .said', { hasText: 'the address of Home Assistant is not set' }).waitFor();
    expect(sent).toEqual([`${agent.url}/api/v1/dashboard/clear-storage`]);
    expect(faults.filter((fault) => !fault.includes('409'))).toEqual([]);
    await context.close();
  });

  test('the status page shows what is on the screen within its drawing, which does not grow, and again', async () => {
    const origin = `http://panel.local:${agent.port}`;
    const { page, context, faults } = await openPage(browser, origin);
    // Held back, so that the page is also seen without it.
    let release = (): void => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    await page.route('**/api/v1/screenshot.png?shared=true', async (route) => {
      await held;
      await route.continue();
    });
    await page.goto(`${origin}/`);
    const hero = page.locator('.hero-card');
    const words = page.locator('.hero-words');
    const before = [await hero.boundingBox(), await words.boundingBox()];
    const image = page.locator('#glass-picture image');
    expect(await image.isVisible()).toBe(false);
    release();
    await image.waitFor();
    expect(await image.getAttribute('href')).toMatch(/^data:image\/png;base64,.{1000}/);
    expect([await hero.boundingBox(), await words.boundingBox()]).toEqual(before);
    const [screenBox, picture] = [await page.locator('rect.glass').first().boundingBox(), await image.boundingBox()];
    expect(picture).toEqual(screenBox);
    expect(await axe(page)).toEqual([]);
    // A change of what is shown is followed by another picture, and the drawing may be redrawn meanwhile.
    const act = (body: object): Promise<Response> =>
      fetch(`${agent.url}/api/v1/action`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    await act({ a: 'volume', value: 17 });
    await act({ a: 'screen_off' });
    await image.waitFor({ state: 'hidden' });
    const second = page.waitForResponse((response) => response.url().includes('/screenshot.png'));
    await act({ a: 'screen_on' });
    expect((await second).status()).toBe(200);
    await image.waitFor();
    await page.getByRole('button', { name: 'Hide what is on the screen' }).click();
    await image.waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Show what is on the screen' }).click();
    await image.waitFor();
    expect(faults).toEqual([]);
    await context.close();
  });

  test('takes no picture for a page that nobody sees, nor for the screen itself', async () => {
    const { page, context } = await openPage(browser, agent.url);
    let pictures = 0;
    page.on('request', (request) => (pictures += request.url().includes('/screenshot.png') ? 1 : 0));
    await page.addInitScript("Object.defineProperty(document, 'hidden', { get: () => !window.isSeen })");
    await page.goto(`${agent.url}/`);
    await page.locator('sconce-screen button:enabled').waitFor();
    expect(pictures).toBe(0);
    await page.evaluate("window.isSeen = true; document.dispatchEvent(new Event('visibilitychange'))");
    await page.locator('#glass-picture image').waitFor();
    expect(pictures).toBe(1);
    await page.goto(`${agent.url}/?on=glass`);
    expect(await page.locator('sconce-screen[data-auto]').count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Show what is on the screen' }).count()).toBe(1);
    await context.close();
  });
});
