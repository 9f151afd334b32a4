import { createServer } from 'node:net';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { few } from '#test/fakes/amount.ts';
import { clearAway, startAgent, type AgentProcess } from '#test/scenarios/agent-process.ts';
import { until } from '#test/scenarios/live-agent.ts';
import { axe, closePages, noBrowser, openPage, startBrowser, type WatchedPage } from './browser.ts';

describe.skipIf(noBrowser)('the pages of settings', () => {
  let browser: Browser;
  let agent: AgentProcess;
  let origin: string;
  let watched: WatchedPage;

  const config = async (): Promise<{
    settings: Record<string, unknown>;
    ha_expose: Record<string, boolean>;
    mqtt_password_set: boolean;
  }> => {
    const response = await fetch(`${agent.url}/api/v1/config`);
    // The route is tested against this shape.
    return (await response.json()) as {
      settings: Record<string, unknown>;
      ha_expose: Record<string, boolean>;
      mqtt_password_set: boolean;
    };
  };
  const open = async (group: string): Promise<void> => {
    await watched.page.goto(`${origin}/configure/${group}`);
    await watched.page.locator('[data-theme-button]').waitFor();
  };
  const save = (page: Page): Promise<void> => page.getByRole('button', { name: 'Save' }).click();
  const word = (page: Page, text: string): Promise<void> =>
    page.locator('[data-form-word]', { hasText: text }).waitFor();

  beforeAll(async () => {
    [browser, agent] = await Promise.all([startBrowser(), startAgent()]);
    origin = `http://panel.local:${agent.port}`;
  });
  afterAll(async () => {
    clearAway();
    await closePages(browser);
  });
  beforeEach(async () => {
    watched = await openPage(browser, origin);
  });
  afterEach(async () => {
    await watched.context.close();
  });

  test('marks a change, saves it alone, and shows the new name at once', async () => {
    const { page, faults } = watched;
    const bodies: unknown[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST') bodies.push(request.postDataJSON());
    });
    await open('identity');
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Kitchen panel');
    await word(page, '1 unsaved change');
    await page.locator('[data-field=friendly_name] .changed').waitFor();
    await save(page);
    await word(page, 'Saved');
    expect(bodies).toEqual([{ friendly_name: 'Kitchen panel' }]);
    expect((await config()).settings['friendly_name']).toBe('Kitchen panel');
    await page.locator('.header-name', { hasText: 'Kitchen panel' }).waitFor();
    expect(await page.locator('.is-changed').count()).toBe(0);
    expect(faults).toEqual([]);
  });

  test('after a save the bar alone needs its buttons no more; those of the form stay', async () => {
    const { page } = watched;
    await open('mqtt');
    await page.locator('input[name=mqtt_user]').fill('somebody');
    await save(page);
    await word(page, 'Saved');
    expect(await page.locator('[data-save]').isVisible()).toBe(false);
    expect(await page.getByRole('button', { name: 'Show Password of the broker' }).isVisible()).toBe(true);
  });

  test('a change that is taken back is no change', async () => {
    const { page } = watched;
    await open('dashboard');
    const field = page.getByRole('textbox', { name: 'Home dashboard' });
    await field.fill('/lovelace/1');
    await page.getByRole('button', { name: 'Undo: Home dashboard' }).click();
    await page.locator('.save-bar').waitFor({ state: 'hidden' });
    await field.fill('/lovelace/1');
    await page.getByRole('button', { name: 'Discard' }).click();
    expect(await field.inputValue()).toBe('');
    expect(await page.locator('.save-bar').isVisible()).toBe(false);
  });

  test('says a refusal beside its field, changes nothing, and keeps what was typed', async () => {
    const { page, faults } = watched;
    await open('sound');
    const limit = page.locator('input[name=volume_limit_percent]');
    const before = await config();
    await page.locator('#advanced-sound > summary').click();
    await limit.fill('500');
    await page.locator('input[name=announcement_duck_percent]').fill('12');
    await save(page);
    await word(page, 'Not saved');
    const refusal = page.locator('#refusal-volume_limit_percent');
    await refusal.waitFor();
    expect((await refusal.innerText()).length).toBeGreaterThan(10);
    expect(await limit.getAttribute('aria-invalid')).toBe('true');
    expect(await page.evaluate('document.activeElement.name')).toBe('volume_limit_percent');
    expect(await limit.inputValue()).toBe('500');
    expect(await config()).toEqual(before);
    expect(await axe(page)).toEqual([]);
    expect(faults.filter((fault) => !fault.includes('400'))).toEqual([]);
    await limit.fill('90');
    expect(await refusal.isHidden()).toBe(true);
    expect(await limit.getAttribute('aria-invalid')).toBeNull();
    await save(page);
    await word(page, 'Saved');
    expect(await refusal.isHidden()).toBe(true);
    expect((await config()).settings['volume_limit_percent']).toBe(90);
  });

  test.each(
    few([
      [480, 480],
      [390, 844],
      [1280, 800],
    ] as const),
  )('at %d x %d shows why a field that is left was refused, above the bar', async (width, height) => {
    const { page } = watched;
    await page.setViewportSize({ width, height });
    await open('dashboard');
    const zoom = page.locator('input[name=dashboard_zoom]');
    await zoom.fill('9999');
    // Where only the last of the field is above the bar, as while one reads downwards.
    await page.evaluate(
      "(() => { const low = document.activeElement.getBoundingClientRect().bottom, bar = document.querySelector('.save-bar').getBoundingClientRect().top; window.scrollBy(0, low - bar + 4); })()",
    );
    await zoom.blur();
    const refusal = page.locator('.field.is-refused .refusal');
    await refusal.waitFor();
    await until('the reason above the bar', async () => {
      const [reason, bar] = [await refusal.boundingBox(), await page.locator('.save-bar').boundingBox()];
      return reason !== null && bar !== null && reason.y > 0 && reason.y + reason.height <= bar.y;
    });
    await save(page);
    await word(page, 'Not saved: see the marked setting.');
    const [reason, bar] = [await refusal.boundingBox(), await page.locator('.save-bar').boundingBox()];
    expect((reason?.y ?? 0) + (reason?.height ?? 0)).toBeLessThanOrEqual(bar?.y ?? 0);
    // A low screen keeps most of itself for the form.
    const most = height === 480 ? 72 : 120;
    expect(bar?.height).toBeLessThanOrEqual(most);
  });

  test('a switch stays beside its label on a phone, however long that is', async () => {
    const { page } = watched;
    await page.setViewportSize({ width: 390, height: 844 });
    await open('dashboard');
    const heads = await page.evaluate<Record<'label' | 'toggle', Record<string, number>>[]>(
      `Array.from(document.querySelectorAll('.has-switch'), head => {
        head.querySelector('.label').append(' and some more words that make it wrap');
        const box = name => head.querySelector(name).getBoundingClientRect().toJSON();
        return { label: box('.label'), toggle: box('.toggle') };
      }).filter(head => head.label.height > 0)`,
    );
    expect(heads.length).toBeGreaterThan(0);
    for (const { label, toggle } of heads) {
      expect(toggle['top']).toBeLessThan(label['bottom'] ?? 0);
      expect(toggle['left']).toBeGreaterThanOrEqual(label['right'] ?? 390);
      expect(toggle['right']).toBeLessThanOrEqual(390);
    }
  });

  test('says why the disk did not take it, and keeps the changes', async () => {
    const { page } = watched;
    await open('dashboard');
    // A full disk is tested on the whole agent; here only what the page says of it.
    await page.route('**/api/v1/config', (route) =>
      route.request().method() === 'POST'
        ? route.fulfill({ status: 500, json: { ok: false, error: 'commit-failed', message: 'the disk is full.' } })
        : route.continue(),
    );
    await page.getByRole('textbox', { name: 'Home dashboard' }).fill('/lovelace/2');
    await save(page);
    await word(page, 'Not saved: the disk is full. Your changes are still here.');
    expect(await page.getByRole('textbox', { name: 'Home dashboard' }).inputValue()).toBe('/lovelace/2');
  });

  test('asks before changes are lost, and only then', async () => {
    const { page } = watched;
    const asked: string[] = [];
    page.on('dialog', (dialog) => {
      asked.push(dialog.type());
      void dialog.dismiss();
    });
    await open('dashboard');
    await page.getByRole('textbox', { name: 'Home dashboard' }).fill('/lovelace/3');
    await page.getByRole('link', { name: 'Status' }).click();
    await word(page, '1 unsaved change');
    expect(asked).toEqual(['beforeunload']);
    await page.getByRole('link', { name: 'Screen', exact: true }).click();
    await until('the question before another group', async () => asked.length === 2);
    expect(page.url()).toBe(`${origin}/configure/dashboard`);
    expect(await page.getByRole('textbox', { name: 'Home dashboard' }).inputValue()).toBe('/lovelace/3');
    await page.getByRole('button', { name: 'Discard' }).click();
    await page.getByRole('link', { name: 'Screen', exact: true }).click();
    await page.waitForURL(`${origin}/configure/screen`);
    expect(asked).toHaveLength(2);
  });

  test('a secret is entered, shown as set, replaced and cleared, and never comes back', async () => {
    const { page } = watched;
    await open('mqtt');
    const secret = page.locator('[data-field=mqtt_password]');
    await page.locator('input[name=mqtt_password]').fill('marker-7f3a');
    await save(page);
    await word(page, 'Saved');
    expect((await config()).mqtt_password_set).toBe(true);
    await page.reload();
    await secret.getByText('Set', { exact: true }).waitFor();
    expect(await page.content()).not.toContain('marker-7f3a');
    const warning = secret.getByText('belongs to the old broker');
    expect(await warning.isHidden()).toBe(true);
    await page.locator('input[name=mqtt_broker]').fill('mqtt://192.0.2.9');
    await warning.waitFor();
    await secret.getByRole('button', { name: 'Replace' }).click();
    await page.locator('input[name=mqtt_password]').fill('another');
    await warning.waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Discard' }).click();
    expect(await warning.isHidden()).toBe(true);
    await secret.getByRole('button', { name: 'Clear' }).click();
    await secret.getByText('Will be cleared when you save').waitFor();
    await save(page);
    await word(page, 'Saved');
    expect((await config()).mqtt_password_set).toBe(false);
  });

  test('shows and hides a reading in Home Assistant', async () => {
    const { page } = watched;
    const before = (await config()).ha_expose['diag_cpu'];
    await open('readings');
    await page.locator('input[name=ha_expose_diag_cpu]').click();
    await save(page);
    await word(page, 'Saved');
    expect((await config()).ha_expose['diag_cpu']).toBe(before !== true);
  });

  test.each([
    ['of its page', '/configure/dashboard#field-dashboard_package'],
    ['from when all groups stood on one page', '/configure#field-dashboard_package'],
  ])('an address %s that names a setting opens the fold around it', async (_, address) => {
    const { page, context } = await openPage(browser, origin, { viewport: { width: 480, height: 480 } });
    await page.goto(`${origin}${address}`);
    await page.waitForURL(`${origin}/configure/dashboard#field-dashboard_package`);
    await page.locator('#field-dashboard_package').waitFor({ state: 'visible' });
    await page.waitForFunction(
      "(({ top, bottom }) => top >= 0 && bottom <= innerHeight)(document.querySelector('#field-dashboard_package').getBoundingClientRect())",
    );
    await context.close();
  });

  test('follows what somebody else saves, without touching what is being typed', async () => {
    const { page } = watched;
    await open('dashboard');
    await page.getByRole('textbox', { name: 'Home dashboard' }).fill('/lovelace/mine');
    await fetch(`${agent.url}/api/v1/config`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ dashboard_zoom: 130, home_dashboard: '/lovelace/theirs' }),
    });
    await word(page, 'Someone else changed settings');
    expect(await page.locator('input[name=dashboard_zoom]').inputValue()).toBe('130');
    expect(await page.getByRole('textbox', { name: 'Home dashboard' }).inputValue()).toBe('/lovelace/mine');
  });

  test('shows live what became of the broker', async () => {
    const { page } = watched;
    await open('mqtt');
    const live = page.getByRole('group', { name: 'The current broker' });
    const before = await live.innerText();
    // Nothing listens on port 9 of this machine.
    await page.locator('input[name=mqtt_broker]').fill('mqtt://127.0.0.1:9');
    await save(page);
    await word(page, 'Saved');
    // On its way there it says that it is trying.
    await until('other words that ask for somebody', async () => {
      const now = await live.innerText();
      return now !== before && now.includes('needs you');
    });
  });

  test('has a button for a found broker that waits for a word, and says what came of it', async () => {
    const { page } = watched;
    await open('mqtt');
    const live = page.getByRole('group', { name: 'The current broker' });
    expect(await live.getByRole('button', { name: 'Confirm the broker' }).count()).toBe(0);
    // What a panel says whose broker moved; this one has nothing to confirm, and says so when that is confirmed.
    const status = (await (await fetch(`${agent.url}/api/v1/status`)).json()) as { readonly mqtt: object };
    const moved = { ...status, mqtt: { ...status.mqtt, phase: 'unconfirmed', confirm: 'moved', detail: 'It moved.' } };
    const body = `event: status\nid: 1\ndata: ${JSON.stringify(moved)}\n\n`;
    await page.route('**/api/v1/events', (route) => route.fulfill({ contentType: 'text/event-stream', body }));
    const first = { name: 'home.local', address: '192.0.2.7', port: 1883 };
    let waiting = first;
    const sent: unknown[] = [];
    await page.route('**/api/v1/config/confirm-broker', async (route) => {
      if (route.request().method() === 'GET')
        return route.fulfill({ json: { waiting, needs_password: waiting !== first } });
      sent.push(route.request().postDataJSON());
      waiting = { ...first, address: '192.0.2.8' };
      return route.continue();
    });
    await page.reload();
    await live.getByText('It moved.').waitFor();
    for (const shown of ['home.local', '192.0.2.7', '1883']) await live.getByText(shown, { exact: true }).waitFor();
    await live.getByRole('button', { name: 'Confirm the broker' }).click();
    await live.getByText('Failed: No broker waits to be confirmed.').waitFor();
    // Refused, it shows what waits by now.
    await live.getByText('192.0.2.8', { exact: true }).waitFor();
    expect(sent).toEqual([first]);
    await until('the button again', () => live.getByRole('button', { name: 'Confirm the broker' }).isEnabled());
    // From the network it asks for the stored password, and sends it with what is shown.
    await live.getByLabel('Its password').fill('again');
    await live.getByRole('button', { name: 'Confirm the broker' }).click();
    await until('the second one', async () => sent.length === 2);
    expect(sent[1]).toEqual({ ...first, address: '192.0.2.8', password: 'again' });
  });

  test("says whether a broker's address answers, once nobody types or the field is left", async () => {
    const { page, faults } = watched;
    // A broker that refuses every client (CONNACK, "not authorized"); the link is reported, too.
    const server = createServer(
      (socket) => void socket.on('error', () => {}).once('data', () => socket.end(Uint8Array.of(0x20, 2, 0, 5))),
    );
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', () => resolve()));
    const address = server.address();
    const place = `127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
    // An address of the panel itself is tried only where it is the saved one.
    await fetch(`${agent.url}/api/v1/config`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ mqtt_broker: place }),
    });
    await open('mqtt');
    const field = page.getByRole('textbox', { name: 'Address of the broker', exact: true });
    const answer = page.locator('[data-field=mqtt_broker] [data-probed]');
    const saying = (text: string | RegExp) => answer.filter({ hasText: text }).waitFor();
    try {
      await field.fill(place);
      await saying('An MQTT broker answers');
      expect(await axe(page)).toEqual([]);
    } finally {
      await new Promise((resolve) => void server.close(resolve));
    }
    // The same address is not checked twice, another one at once when it is left.
    await field.blur();
    await saying('An MQTT broker answers');
    await field.fill(`mqtt://${place}`);
    expect(await answer.innerText()).toBe('');
    await field.blur();
    await saying(/^Nothing listens on port \d+ there\. Check the port/);
    await field.fill('http://broker.test');
    await field.blur();
    await page.locator('#refusal-mqtt_broker', { hasText: /^Must begin with mqtt:/ }).waitFor();
    await page.getByRole('button', { name: 'Undo: Address of the broker', exact: true }).click();
    await until('nothing to be said any more', async () => (await answer.innerText()) === '');
    expect(faults).toEqual([]);
  });

  test('a check that another one took the place of says nothing', async () => {
    const { page } = watched;
    let asked = 0;
    let release = (): void => {};
    const held = new Promise<void>((resolve) => void (release = resolve));
    await page.route('**/api/v1/config/probe-broker?*', async (route) => {
      asked += 1;
      const first = asked === 1;
      if (first) await held;
      await route.fulfill({
        json: { ok: !first, host: 'x', port: 1883, message: first ? 'Late words.' : 'Something answers.' },
      });
    });
    await open('mqtt');
    const field = page.getByRole('textbox', { name: 'Address of the broker', exact: true });
    const answer = page.locator('[data-field=mqtt_broker] [data-probed]');
    await field.fill('one.test');
    await answer.filter({ hasText: 'Checking' }).waitFor();
    await field.fill('two.test');
    await answer.filter({ hasText: 'Something answers' }).waitFor();
    const late = page.waitForResponse('**/probe-broker?url=one.test');
    release();
    await (await late).finished();
    // A round trip of the page itself comes after what that response set off.
    await page.evaluate("fetch('/api/v1/health').then((answer) => answer.text())");
    expect([asked, await answer.innerText()]).toEqual([2, 'Something answers.']);
  });

  test('moves nothing while a finger is down, which would miss what it pressed', async () => {
    const { page } = watched;
    await page.route('**/api/v1/config/probe-broker?*', (route) =>
      route.fulfill({ json: { ok: true, host: 'x', port: 1883, message: 'Something answers.' } }),
    );
    await open('mqtt');
    const answer = page.locator('[data-field=mqtt_broker] [data-probed]');
    await page.getByRole('textbox', { name: 'Address of the broker', exact: true }).fill('one.test');
    const answered = page.waitForResponse('**/probe-broker?url=one.test');
    await page.locator('h1').hover();
    await page.mouse.down();
    await (await answered).finished();
    await page.evaluate("fetch('/api/v1/health').then((answer) => answer.text())");
    expect(await answer.innerText()).toBe('');
    await page.mouse.up();
    await answer.filter({ hasText: 'Something answers' }).waitFor();
  });

  test('offers what was found for an empty field, and saves it only when you do', async () => {
    const { page } = watched;
    const found = { mqtt_broker: 'mqtt://192.0.2.7:1883', ha_url: 'http://192.0.2.7:8123' };
    await page.route('**/api/v1/config/discovery', (route) => route.fulfill({ json: found }));
    await page.route('**/api/v1/config/probe-broker?*', (route) =>
      route.fulfill({ json: { ok: true, host: '192.0.2.7', port: 1883, message: 'Something answers.' } }),
    );
    await fetch(`${agent.url}/api/v1/config`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ mqtt_broker: null, ha_url: null }),
    });
    for (const [group, key] of [
      ['home-assistant', 'ha_url'],
      ['mqtt', 'mqtt_broker'],
    ] as const) {
      await open(group);
      const field = page.locator(`[data-field=${key}]`);
      await field.getByText(`at ${found[key]}.`).waitFor();
      await field.getByRole('button', { name: 'Use it' }).click();
      expect(await field.locator('input').inputValue()).toBe(found[key]);
      expect(await field.locator('[data-offer]').isHidden()).toBe(true);
      expect((await config()).settings[key]).toBe('');
      if (key === 'mqtt_broker') await page.locator('[data-probed]', { hasText: 'Something answers' }).waitFor();
      await word(page, '1 unsaved change');
      await page.getByRole('button', { name: 'Discard' }).click();
      await field.getByRole('button', { name: 'Use it' }).waitFor();
      expect(await axe(page)).toEqual([]);
    }
  });

  test('shows nothing of that without scripts', async () => {
    const still = await openPage(browser, origin, { javaScriptEnabled: false });
    await still.page.goto(`${origin}/configure/mqtt`);
    expect(await still.page.locator('sconce-address').allInnerTexts()).toEqual(['']);
    expect(await still.page.locator('sconce-address > *').count()).toBe(0);
    await still.context.close();
  });
});
