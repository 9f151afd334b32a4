import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { clearAway, startAgent, type AgentProcess } from '#test/scenarios/agent-process.ts';
import { until } from '#test/scenarios/live-agent.ts';
import { axe, closePages, noBrowser, openPage, readStatus, startBrowser, type WatchedPage } from './browser.ts';
import { fakeBroker, type FakeBroker } from './fake-broker.ts';

const phone = { viewport: { width: 390, height: 844 } };

describe.skipIf(noBrowser)('what becomes of a save', () => {
  let browser: Browser;
  let agent: AgentProcess;
  let broker: FakeBroker;
  let origin: string;
  let watched: WatchedPage;

  const change = (body: Readonly<Record<string, unknown>>): Promise<Response> =>
    fetch(`${agent.url}/api/v1/config`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const open = async (group: string): Promise<void> => {
    await watched.page.goto(`${origin}/configure/${group}`);
    await watched.page.locator('[data-theme-button]').waitFor();
  };
  const save = (page: Page): Promise<void> => page.getByRole('button', { name: 'Save', exact: true }).click();
  const bar = (page: Page) => page.locator('.save-bar');
  const word = (page: Page, text: string | RegExp): Promise<void> =>
    page.locator('[data-form-word]', { hasText: text }).waitFor();
  const focused = (page: Page): Promise<string> => page.evaluate<string>('document.activeElement.name');

  beforeAll(async () => {
    [browser, agent, broker] = await Promise.all([startBrowser(), startAgent(), fakeBroker(false)]);
    origin = `http://panel.local:${agent.port}`;
  });
  afterAll(async () => {
    clearAway();
    await Promise.all([closePages(browser), broker.close()]);
  });
  beforeEach(async () => {
    await change({ mqtt_broker: null, mqtt_user: null, panel_id: null, ha_url: null });
    watched = await openPage(browser, origin, phone);
    await open('mqtt');
  });
  afterEach(async () => {
    await watched.context.close();
  });

  test('a password goes to the address that stood beside it while it was typed', async () => {
    const { page } = watched;
    await change({ mqtt_broker: broker.address });
    const field = page.locator('input[name=mqtt_broker]');
    await until('the address', async () => (await field.inputValue()) === broker.address);
    await page.locator('input[name=mqtt_password]').fill('mine');
    // A neighbour names another one; what is saved besides shows that the page has heard of it.
    await change({ mqtt_broker: 'mqtt://127.0.0.1:9', mqtt_user: 'neighbour' });
    const user = page.locator('input[name=mqtt_user]');
    await until('the neighbour', async () => (await user.inputValue()) === 'neighbour');
    expect(await field.inputValue()).toBe(broker.address);
    await save(page);
    await until('it is saved', async () => {
      const config = (await (await fetch(`${agent.url}/api/v1/config`)).json()) as Readonly<Record<string, unknown>>;
      return config['mqtt_password_set'] === true && config['mqtt_broker'] === broker.address;
    });
  });

  test('a refused password is said in the bar, and one tap leads into its field', async () => {
    const { page, faults } = watched;
    broker.answers = false;
    await page.locator('input[name=mqtt_broker]').fill(broker.address);
    await page.locator('input[name=mqtt_user]').fill('panel');
    await page.locator('input[name=mqtt_password]').fill('wrong');
    await save(page);
    await word(page, 'Saved. The broker refused the user name or the password.');
    expect(await bar(page).innerText()).not.toContain('under Configure');
    expect(await axe(page)).toEqual([]);
    await bar(page).getByRole('link', { name: 'Go to Password' }).click();
    await until('the cursor in the password', async () => (await focused(page)) === 'mqtt_password');
    expect(await page.locator('input[name=mqtt_password]').inputValue()).toBe('');
    // The verdict on the next password is not that on the last one.
    broker.answers = true;
    await page.keyboard.type('right');
    const said = await page.evaluateHandle<{ words: string[] }>(
      "(() => { const seen = { words: [] }; const line = document.querySelector('[data-form-word]'); new MutationObserver(() => seen.words.push(line.textContent)).observe(line, { childList: true, subtree: true, characterData: true }); return seen; })()",
    );
    await save(page);
    await word(page, 'Saved. The broker is connected.');
    expect((await said.jsonValue()).words.filter((words) => words.includes('refused'))).toEqual([]);
    // A success does not stay.
    await page.locator('.save-bar').waitFor({ state: 'hidden' });
    expect(faults).toEqual([]);
  });

  test('a broker that keeps silent is told of after twenty seconds', async () => {
    const { page } = watched;
    await page.clock.install();
    await page.reload();
    await page.locator('[data-theme-button]').waitFor();
    broker.answers = null;
    await page.locator('input[name=mqtt_broker]').fill(broker.address);
    await save(page);
    await word(page, 'Saved. Connecting to the broker');
    await page.clock.fastForward(20_001);
    await word(page, /No answer after 20 seconds/);
  });

  test('a failed write stays in sight', async () => {
    const { page } = watched;
    await page.clock.install();
    await open('dashboard');
    await page.route('**/api/v1/config', (route) =>
      route.request().method() === 'POST'
        ? route.fulfill({
            status: 500,
            json: { ok: false, error: 'commit-failed', message: 'Nothing was changed: the disk is full.' },
          })
        : route.continue(),
    );
    await page.locator('input[name=home_dashboard]').fill('/lovelace/2');
    await save(page);
    await word(page, 'Not saved: the disk is full.');
    await page.clock.fastForward(60_000);
    expect(await bar(page).innerText()).toContain('Not saved: the disk is full.');
  });

  test('says beside a save that its home dashboard could not be looked up', async () => {
    const { page, faults } = watched;
    await open('dashboard');
    await page.locator('input[name=home_dashboard]').fill('/lovelace/9');
    await save(page);
    await word(page, 'Saved. Home Assistant could not be asked whether it has this home dashboard.');
    await change({ home_dashboard: null });
    expect(faults).toEqual([]);
  });

  test('offers a free id beside the field while another machine has this one', async () => {
    const { page, faults } = watched;
    // At first hall_2 is free, then another machine is heard of that has it.
    let free = 1;
    await page.route('**/api/v1/setup', (route) => route.fulfill({ json: { free_id: `hall_${free}` } }));
    // As the panel says it while another one has its id, which takes a second panel.
    const status = await readStatus(agent.url);
    await page.route('**/api/v1/events', (route) => {
      free = Math.min(3, free + 1);
      const platform = { ...status.platform, phase: 'duplicate', detail: `Take hall_${free}.` };
      const body = `retry: 100\nevent: status\nid: ${free}\ndata: ${JSON.stringify({ ...status, platform })}\n\n`;
      return route.fulfill({ contentType: 'text/event-stream', body });
    });
    await open('identity');
    await page.getByRole('button', { name: 'Use hall_2 instead' }).waitFor();
    await page.getByRole('button', { name: 'Use hall_3 instead' }).click();
    expect(await page.locator('input[name=panel_id]').inputValue()).toBe('hall_3');
    await page.locator('.save-bar').waitFor();
    expect(faults).toEqual([]);
  });

  test('the bar covers no field that has the cursor', async () => {
    const { page } = watched;
    const places = [
      ['mqtt', 'mqtt_user'],
      ['dashboard', 'dashboard_zoom'],
      ['system', 'http_allowed_hosts'],
    ] as const;
    page.on('dialog', (dialog) => void dialog.accept());
    for (const [group, name] of places) {
      // oxlint-disable-next-line no-await-in-loop -- one page after another
      await open(group);
      const field = `document.querySelector('input[name=${name}]')`;
      // oxlint-disable-next-line no-await-in-loop -- one field after another
      await page.evaluate(
        `window.scrollBy(0, ${field}.getBoundingClientRect().bottom - innerHeight + 70); ${field}.focus({ preventScroll: true })`,
      );
      // oxlint-disable-next-line no-await-in-loop -- as above
      await page.keyboard.type('7');
      // oxlint-disable-next-line no-await-in-loop -- as above
      await until(`${name} above the bar`, () =>
        page.evaluate<boolean>(
          "document.activeElement.getBoundingClientRect().bottom <= document.querySelector('.save-bar').getBoundingClientRect().top",
        ),
      );
    }
  });

  test('a field that is left says what the panel would say, and none while it is typed in', async () => {
    const { page, faults } = watched;
    await page.locator('input[name=mqtt_broker]').fill('mqtt//x');
    await page.locator('input[name=mqtt_broker]').blur();
    await page.locator('#refusal-mqtt_broker', { hasText: /^Must / }).waitFor();
    await page.getByRole('button', { name: 'Discard' }).click();
    await open('sound');
    const limit = page.locator('input[name=volume_limit_percent]');
    const refusal = page.locator('#refusal-volume_limit_percent');
    await limit.fill('500');
    expect(await refusal.count()).toBe(0);
    await limit.blur();
    await refusal.getByText('Must be a whole number from 1 to 100 %.', { exact: true }).waitFor();
    expect(await limit.getAttribute('aria-invalid')).toBe('true');
    expect(await limit.getAttribute('aria-describedby')).toContain('refusal-volume_limit_percent');
    expect(await axe(page)).toEqual([]);
    await limit.fill('50');
    expect(await refusal.count()).toBe(0);
    expect(faults).toEqual([]);
  });

  test('two fields that are judged together are judged as they are entered, before anything is saved', async () => {
    const { page, faults } = watched;
    const fieldOf = (end: string) => page.locator(`input[name=auto_brightness_${end}_percent]`);
    const refusalOf = (end: string) => page.locator(`#refusal-auto_brightness_${end}_percent`);
    await open('screen');
    await page.locator('#advanced-screen > summary').click();
    await fieldOf('maximum').fill('50');
    await fieldOf('minimum').fill('60');
    await fieldOf('minimum').blur();
    await refusalOf('minimum').getByText('Must be below the brightest, which is 50 %.', { exact: true }).waitFor();
    await fieldOf('maximum').fill('70');
    expect(await refusalOf('minimum').count()).toBe(0);
    // Emptied, it is 100 % again.
    await fieldOf('minimum').fill('99');
    await fieldOf('maximum').fill('');
    await fieldOf('maximum').blur();
    await fieldOf('maximum').fill('55');
    await fieldOf('maximum').blur();
    await refusalOf('maximum').getByText('Must be above the darkest, which is 99 %.', { exact: true }).waitFor();
    await save(page);
    await refusalOf('minimum').getByText('Must be below the brightest, which is 55 %.', { exact: true }).waitFor();
    expect(await refusalOf('maximum').count()).toBe(1);
    expect(faults.filter((fault) => !fault.includes('400'))).toEqual([]);
  });

  test('shows what a panel id becomes, and asks before it is another device', async () => {
    const { page } = watched;
    await open('identity');
    const id = page.locator('input[name=panel_id]');
    const before = (await readStatus(agent.url)).panel.id;
    expect(await id.getAttribute('placeholder')).toBe(`${before}, chosen for you`);
    await id.fill('Küche 1!');
    await page.getByText('Becomes kuche_1', { exact: true }).waitFor();
    await save(page);
    const question = page.getByRole('dialog');
    await question.getByText('The panel becomes a new device in Home Assistant').waitFor();
    expect(await axe(page)).toEqual([]);
    await question.getByRole('button', { name: 'Cancel' }).click();
    await word(page, '1 unsaved change');
    expect((await readStatus(agent.url)).panel.id).toBe(before);
    await save(page);
    await question.getByRole('button', { name: 'Change', exact: true }).click();
    await word(page, 'Saved');
    await until('the new id', async () => (await readStatus(agent.url)).panel.id === 'kuche_1');
    // The fields follow the status, a request later.
    await until('the new id in its field', async () => (await id.inputValue()) === 'kuche_1');
  });
});
