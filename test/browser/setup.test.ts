import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTcpServer, type AddressInfo, type Server, type Socket } from 'node:net';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { few } from '#test/fakes/amount.ts';
import { clearAway, startAgent, type AgentProcess } from '#test/scenarios/agent-process.ts';
import { axe, closePages, noBrowser, openPage, startBrowser, type WatchedPage } from './browser.ts';

const secret = 'never-to-be-sent-5521';

/** Servers of a test with everything that they were sent. */
const open: { readonly server: Server; readonly sockets: Set<Socket> }[] = [];
let heard = '';

async function listen(server: Server): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('data', (bytes) => void (heard += bytes.toString('latin1')));
    socket.on('close', () => void sockets.delete(socket));
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', () => resolve()));
  open.push({ server, sockets });
  // A listening TCP server has an AddressInfo.
  return (server.address() as AddressInfo).port;
}

function endless(_: IncomingMessage, response: ServerResponse): void {
  const more = (): void => {
    while (!response.destroyed && response.write('x'.repeat(16_384)));
  };
  response.on('error', () => {});
  response.on('drain', more);
  more();
}

/** Addresses that a person may type by mistake, or find prepared. */
const hostile: Readonly<Record<string, () => Promise<number>>> = {
  silent: () => listen(createTcpServer()),
  endless: () => listen(createServer(endless)),
  redirecting: async () => {
    const port = await listen(createServer((_, response) => void response.writeHead(404).end()));
    return listen(
      createServer((_, response) => void response.writeHead(302, { location: `http://127.0.0.1:${port}/` }).end()),
    );
  },
  closed: async () => {
    const server = createTcpServer();
    const port = await listen(server);
    await new Promise<void>((resolve) => void server.close(() => resolve()));
    return port;
  },
};

describe.skipIf(noBrowser)('the guided setup', () => {
  let browser: Browser;
  let agent: AgentProcess;
  let watched: WatchedPage;

  const step = (page: Page, stage: string) => page.locator(`#step-${stage}`);
  const openStep = async (page: Page, stage: string): Promise<void> => {
    if ((await step(page, stage).locator('.setup-head').getAttribute('aria-expanded')) !== 'true')
      await step(page, stage).locator('.setup-head').click();
    await page.locator(`#step-${stage}.is-open`).waitFor();
  };

  beforeAll(async () => {
    [browser, agent] = await Promise.all([startBrowser(), startAgent()]);
  });
  afterAll(async () => {
    clearAway();
    await closePages(browser);
  });
  beforeEach(async () => {
    heard = '';
    watched = await openPage(browser, `http://panel.local:${agent.port}`);
    await watched.page.goto(`http://panel.local:${agent.port}/setup`);
    await watched.page.locator('.setup-step.is-open').waitFor();
  });
  afterEach(async () => {
    await watched.context.close();
    for (const { server, sockets } of open.splice(0)) {
      for (const socket of sockets) socket.destroy();
      server.close();
    }
  });

  test('opens one step at a time, by keyboard too, and finds nothing wrong', async () => {
    const { page, faults } = watched;
    expect(await page.locator('.setup-step.is-open').count()).toBe(1);
    await step(page, 'broker').locator('.setup-head').focus();
    await page.keyboard.press('Enter');
    await page.locator('#step-broker.is-open').waitFor();
    expect(await page.locator('.setup-step.is-open').count()).toBe(1);
    expect(await axe(page)).toEqual([]);
    expect(faults).toEqual([]);
  });

  test('follows a link to a step', async () => {
    const { page } = watched;
    await page.goto(`http://panel.local:${agent.port}/setup#step-broker`);
    await page.reload();
    await page.locator('#step-broker.is-open').waitFor();
  });

  test('says a wrong address beside its field, and keeps what was typed', async () => {
    const { page } = watched;
    await openStep(page, 'broker');
    const field = page.locator('[name=mqtt_broker]');
    await field.fill('http://broker.test');
    await page.locator('[name=mqtt_password]').fill(secret);
    await page.getByRole('button', { name: 'Connect' }).click();
    await page.locator('#refusal-mqtt_broker', { hasText: /^(?:M|The address m)ust begin with mqtt:/ }).waitFor();
    expect(await field.inputValue()).toBe('http://broker.test');
    expect(await page.locator('[name=mqtt_password]').inputValue()).toBe(secret);
  });

  test.each(few(Object.keys(hostile), 2))(
    'sends nothing to a %s address of the panel itself while it is typed',
    async (kind) => {
      const { page, faults } = watched;
      const port = (await hostile[kind]?.()) ?? 0;
      await openStep(page, 'broker');
      await page.locator('[name=mqtt_user]').fill('user-5521');
      await page.locator('[name=mqtt_password]').fill(secret);
      // Half of it, then all of it: the second check ends the first.
      await page.locator('[name=mqtt_broker]').fill('mqtt://127.0.0.1:1');
      await page.locator('[name=mqtt_broker]').fill(`mqtt://127.0.0.1:${port}`);
      await page.locator('[name=mqtt_user]').focus();
      const told = step(page, 'broker').locator('[data-probed]:visible, .field .refusal');
      await told.filter({ hasText: 'cannot be tested before it is saved' }).waitFor();

      await openStep(page, 'home_assistant');
      await page.locator('[name=ha_url]').fill(`http://127.0.0.1:${port}`);
      await page.locator('[name=ha_url]').blur();
      await step(page, 'home_assistant')
        .locator('[data-probed]:visible, .field .refusal')
        .filter({ hasText: 'cannot be tested before it is saved' })
        .waitFor();
      expect(heard).toBe('');
      // The page is alive: another step opens, and the fields still hold what was typed.
      await openStep(page, 'broker');
      expect(await page.locator('[name=mqtt_password]').inputValue()).toBe(secret);
      expect(faults).toEqual([]);
    },
  );

  test('says beside the address why it is not taken as one that answers, as a refusal of its field', async () => {
    const { page, faults } = watched;
    const port = (await hostile['closed']?.()) ?? 0;
    const card = step(page, 'home_assistant');
    const field = page.locator('[name=ha_url]');
    await openStep(page, 'home_assistant');
    await field.fill(`http://127.0.0.1:${port}`);
    await field.blur();
    await card.locator('.is-refused .refusal', { hasText: 'cannot be tested before it is saved' }).waitFor();
    expect(await field.getAttribute('aria-invalid')).toBe('true');
    expect(await card.locator('.primary:visible').allInnerTexts()).toEqual(['Sign in']);
    expect(await axe(page)).toEqual([]);
    // Another address is another matter.
    await field.fill('http://127.0.0.1:');
    await card.locator('.refusal').waitFor({ state: 'detached' });
    expect(await field.getAttribute('aria-invalid')).toBe(null);
    expect(faults).toEqual([]);
  });

  test('keeps an address that was typed over a reload, checks it again, and keeps no password', async () => {
    const { page, faults } = watched;
    const address = `http://127.0.0.1:${(await hostile['closed']?.()) ?? 0}`;
    await openStep(page, 'broker');
    await page.locator('[name=mqtt_broker]').fill(`mqtt://user-5521:${secret}@broker.test`);
    await page.locator('[name=mqtt_user]').fill('user-5521');
    await page.locator('[name=mqtt_password]').fill(secret);
    await openStep(page, 'home_assistant');
    await page.locator('[name=ha_url]').fill(address);
    await page.goto(`http://panel.local:${agent.port}/setup#step-home_assistant`);
    await page.reload();
    await step(page, 'home_assistant')
      .locator('.refusal', { hasText: 'cannot be tested before it is saved' })
      .waitFor();
    expect(await page.locator('[name=ha_url]').inputValue()).toBe(address);
    expect(await page.locator('[name=mqtt_broker]').inputValue()).toBe('');
    expect(await page.evaluate<string>('JSON.stringify({ ...sessionStorage })')).not.toMatch(/5521/);
    // What is taken out of the field is not kept either.
    await page.locator('[name=ha_url]').fill('');
    await page.reload();
    await page.locator('#step-home_assistant.is-open').waitFor();
    expect(await page.locator('[name=ha_url]').inputValue()).toBe('');
    expect(faults).toEqual([]);
  });

  test('shows the password on demand, and hides it again', async () => {
    const { page } = watched;
    await openStep(page, 'broker');
    const password = page.locator('[name=mqtt_password]');
    await password.fill(secret);
    const eye = page.getByRole('button', { name: /^Show.*Password/i });
    for (const type of ['text', 'password']) {
      await eye.click();
      expect(await password.getAttribute('type')).toBe(type);
      expect(await eye.getAttribute('aria-pressed')).toBe(String(type === 'text'));
    }
    expect(await password.inputValue()).toBe(secret);
  });

  test('marks the one step that is due, calmly', async () => {
    const { page } = watched;
    expect(await step(page, 'identity').locator('.mark').innerText()).toBe('now');
    await openStep(page, 'broker');
    expect(await page.locator('.is-due').evaluateAll((cards) => cards.map(({ id }) => id))).toEqual(['step-identity']);
  });

  test.each(few([480, 844]))(
    'brings a step that is opened by hand into view, and a refused field (%i high)',
    async (high) => {
      const { page, faults } = watched;
      await page.setViewportSize({ width: 390, height: high });
      const under = (place: string): Promise<number> =>
        page.evaluate(
          `document.querySelector('${place}').getBoundingClientRect().top - ` +
            `document.querySelector('.header').getBoundingClientRect().bottom`,
        );
      await openStep(page, 'broker');
      await page.locator('#field-mqtt_password').scrollIntoViewIfNeeded();
      // A step above it closes as the one below opens, which moves everything.
      await openStep(page, 'home_assistant');
      expect(await under('#step-home_assistant .setup-heading')).toBeGreaterThanOrEqual(0);
      await openStep(page, 'broker');
      expect(await under('#step-broker .setup-heading')).toBeGreaterThanOrEqual(0);
      await page.locator('[name=mqtt_broker]').fill('');
      await page.getByRole('button', { name: 'Connect' }).click();
      await page.locator('.refusal', { hasText: /^Enter the address of your broker/ }).waitFor();
      expect(await under('[for=field-mqtt_broker]')).toBeGreaterThanOrEqual(0);
      expect(faults).toEqual([]);
    },
  );

  test('stays where nothing answers at the address, says so at its field, and keeps what was typed', async () => {
    const origin = `http://panel.local:${agent.port}`;
    const { page, context, faults } = await openPage(browser, origin);
    await page.goto(`${origin}/setup`);
    await page.locator('.setup-step.is-open').waitFor();
    const address = 'http://home.invalid:8123';
    const card = step(page, 'home_assistant');
    // By whether the machine of the test has a name server.
    const nothing = /^(?:This name is not known on this network|Nothing answers there)\./;
    await openStep(page, 'home_assistant');
    const field = page.locator('[name=ha_url]');
    await field.fill(address);
    // By the keyboard, before anything was checked.
    const started = page.waitForResponse('**/api/v1/ha/oauth/start');
    await field.press('Enter');
    expect((await started).status()).toBe(400);
    await card.locator('.refusal', { hasText: nothing }).waitFor();
    expect(await card.getByText(nothing).filter({ visible: true }).count()).toBe(1);
    expect(new URL(page.url()).pathname).toBe('/setup');
    expect(await page.evaluate('document.activeElement.name')).toBe('ha_url');
    expect(await field.inputValue()).toBe(address);
    expect(await (await fetch(`${agent.url}/api/v1/config`)).text()).not.toContain(address);
    expect(faults.filter((fault) => !fault.includes('400'))).toEqual([]);
    await context.close();
  });

  test('offers the broker beside Home Assistant once it answers there, with one probe on that step', async () => {
    const { page, faults } = watched;
    const beside = 'mqtt://192.0.2.8:1883';
    let probes = 0;
    await page.route('**/api/v1/config/probe-broker?*', (route) => {
      probes += 1;
      return route.fulfill({ json: { ok: true, host: '192.0.2.8', port: 1883, message: 'An MQTT broker answers.' } });
    });
    const save = (address: string | null) =>
      fetch(`${agent.url}/api/v1/config`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ ha_url: address }),
      });
    await save('http://192.0.2.8:8123');
    await page.goto(`http://panel.local:${agent.port}/setup`);
    await page.locator('.setup-step.is-open').waitFor();
    await openStep(page, 'identity');
    expect(probes).toBe(0);
    await openStep(page, 'broker');
    const words = `A broker answers beside Home Assistant, at ${beside}.`;
    await step(page, 'broker').locator('[data-probed]', { hasText: words }).waitFor();
    expect(await page.locator('[name=mqtt_broker]').inputValue()).toBe(beside);
    await page.locator('[name=mqtt_user]').focus();
    await openStep(page, 'identity');
    await openStep(page, 'broker');
    expect(probes).toBe(1);
    await save(null);
    expect(faults).toEqual([]);
  });

  test('neither probes nor refuses a half-typed address before its field is left', async () => {
    const { page, faults } = watched;
    await openStep(page, 'home_assistant');
    const field = page.locator('[name=ha_url]');
    const refusal = step(page, 'home_assistant').locator('.refusal');
    const checked = page.waitForResponse('**/config/probe-home-assistant?*');
    await field.fill('192.168.1.');
    expect(await (await checked).json()).toMatchObject({ ok: false, error: 'invalid-url' });
    expect(await refusal.count()).toBe(0);
    await field.blur();
    await refusal.filter({ hasText: 'four numbers from 0 to 255' }).waitFor();
    expect(faults).toEqual([]);
  });

  test('says what the id becomes while the name is typed', async () => {
    const { page } = watched;
    await openStep(page, 'identity');
    await page.locator('[name=friendly_name]').fill('Küche am Fenster');
    await step(page, 'identity').getByText('start with kuche_am_fenster.').waitFor();
  });

  test('refuses an empty name and an empty address at their fields', async () => {
    const { page, faults } = watched;
    for (const [stage, name, words] of [
      ['identity', 'friendly_name', /^Enter a name for this panel\.$/],
      ['home_assistant', 'ha_url', /^Enter the address of Home Assistant, such as /],
    ] as const) {
      await openStep(page, stage);
      await page.locator(`[name=${name}]`).fill('');
      await step(page, stage).locator('[type=submit]').click();
      await step(page, stage).locator('.is-refused .refusal', { hasText: words }).waitFor();
      expect(await page.evaluate('document.activeElement.name')).toBe(name);
    }
    const { steps } = (await (await fetch(`${agent.url}/api/v1/setup`)).json()) as {
      readonly steps: readonly { readonly stage: string; readonly status: string }[];
    };
    expect(steps.find(({ stage }) => stage === 'identity')?.status).toBe('needs_you');
    expect(faults).toEqual([]);
  });

  test('takes no form of another page', async () => {
    const { page } = watched;
    const target = `http://panel.local:${agent.port}/api/v1/setup/attest`;
    const form = `<form method="post" action="${target}"><input name="answer" value="later"><button>go</button></form>`;
    const foreign = await listen(
      createServer((_, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end(form)),
    );
    await page.goto(`http://127.0.0.1:${foreign}/`);
    const [answer] = await Promise.all([page.waitForResponse(target), page.getByRole('button').click()]);
    expect(answer.status()).toBe(403);
    const setup = (await (await fetch(`${agent.url}/api/v1/setup`)).json()) as { readonly put_off: boolean };
    expect(setup.put_off).toBe(false);
  });

  test('a low screen shows the button of the first step', async () => {
    const { page } = watched;
    await page.setViewportSize({ width: 480, height: 480 });
    const bottom = (place: string, edge: string): Promise<number> =>
      page.evaluate(`document.querySelector('${place}').getBoundingClientRect().${edge}`);
    expect(await bottom('#step-identity [type=submit]', 'bottom')).toBeLessThanOrEqual(await bottom('.nav', 'top'));
  });

  test('a step can wait, and so can all of it', async () => {
    const { page } = watched;
    expect(await page.locator('#step-finish').innerText()).toBe('Do the rest later');
    await openStep(page, 'broker');
    await step(page, 'broker').locator('[data-later]').click();
    await step(page, 'broker').locator('.mark', { hasText: 'later' }).waitFor();
    const response = await fetch(`${agent.url}/api/v1/setup`);
    expect(await response.json()).toMatchObject({
      steps: expect.arrayContaining([expect.objectContaining({ stage: 'broker', status: 'put_off' })]),
    });
    await page.locator('.setup-progress', { hasText: '1 for later' }).waitFor();
    await page.setViewportSize({ width: 480, height: 480 });
    await page.getByRole('button', { name: 'Do the rest later' }).click();
    const finish = page.locator('#step-finish:not(.is-pending)');
    await finish.getByText('You find them under More').waitFor();
    await finish.getByRole('heading', { name: 'The rest can wait' }).waitFor();
    expect(await page.locator('.setup-step:not([hidden]) .mark').allInnerTexts()).toEqual(['later', 'later', 'later']);
    await page.locator('.setup-progress', { hasText: '0 of 3 steps done, 3 for later' }).waitFor();
    expect(await finish.locator('.setup-buttons :visible').first().innerText()).toBe('See its status');
    expect(await finish.getByText('Reset this panel').count()).toBe(0);
    // All of it stands above the navigation, and a keyboard goes on there.
    const edge = (place: string, side: string): Promise<number> =>
      page.evaluate(`document.querySelector('${place}').getBoundingClientRect().${side}`);
    expect(await edge('#step-finish', 'bottom')).toBeLessThanOrEqual(await edge('.nav', 'top'));
    expect(await page.evaluate("document.activeElement.matches('[data-home]')")).toBe(true);
    await finish.getByText(/^Continue with /).click();
    await page.locator('.setup-step.is-open').waitFor();
  });

  test('takes what is pressed before the answer to the step before is there', async () => {
    const own = await startAgent();
    const { page, context } = await openPage(browser, own.url);
    let answer = (): void => {};
    const held = new Promise<void>((resolve) => (answer = resolve));
    await page.route('**/api/v1/setup/identity', async (route) => {
      const response = await route.fetch();
      await held;
      await route.fulfill({ response });
    });
    await page.goto(`${own.url}/setup`);
    await page.locator('#step-identity.is-open [name=friendly_name]').fill('Hall');
    await step(page, 'identity').locator('[type=submit]').click();
    await page.locator('#step-home_assistant.is-open [data-later]').click();
    answer();
    await step(page, 'home_assistant').locator('.mark', { hasText: 'later' }).waitFor();
    await context.close();
  });

  test('says at the field of the saved broker why it does not answer, also where the rest waits', async () => {
    const { page, faults } = watched;
    const port = (await hostile['closed']?.()) ?? 0;
    await fetch(`${agent.url}/api/v1/config`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ mqtt_broker: `mqtt://127.0.0.1:${port}` }),
    });
    await page.goto(`http://panel.local:${agent.port}/setup#step-broker`);
    await page.reload();
    const card = step(page, 'broker');
    await card.locator('.is-refused .refusal', { hasText: /^Nothing listens on the broker's port/ }).waitFor();
    expect(await page.locator('[name=mqtt_broker]').getAttribute('aria-invalid')).toBe('true');
    expect(await card.getByText('Nothing listens').filter({ visible: true }).count()).toBe(1);
    // Another address is another matter.
    await page.locator('[name=mqtt_broker]').fill('mqtt://127.0.0.1:');
    await card.locator('.is-refused').waitFor({ state: 'detached' });
    expect(await axe(page)).toEqual([]);
    expect(faults).toEqual([]);
  });
});
