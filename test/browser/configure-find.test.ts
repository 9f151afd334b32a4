import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { clearAway, startAgent, type AgentProcess } from '#test/scenarios/agent-process.ts';
import { until } from '#test/scenarios/live-agent.ts';
import { axe, noBrowser, openPage, startBrowser, type WatchedPage } from './browser.ts';

describe.skipIf(noBrowser)('finding a setting', () => {
  let browser: Browser;
  let agent: AgentProcess;
  let origin: string;
  let watched: WatchedPage;

  const seen = async (page: Page): Promise<readonly string[]> =>
    page.evaluate<string[]>(
      "Array.from(document.querySelectorAll('.sections .field')).filter((field) => field.checkVisibility()).map((field) => field.dataset.field)",
    );
  const focused = (page: Page): Promise<string> => page.evaluate<string>('document.activeElement.name');

  beforeAll(async () => {
    [browser, agent] = await Promise.all([startBrowser(), startAgent()]);
    origin = `http://panel.local:${agent.port}`;
  });
  afterAll(async () => {
    clearAway();
    await browser.close();
  });
  beforeEach(async () => {
    watched = await openPage(browser, origin, { viewport: { width: 390, height: 844 } });
    await watched.page.goto(`${origin}/configure`);
    await watched.page.locator('sconce-find input').waitFor();
  });
  afterEach(async () => {
    await watched.context.close();
  });

  test('the search goes by title, help and key, opens folds, counts, and is cleared by Escape', async () => {
    const { page, faults } = watched;
    const find = page.getByRole('searchbox', { name: 'Find a setting' });
    const all = (await seen(page)).length;
    await find.fill('address fam');
    expect(await seen(page)).toEqual(['mqtt_address_family']);
    await page.getByText('1 setting found', { exact: true }).waitFor();
    expect(await page.locator('.sections > .card:visible').count()).toBe(1);
    expect(await page.locator('.jump a:visible').allInnerTexts()).toEqual(['Broker']);
    await find.fill('VOLUME_LIMIT');
    expect(await seen(page)).toEqual(['volume_limit_percent']);
    await find.fill('warms its own sensor');
    expect(await seen(page)).toEqual(['temperature_offset']);
    await find.fill('timeout');
    expect(await seen(page)).toEqual(['dashboard_idle_return_min']);
    await find.fill('warms its own sensor');
    expect(await axe(page)).toEqual([]);
    await find.press('Enter');
    expect(await focused(page)).toBe('temperature_offset');
    await find.fill('nowhere at all');
    await page.getByText('Nothing found for “nowhere at all”.').waitFor();
    // With nothing to save and no setting in sight there is nothing to do.
    expect(await page.locator('.save-bar').isVisible()).toBe(false);
    expect(await page.locator('.form-foot').isVisible()).toBe(false);
    await page.getByRole('link', { name: 'Show all settings' }).click();
    expect(await find.inputValue()).toBe('');
    await page.getByRole('link', { name: 'Show all settings' }).waitFor({ state: 'hidden' });
    await find.fill('nowhere at all');
    await find.press('Escape');
    expect(await page.locator('.save-bar').isVisible()).toBe(false);
    expect(await find.inputValue()).toBe('');
    expect((await seen(page)).length).toBe(all);
    // Folds are as they were.
    expect(await page.locator('details.advanced[open]').count()).toBe(0);
    expect(faults).toEqual([]);
  });

  test('what is hidden is found by a refusal all the same', async () => {
    const { page } = watched;
    await page.locator('input[name=dashboard_zoom]').fill('7');
    await page.getByRole('searchbox').fill('volume');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.locator('#refusal-dashboard_zoom').waitFor();
    expect(await focused(page)).toBe('dashboard_zoom');
  });

  test('a change can be saved although the search finds nothing', async () => {
    const { page } = watched;
    await page.locator('input[name=dashboard_zoom]').fill('1.5');
    await page.getByRole('searchbox').fill('nowhere at all');
    await page.getByText('Nothing found for “nowhere at all”.').waitFor();
    expect(await page.locator('.save-bar').isVisible()).toBe(true);
    page.once('dialog', (dialog) => void dialog.accept());
  });

  test('hides nothing without scripts', async () => {
    const still = await openPage(browser, origin, { javaScriptEnabled: false });
    await still.page.goto(`${origin}/configure`);
    expect(await still.page.locator('sconce-find').isHidden()).toBe(true);
    expect(await still.page.locator('.sections > .card:visible').count()).toBe(9);
    await still.context.close();
  });

  test('the chips stay in sight, and the one of the section that is read is marked', async () => {
    const { page } = watched;
    const current = page.locator('.jump a[aria-current]');
    await until('the first', async () => (await current.allInnerTexts()).join() === 'Home Assistant');
    await page.locator('.jump').getByRole('link', { name: 'Screen', exact: true }).click();
    await until('the screen', async () => (await current.allInnerTexts()).join() === 'Screen');
    const box = await current.boundingBox();
    expect(box?.x).toBeGreaterThanOrEqual(0);
    expect((box?.x ?? 999) + (box?.width ?? 999)).toBeLessThanOrEqual(390);
    expect(box?.y).toBeLessThan(130);
  });

  test('of the chips that one is marked whose section holds the focus, else the last begun a third down the view', async () => {
    const { page } = watched;
    await page.setViewportSize({ width: 1280, height: 800 });
    const current = page.locator('.jump a[aria-current]');
    const isCurrent = (name: string) => until(name, async () => (await current.allInnerTexts()).join() === name);
    const scrollTo = (id: string, top: number) =>
      page.evaluate(`window.scrollBy(0, document.getElementById('group-${id}').getBoundingClientRect().top - ${top})`);
    await scrollTo('mqtt', 400);
    await isCurrent('Home Assistant');
    await scrollTo('mqtt', 250);
    await isCurrent('Broker');
    await page.locator('input[name=mqtt_broker]').focus();
    await scrollTo('mqtt', 300);
    await isCurrent('Broker');
    await page.evaluate('document.activeElement.blur()');
    await scrollTo('mqtt', 310);
    await isCurrent('Home Assistant');
  });

  test('a link to a field opens its fold and puts the cursor in, also from the page itself and for a secret', async () => {
    const { page } = watched;
    await page.goto(`${origin}/#x`);
    await page.goto(`${origin}/configure#field-mqtt_discovery_prefix`);
    await until('the cursor', async () => (await focused(page)) === 'mqtt_discovery_prefix');
    await fetch(`${agent.url}/api/v1/config`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ mqtt_password: 'marker' }),
    });
    await page.locator('[data-field=mqtt_password] [data-secret-replace]').waitFor();
    await page.evaluate(
      "(() => { const link = document.createElement('a'); link.href = '#field-mqtt_password'; link.id = 'test-link'; link.textContent = 'x'; document.querySelector('.lead').append(link); link.click(); })()",
    );
    await until('the cursor', async () => (await focused(page)) === 'mqtt_password');
    expect(page.url()).toBe(`${origin}/configure#field-mqtt_password`);
    // Once more, with the same address.
    await page.locator('input[name=friendly_name]').focus();
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
    await page.goto(`${origin}/configure`);
    await page.locator('sconce-find input').waitFor();
    await page.locator('input[name=friendly_name]').click();
    await page.keyboard.type('Half');
    await page.locator('.jump').getByRole('link', { name: 'Screen', exact: true }).click();
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
