import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { chromium, type Browser, type Locator, type Page } from 'playwright-core';
import { z } from 'zod';
import { axe } from '#test/browser/browser.ts';
import type { StatusDocument } from '#machines/status.ts';
import { chromiumArguments, chromiumForPages, unseenBrowser } from '#test/browser/program.ts';
import { amount } from '#test/fakes/amount.ts';
import { noBrowser } from '#test/drivers/renderer/rig.ts';
import { HomeClient } from './home-assistant/client.ts';
import { resident } from './home-assistant/onboard.ts';
import { Agent } from './kit/agent.ts';
import { passwords } from './kit/broker.ts';
import { freePort } from './kit/ports.ts';
import { logIn } from './kit/second-browser.ts';
import { until } from './kit/until.ts';

/** Most clicks of the whole journey, without typing and without the login page of Home Assistant. */
const mostClicks = 11;
/** Longest time of the whole journey, in milliseconds, typing included. */
const withinMs = 120_000;
/** The same with what comes after the journey, in milliseconds. */
const testMs = 180_000;

const home = inject('homeAssistant');
let client: HomeClient;
let browser: Browser;

/** A person in front of the page, whose clicks are counted. */
class Hand {
  readonly page: Page;
  clicks = 0;

  constructor(page: Page) {
    this.page = page;
  }

  async click(place: Locator): Promise<void> {
    await place.click();
    this.clicks += 1;
  }

  step(stage: string): Locator {
    return this.page.locator(`#step-${stage}.is-open`);
  }
}

const dashboard = (status: StatusDocument): boolean =>
  status.renderer?.rendered === true && status.renderer.place === 'dashboard';

/** What a person types by mistake as the address of Home Assistant, and what the step says to it. */
async function wrongAddresses(page: Page, address: Locator, own: string): Promise<void> {
  const refusal = page.locator('#step-home_assistant .refusal');
  const submit = page.locator('#step-home_assistant [type=submit]');
  const probed: string[] = [];
  page.on('response', (response) => {
    if (response.url().includes('probe-home-assistant')) probed.push(response.url());
  });
  await address.fill('192.168.1.');
  await until('it was checked in a pause', async () => probed.length > 0);
  expect(await refusal.count()).toBe(0);
  await address.blur();
  await refusal.filter({ hasText: 'four numbers' }).waitFor();
  await address.fill('http://nowhere.invalid:8123');
  await address.blur();
  await refusal.filter({ hasText: /This name is not known|Nothing answers there/ }).waitFor();
  await address.fill('');
  await submit.click();
  await refusal.filter({ hasText: 'Enter the address of Home Assistant' }).waitFor();
  await address.fill(own);
  await submit.click();
  await refusal.filter({ hasText: 'the address of Sconce itself' }).waitFor();
  // The panel looks at no port of its own machine, so that the browser finds this one closed; back leads to the step.
  await address.fill(`http://127.0.0.1:${await freePort()}`);
  await submit.click();
  await until('the browser says so', async () => page.url().startsWith('chrome-error:'));
  await page.goBack();
  await page.locator('#step-home_assistant.is-open').waitFor();
}

/** A home dashboard that Home Assistant does not have is refused; one that goes needs a person, and comes back. */
async function missingDashboards(agent: Agent): Promise<void> {
  const save = (path: string) =>
    fetch(`${agent.origin}/api/v1/config`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ home_dashboard: path }),
    });
  const refused = await save('/setup-pannel');
  expect(refused.status).toBe(400);
  expect(JSON.stringify(await refused.json())).toContain('/setup-panel');
  const config = z.object({ settings: z.record(z.string(), z.unknown()) });
  const { settings } = config.parse(await (await fetch(`${agent.origin}/api/v1/config`)).json());
  expect(settings).toMatchObject({ home_dashboard: '/setup-panel', dashboard_idle_return_min: 5 });
  const isMissing = async (): Promise<boolean> => (await agent.status()).renderer?.home_missing === true;
  const dashboards = z.array(z.object({ id: z.string(), url_path: z.string() }));
  const made = dashboards.parse(await client.call('lovelace/dashboards/list'));
  const own = made.find((one) => one.url_path === 'setup-panel');
  await client.call('lovelace/dashboards/delete', { dashboard_id: own?.id ?? '' });
  await until('it needs a person', isMissing);
  expect((await agent.status()).capabilities.find(({ id }) => id === 'dashboard')).toMatchObject({
    state: 'needs_you',
    reason: 'home-missing',
  });
  await makeDashboard();
  await until('it is back', async () => !(await isMissing()) && dashboard(await agent.status()));
}

async function makeDashboard(): Promise<void> {
  await client.call('lovelace/dashboards/create', {
    url_path: 'setup-panel',
    title: 'Setup panel',
    mode: 'storage',
    require_admin: false,
    show_in_sidebar: true,
  });
  await client.call('lovelace/config/save', {
    url_path: 'setup-panel',
    config: { views: [{ title: 'Hall', cards: [{ type: 'markdown', content: '# Hall' }] }] },
  });
}

describe.skipIf(noBrowser)('the guided setup, against a real Home Assistant', () => {
  beforeAll(async () => {
    client = await HomeClient.open(home.url, home.token);
    await makeDashboard();
    browser = await chromium.launch({ executablePath: chromiumForPages, args: [...chromiumArguments] });
  });

  afterAll(async () => {
    await browser?.close();
    client?.close();
  });

  const phone = { width: 390, height: 844, name: 'Hall by phone' };
  it.each(amount([phone], [phone, { width: 480, height: 480, name: 'Hall by hand' }]))(
    'leads from a fresh panel to a dashboard on the screen ($width x $height)',
    async ({ width, height, name }) => {
      const agent = await Agent.start({ args: ['--renderer', 'headless'], env: unseenBrowser() });
      const context = await browser.newContext({ viewport: { width, height }, hasTouch: true });
      try {
        const page = await context.newPage();
        page.setDefaultTimeout(20_000);
        const hand = new Hand(page);
        const began = Date.now();
        await page.goto(`${agent.origin}/setup`);

        await hand.step('identity').locator('[name=friendly_name]').fill(name);
        await hand.click(hand.step('identity').locator('.primary'));

        const address = hand.step('home_assistant').locator('[name=ha_url]');
        await wrongAddresses(page, address, agent.origin);
        await address.fill(home.url);
        // It runs on the panel itself here, where nothing is tried before it is saved.
        await page
          .locator('#step-home_assistant .refusal', { hasText: 'cannot be tested before it is saved' })
          .waitFor();
        await hand.click(hand.step('home_assistant').locator('[type=submit]'));
        await logIn(page, { ...resident, password: 'not-the-password' });
        await page.getByText('Invalid username or password').waitFor();
        await logIn(page, resident);
        await page.waitForURL(`${agent.origin}/setup`);
        await page.locator('#step-home_assistant [data-who]', { hasText: /^Signed in as / }).waitFor();

        const broker = hand.step('broker');
        const told = async (words: string): Promise<void> => {
          await broker.locator('.primary').click();
          await broker.locator('.setup-detail,.refusal').filter({ hasText: words, visible: true }).first().waitFor();
        };
        await told('Enter the address of your broker');
        for (const [wrong, words] of [
          [home.url.replace('http', 'mqtt'), 'it does not speak MQTT'],
          [`mqtt://127.0.0.1:${await freePort()}`, 'Nothing listens'],
          [agent.origin.replace('http', 'mqtt'), 'it does not speak MQTT'],
        ] as const) {
          await broker.locator('[name=mqtt_broker]').fill(wrong);
          await told(words);
        }
        // Loaded again in the middle, the step is open with what was typed.
        const brokerAddress = broker.locator('[name=mqtt_broker]');
        await brokerAddress.fill(`mqtt://127.0.0.1:${home.brokerPort}`);
        await page.reload();
        await broker.waitFor();
        expect(await brokerAddress.inputValue()).toBe(`mqtt://127.0.0.1:${home.brokerPort}`);
        await page.locator('#step-home_assistant [data-who]', { hasText: /^Signed in as / }).waitFor();
        await told('This broker asks for a user name and password');
        // A wrong password first: the step says so, keeps the rest, and takes the right one.
        await hand.step('broker').locator('[name=mqtt_user]').fill('panel');
        await hand.step('broker').locator('[name=mqtt_password]').fill('not-the-password');
        await hand.click(hand.step('broker').locator('.primary'));
        await hand
          .step('broker')
          .locator('.setup-detail', { hasText: 'refused the user name or the password' })
          .waitFor();
        await hand.step('broker').locator('[name=mqtt_password]').fill(passwords.panel);
        await hand.click(hand.step('broker').locator('.primary'));

        await hand.step('home_dashboard').getByText('It returns there after 5 minutes').waitFor();
        await hand.click(hand.step('home_dashboard').locator('[data-path="/setup-panel"]'));
        await hand.click(hand.step('entity_filter').locator('[data-filter=true]'));

        const entity = page.locator('[data-entity]');
        await entity.waitFor();
        const slug = name.toLowerCase().replaceAll(' ', '_');
        expect(await entity.textContent()).toContain(`light.${slug}_screen`);
        await until('the dashboard is on the screen', async () => dashboard(await agent.status()), 60_000);
        const took = Date.now() - began;
        console.log(`setup at ${width}x${height}: ${hand.clicks} clicks, ${(took / 1000).toFixed(1)} s`);
        expect(hand.clicks).toBeLessThanOrEqual(mostClicks);
        expect(took).toBeLessThan(withinMs);

        for (const chosen of ['[data-path="/setup-panel"]', '[data-filter=true]'])
          await page.locator(`${chosen}[aria-pressed=true]`).waitFor({ state: 'attached' });

        const finish = page.locator('#step-finish');
        await finish.locator('img[data-shot]').waitFor();
        expect(await finish.locator('[data-device]').getAttribute('href')).toMatch(/\/config\/devices\/device\/\w+$/);
        expect(await finish.getByText('Reset this panel').count()).toBe(0);
        expect(await axe(page)).toEqual([]);
        // The used login page is not behind it.
        await page.goBack();
        expect(page.url()).toBe('about:blank');
        await page.goto(`${agent.origin}/setup`);

        await missingDashboards(agent);

        await hand.click(page.locator('[data-home]'));
        await page.waitForURL(`${agent.origin}/`);
        const { setup } = await agent.status();
        expect(setup).toMatchObject({ complete: true, due: false, seen: true });

        // Whatever breaks later, the setup is never due again.
        await agent.kill();
        await agent.startAgain();
        expect((await agent.status()).setup).toMatchObject({ complete: true, due: false });
      } finally {
        await context.close();
        await agent.stop();
      }
    },
    testMs,
  );
});
