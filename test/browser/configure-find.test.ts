import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { few } from '#test/fakes/amount.ts';
import { clearAway, startAgent, type AgentProcess } from '#test/scenarios/agent-process.ts';
import { until } from '#test/scenarios/live-agent.ts';
import { axe, closePages, noBrowser, openPage, startBrowser, type WatchedPage } from './browser.ts';

describe.skipIf(noBrowser)('finding a setting', () => {
  let browser: Browser;
  let agent: AgentProcess;
  let origin: string;
  let watched: WatchedPage;

  const found = (): Promise<string[]> => watched.page.locator('.found b').allInnerTexts();
  const finds = (...labels: readonly string[]): Promise<true> =>
    until(labels.join(', '), async () => (await found()).join('|') === labels.join('|'));
  const focused = (page: Page): Promise<string> => page.evaluate<string>('document.activeElement.name');

  beforeAll(async () => {
    [browser, agent] = await Promise.all([startBrowser(), startAgent()]);
    origin = `http://panel.local:${agent.port}`;
  });
  afterAll(async () => {
    clearAway();
    await closePages(browser);
  });
  beforeEach(async () => {
    watched = await openPage(browser, origin, { viewport: { width: 390, height: 844 } });
    await watched.page.goto(`${origin}/configure`);
    await watched.page.locator('sconce-find input').waitFor();
  });
  afterEach(async () => {
    await watched.context.close();
  });

  test('the search reads the settings once it is used, and goes by title, help, key, other names and group', async () => {
    const { page, faults } = watched;
    const asked: string[] = [];
    page.on('request', (request) => void asked.push(new URL(request.url()).pathname));
    const find = page.getByRole('searchbox', { name: 'Find a setting' });
    expect(asked.filter((path) => path.endsWith('/schema'))).toEqual([]);
    await find.fill('address fam');
    await finds('Address family');
    await page.getByText('1 setting found', { exact: true }).waitFor();
    expect(await page.locator('.groups').isVisible()).toBe(false);
    await find.fill('VOLUME_LIMIT');
    await finds('Maximum volume');
    await find.fill('timeout');
    await until('what people call so', async () => {
      const titles = await found();
      return ['Return to the home dashboard after', 'Off after the last touch'].every((one) => titles.includes(one));
    });
    await find.fill('sensors correction');
    await finds('Temperature correction', 'Humidity correction');
    await find.fill('processor use');
    await finds('Processor use');
    // What is called so comes before what only says so.
    await find.fill('home dash');
    await until('the first', async () => (await found())[0] === 'Home dashboard');
    await find.fill('warms its own sensor');
    await finds('Temperature correction');
    expect(await axe(page)).toEqual([]);
    await find.fill('nowhere at all');
    await page.getByText('Nothing found for “nowhere at all”.').waitFor();
    expect(await page.locator('.groups').isVisible()).toBe(true);
    await find.press('Escape');
    expect(await find.inputValue()).toBe('');
    await page.locator('.groups').waitFor();
    expect(asked.filter((path) => path.endsWith('/schema'))).toHaveLength(1);
    expect(faults).toEqual([]);
  });

  test.each(
    few([
      ['warms its own sensor', '/configure/sensors#field-temperature_offset', 'temperature_offset'],
      ['discovery prefix', '/configure/mqtt#field-mqtt_discovery_prefix', 'mqtt_discovery_prefix'],
      ['processor use', '/configure/readings#expose-diag_cpu', 'ha_expose_diag_cpu'],
    ] as const),
  )('Enter opens the field that "%s" finds on the page of its group', async (words, path, name) => {
    const { page } = watched;
    const find = page.getByRole('searchbox', { name: 'Find a setting' });
    await find.fill(words);
    await until('the setting', async () => (await found()).length === 1);
    await find.press('Enter');
    await page.waitForURL(`${origin}${path}`);
    await until('the cursor', async () => (await focused(page)) === name);
  });

  test('says why the settings did not come, and asks for them again', async () => {
    const { page } = watched;
    const find = page.getByRole('searchbox', { name: 'Find a setting' });
    await page.route('**/api/v1/config/schema', (route) => route.abort());
    await find.fill('zoom');
    await page.locator('sconce-find .said', { hasText: 'Could not load the settings' }).waitFor();
    expect(await page.locator('.groups').isVisible()).toBe(true);
    await page.unroute('**/api/v1/config/schema');
    await find.fill('zoo');
    await finds('Zoom');
  });

  test('without scripts the groups and every setting are links', async () => {
    const still = await openPage(browser, origin, { javaScriptEnabled: false });
    await still.page.goto(`${origin}/configure#field-dashboard_zoom`);
    expect(await still.page.locator('sconce-find').isHidden()).toBe(true);
    expect(await still.page.locator('.groups > li:visible').count()).toBe(13);
    expect(await still.page.locator('#field-dashboard_zoom').getAttribute('href')).toBe(
      '/configure/dashboard#field-dashboard_zoom',
    );
    await still.page.locator('.group-link', { hasText: 'Dashboard' }).click();
    await still.page.waitForURL(`${origin}/configure/dashboard`);
    expect(await still.page.locator('h1').innerText()).toBe('Dashboard');
    expect(await still.page.locator('input[name=dashboard_zoom]').inputValue()).toBe('100');
    await still.context.close();
  });

  test.each(
    few(
      [
        ['#field-mqtt_password', '/configure/mqtt#field-mqtt_password'],
        ['#group-sound', '/configure/sound#group-sound'],
        ['#advanced-dashboard', '/configure/dashboard#advanced-dashboard'],
        ['#confirm-moved', '/configure/mqtt#confirm-moved'],
        ['#expose-diag_cpu', '/configure/readings#expose-diag_cpu'],
      ] as const,
      2,
    ),
  )('%s, as links had it before groups had pages, leads to %s', async (hash, path) => {
    const { page } = watched;
    await page.evaluate(`location.hash = '${hash}'`);
    await page.waitForURL(`${origin}${path}`);
    // The page that led on is not in the way back.
    await page.goBack();
    await page.waitForURL(`${origin}/configure`);
  });

  test('a group that does not exist leads to those that do', async () => {
    const { page } = watched;
    const answer = await page.goto(`${origin}/configure/attic`);
    expect(answer?.status()).toBe(404);
    await page.getByRole('link', { name: 'See all settings' }).click();
    await page.waitForURL(`${origin}/configure`);
  });

  test('of the groups above a page that one is marked and in sight which is open', async () => {
    const { page } = watched;
    await page.goto(`${origin}/configure/system`);
    await page.locator('[data-theme-button]').waitFor();
    const current = page.locator('.jump a[aria-current]');
    expect(await current.allInnerTexts()).toEqual(['System']);
    const box = await current.boundingBox();
    expect(box?.x).toBeGreaterThanOrEqual(0);
    expect((box?.x ?? 999) + (box?.width ?? 999)).toBeLessThanOrEqual(390);
  });

  test('a link to a field opens its fold and puts the cursor in, also from the page itself and for a secret', async () => {
    const { page } = watched;
    await page.goto(`${origin}/#x`);
    await page.goto(`${origin}/configure/mqtt#field-mqtt_discovery_prefix`);
    await until('the cursor', async () => (await focused(page)) === 'mqtt_discovery_prefix');
    await fetch(`${agent.url}/api/v1/config`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ mqtt_password: 'marker' }),
    });
    await page.locator('[data-field=mqtt_password] [data-secret-replace]').waitFor();
    await page.evaluate(
      "(() => { const link = document.createElement('a'); link.href = '#field-mqtt_password'; link.id = 'test-link'; link.textContent = 'x'; document.querySelector('.form-hint').append(link); link.click(); })()",
    );
    await until('the cursor', async () => (await focused(page)) === 'mqtt_password');
    expect(page.url()).toBe(`${origin}/configure/mqtt#field-mqtt_password`);
    // Once more, with the same address.
    await page.locator('input[name=mqtt_user]').focus();
    await page.evaluate("document.getElementById('test-link').click()");
    await until('the cursor', async () => (await focused(page)) === 'mqtt_password');
  });

  test('asks before changes are lost by the way back, and not for a link within the page', async () => {
    const { page } = watched;
    const asked: string[] = [];
    page.on('dialog', (dialog) => {
      asked.push(dialog.type());
      void dialog.dismiss();
    });
    await page.goto(`${origin}/`);
    await page.goto(`${origin}/configure/identity`);
    await page.locator('[data-theme-button]').waitFor();
    await page.locator('input[name=friendly_name]').click();
    await page.keyboard.type('Half');
    await page.evaluate(
      "(() => { const link = document.createElement('a'); link.href = '#field-model'; document.body.append(link); link.click(); })()",
    );
    // Before the link has led within the page, the way back would lead out of it.
    await until('the link', async () => page.url().includes('#'));
    await page.goBack();
    expect(asked).toEqual([]);
    await page.evaluate('history.back()');
    await until('the question', async () => asked.length === 1);
    expect(await page.locator('input[name=friendly_name]').inputValue()).toBe('Half');
  });

  test('shows a password while its eye is open', async () => {
    const { page } = watched;
    await page.goto(`${origin}/configure/home-assistant`);
    await page.locator('[data-theme-button]').waitFor();
    const token = page.locator('input[name=ha_token]');
    await page.locator('#advanced-home-assistant > summary').click();
    await token.fill('marker');
    const eye = page.getByRole('button', { name: 'Show Long-lived access token' });
    const box = await eye.boundingBox();
    expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(48);
    await eye.click();
    expect([await token.getAttribute('type'), await eye.getAttribute('aria-pressed')]).toEqual(['text', 'true']);
    await eye.click();
    expect(await token.getAttribute('type')).toBe('password');
    const wide = await token.boundingBox();
    expect(wide?.width).toBe((await page.locator('input[name=ha_url]').boundingBox())?.width);
  });

  test('says before somebody signs in that Home Assistant cannot be reached', async () => {
    const { page } = watched;
    // A name that exists nowhere (RFC 6761).
    await fetch(`${agent.url}/api/v1/config`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ha_url: 'http://nowhere.invalid:8123' }),
    });
    await page.goto(`${origin}/sign-in`);
    await page.locator('[data-unreachable]', { hasText: 'This name is not known' }).waitFor();
    expect(await axe(page)).toEqual([]);
  });
});
