import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { chromium, type Browser, type Locator, type Page } from 'playwright-core';
import type { StatusDocument } from '#machines/status.ts';
import { chromiumArguments, chromiumForPages, unseenBrowser } from '#test/browser/program.ts';
import { amount } from '#test/fakes/amount.ts';
import { noBrowser } from '#test/drivers/renderer/rig.ts';
import { HomeClient } from './home-assistant/client.ts';
import { resident } from './home-assistant/onboard.ts';
import { Agent } from './kit/agent.ts';
import { passwords } from './kit/broker.ts';
import { logIn } from './kit/second-browser.ts';
import { until } from './kit/until.ts';

/** Most clicks of the whole journey, without typing and without the login page of Home Assistant. */
const mostClicks = 11;
/** Longest time of the whole journey, in milliseconds, typing included. */
const withinMs = 120_000;

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

describe.skipIf(noBrowser)('the guided setup, against a real Home Assistant', () => {
  beforeAll(async () => {
    client = await HomeClient.open(home.url, home.token);
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

        await hand.step('home_assistant').locator('[name=ha_url]').fill(home.url);
        // It runs on the panel itself here, where nothing is tried before it is saved.
        await page
          .locator('#step-home_assistant .refusal', { hasText: 'cannot be tested before it is saved' })
          .waitFor();
        await hand.click(hand.step('home_assistant').locator('[type=submit]'));
        await logIn(page, resident);
        await page.waitForURL(`${agent.origin}/setup`);
        await page.locator('#step-home_assistant [data-who]', { hasText: /^Signed in as / }).waitFor();

        await hand.step('broker').locator('[name=mqtt_broker]').fill(`mqtt://127.0.0.1:${home.brokerPort}`);
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
  );
});
