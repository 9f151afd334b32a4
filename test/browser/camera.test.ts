import type { Browser, Page, Route } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { StatusDocument } from '#machines/status.ts';
import { settledFacts } from '#test/fakes/route-deps.ts';
import { until } from '#test/scenarios/live-agent.ts';
import { cameraIdle, cameraLive, cameraOff, watchers } from '#test/ui/camera-fixture.ts';
import { fixturePanel } from '#test/ui/fixture.ts';
import { absentCamera } from '#machines/camera/status.ts';
import { axe, closePages, noBrowser, openPage, readStatus, startBrowser, type WatchedPage } from './browser.ts';
import { startStandIn, type StandIn } from './stand-in.ts';

const id = '0123456789abcdef'.repeat(2);

/** Replaces the panel's stream by one that the test writes to: `say` gives the page a whole status. */
const OWN_STREAM = `
  window.EventSource = class extends EventTarget {
    constructor() {
      super();
      window.say = (text) => this.dispatchEvent(new MessageEvent('status', { data: text, lastEventId: '1' }));
    }
    close() {}
  };
`;

/** A picture of 2 by 2 pixels. */
const JPEG = Buffer.from(
  '/9j/4AAQSkZJRgABAgAAAQABAAD//gAQTGF2YzU5LjM3LjEwMAD/2wBDAAg+Pkk+SVVVVVVVVWRdZGhoaGRkZGRoaGhwcHCDg4NwcHBoaHBwfHyDg4+Tj4eHg4eTk5ubm7q6srLZ2eD/////xABMAAEBAAAAAAAAAAAAAAAAAAAABgEBAQAAAAAAAAAAAAAAAAAABgcQAQAAAAAAAAAAAAAAAAAAAAARAQAAAAAAAAAAAAAAAAAAAAD/wAARCAACAAIDASIAAhEAAxEA/9oADAMBAAIRAxEAPwCLAFF/f//Z',
  'base64',
);

type Camera = StatusDocument['camera'];

describe.skipIf(noBrowser)('the camera on the pages', () => {
  let browser: Browser;
  let panel: StandIn;
  let origin: string;
  let state: 'pending' | 'approved' | 'absent';
  let isOn: boolean;
  let sent: (string | null)[];

  beforeAll(async () => {
    const facts = settledFacts();
    [browser, panel] = await Promise.all([
      startBrowser(),
      startStandIn((registry) => {
        for (const [name, context] of Object.entries(facts)) registry.put(name, context);
        registry.put('simulator', { panel: fixturePanel });
        // The steps are drawn by the server, on panels with a camera.
        const scan = { found: 'devices', count: 1, refused: 0, chosen: 'Simulated camera' };
        registry.put('camera', { scan, user: null, isEnabled: false, session: null });
      }),
    ]);
    origin = `http://panel.local:${panel.port}`;
  });
  afterAll(async () => {
    await closePages(browser);
    await panel.stop();
  });
  beforeEach(() => {
    state = 'pending';
    isOn = false;
    sent = [];
  });

  /** Gives the page a status with this camera. */
  const show = async (page: Page, camera: Camera, more: object = {}): Promise<void> => {
    const known = await readStatus(origin.replace('panel.local', '127.0.0.1'));
    // Not what the page was drawn from.
    const status = { ...known, taken_at: known.taken_at + 1, camera, ...more };
    await until('the page to follow the panel', () => page.evaluate<boolean>("'say' in window"));
    await page.evaluate(`say(${JSON.stringify(JSON.stringify(status))})`);
  };

  /** A page with a camera, whose panel asks before it turns that on. */
  const open = async (path: string, camera: Camera, more: object = {}): Promise<WatchedPage> => {
    const watched = await openPage(browser, origin, { viewport: { width: 820, height: 900 } });
    const { page } = watched;
    await page.clock.install();
    await page.addInitScript(OWN_STREAM);
    await page.route(`**/api/v1/approvals/${id}`, (route) => route.fulfill({ json: { ok: true, id, state } }));
    await page.route('**/api/v1/config', async (route: Route) => {
      if (route.request().method() !== 'POST') return route.fulfill({ json: { settings: { camera_enabled: isOn } } });
      const body = route.request().postData();
      sent.push(body);
      const asks = { ok: false, error: 'approval-required', message: 'Approve it at the panel.', approval_id: id };
      return body?.includes('true') === true && !isOn
        ? route.fulfill({ status: 202, json: asks })
        : route.fulfill({ json: { ok: true, status: 'saved', message: 'Saved.', revision: 2 } });
    });
    // Of the screen, which comes by itself.
    await page.route('**/api/v1/screenshot.png*', (route) => route.fulfill({ contentType: 'image/jpeg', body: JPEG }));
    await page.goto(origin + path);
    await show(page, camera, more);
    return watched;
  };

  /** Lets two seconds go by until it is so. */
  const step = (page: Page, what: string, isSo: () => Promise<boolean> | boolean): Promise<unknown> =>
    until(what, async () => {
      await page.clock.runFor(2000);
      return isSo();
    });

  const cardOf = (page: Page) => page.locator('.card-camera');
  const switchOf = (page: Page) => cardOf(page).getByRole('switch', { name: 'Camera' });

  test('the card comes with the camera, and goes with it', async () => {
    const { page, context, faults } = await open('/', absentCamera);
    expect(await cardOf(page).isVisible()).toBe(false);
    await show(page, cameraOff);
    await switchOf(page).waitFor();
    await show(page, absentCamera);
    await cardOf(page).waitFor({ state: 'hidden' });
    expect(faults).toEqual([]);
    await context.close();
  });

  test('turning it on waits for a person at the panel, and says what follows before', async () => {
    const { page, context, faults } = await open('/', cameraOff);
    await cardOf(page).getByText('Everybody on this network can then watch.').waitFor();
    const line = cardOf(page).locator('[data-note]').first();
    await switchOf(page).click();
    await line.getByText('Approve at the panel').waitFor();
    expect(await switchOf(page).isDisabled()).toBe(true);
    expect(await axe(page)).toEqual([]);
    // A status that comes meanwhile leaves it waiting.
    await show(page, { ...cameraOff, summary: 'Another sentence.' });
    expect(await switchOf(page).isDisabled()).toBe(true);
    state = 'absent';
    await step(page, 'the refusal', () => line.getByText('It was denied or expired.').isVisible());
    expect(await switchOf(page).getAttribute('aria-checked')).toBe('false');
    // The approval itself turns it on.
    state = 'pending';
    await switchOf(page).click();
    await line.getByText('Approve at the panel').waitFor();
    [isOn, state] = [true, 'absent'];
    await step(page, 'the consent', async () => !(await switchOf(page).isDisabled()));
    await show(page, cameraIdle);
    expect(await switchOf(page).getAttribute('aria-checked')).toBe('true');
    expect(await line.textContent()).toBe('');
    expect(sent).toEqual(['{"camera_enabled":true}', '{"camera_enabled":true}']);
    expect(faults).toEqual([]);
    await context.close();
  });

  test('one that cannot be asked for is refused with its reason', async () => {
    const { page, context } = await open('/', cameraOff);
    const message = 'Nothing was changed: the camera is only turned on with a person in front of a screen.';
    await page.route('**/api/v1/config', (route) =>
      route.fulfill({ status: 409, json: { ok: false, error: 'no-place-to-ask', message } }),
    );
    await switchOf(page).click();
    await cardOf(page).locator('.refused').getByText('in front of a screen.').waitFor();
    await context.close();
  });

  test('turning it off asks nobody, and a picture that was taken goes with it', async () => {
    const { page, context, faults } = await open('/', cameraIdle);
    let asked = 0;
    await page.route('**/api/v1/camera/snapshot.jpg', (route) => {
      asked += 1;
      return route.fulfill({ contentType: 'image/jpeg', body: JPEG });
    });
    // Each picture opens the camera: none comes unasked.
    expect(asked).toBe(0);
    const take = cardOf(page).getByRole('button', { name: 'Take a picture' });
    await take.click();
    const picture = cardOf(page).getByRole('img', { name: /What the camera saw at \d\d:\d\d:\d\d/ });
    await picture.waitFor();
    await until('the picture to be drawn', () =>
      page.evaluate<boolean>("document.querySelector('.camera-shot img').naturalWidth === 2"),
    );
    expect(await axe(page)).toEqual([]);
    // It stays while the status changes.
    await show(page, cameraLive);
    expect(await picture.isVisible()).toBe(true);
    await cardOf(page).getByRole('button', { name: 'Remove it' }).click();
    await picture.waitFor({ state: 'detached' });
    expect(await page.evaluate('document.activeElement.dataset.camera')).toBe('take');
    await take.click();
    await picture.waitFor();
    expect(asked).toBe(2);
    await switchOf(page).click();
    await until('the request', () => sent.length === 1);
    expect(sent).toEqual(['{"camera_enabled":false}']);
    expect(await page.locator('[data-asking]').count()).toBe(0);
    await show(page, cameraOff);
    await picture.waitFor({ state: 'detached' });
    expect(faults).toEqual([]);
    await context.close();
  });

  test('a picture that cannot be taken says why', async () => {
    const { page, context } = await open('/', cameraIdle);
    const message = 'Another program uses the camera. Close that program.';
    await page.route('**/api/v1/camera/snapshot.jpg', (route) =>
      route.fulfill({ status: 503, json: { ok: false, error: 'camera-unavailable', message } }),
    );
    await cardOf(page).getByRole('button', { name: 'Take a picture' }).click();
    await cardOf(page).locator('.refused').getByText(`Failed: ${message}`).waitFor();
    expect(await cardOf(page).getByRole('img').count()).toBe(0);
    await page.route('**/api/v1/camera/snapshot.jpg', (route) => route.abort());
    await cardOf(page).getByRole('button', { name: 'Take a picture' }).click();
    await cardOf(page).locator('.refused').getByText('not').first().waitFor();
    await context.close();
  });

  test('says who watches, and that "off" is not saved yet', async () => {
    const { page, context } = await open('/', cameraLive, { camera_watchers: watchers });
    const list = cardOf(page).getByRole('list', { name: 'Who watches' });
    await list.getByText('Home Assistant').waitFor();
    await list.getByText('Frigate (2 streams)').waitFor();
    const status = await readStatus(`http://127.0.0.1:${panel.port}`);
    const configuration = {
      ...status.configuration,
      unsaved_off: ['camera_enabled'],
      last_failure: 'ENOSPC',
    };
    await show(page, cameraOff, { configuration });
    await cardOf(page).getByText('that is not saved yet').waitFor();
    expect(await list.count()).toBe(0);
    await context.close();
  });

  test('the steps are copied with the panel’s address, and are not for its own screen', async () => {
    const { page, context } = await open('/', cameraIdle);
    const steps = cardOf(page).locator('#camera-steps');
    await steps.locator('summary').click();
    await steps.getByRole('button', { name: 'Copy the address of the stream' }).click();
    await steps.getByText('Copied').waitFor();
    await page.evaluate(
      "document.body.appendChild(Object.assign(document.createElement('textarea'), {id: 'paste'})).focus()",
    );
    await page.keyboard.press('Control+V');
    // The address of the network, since the server of this test knows no other.
    expect(await page.locator('#paste').inputValue()).toBe('rtsp://192.0.2.7:8554/live');
    // Opened, they stay so while the status changes.
    await show(page, cameraLive);
    expect(await steps.getByText('streams:').isVisible()).toBe(true);
    await page.addInitScript('window.sconcePanel = { wants: () => {} }');
    await page.goto(origin);
    await show(page, cameraIdle);
    await switchOf(page).waitFor();
    expect(await steps.isVisible()).toBe(false);
    await context.close();
  });

  test('fits on phones, panels and desktops, in both themes', async () => {
    const { page, context } = await open('/', cameraLive, { camera_watchers: watchers });
    await cardOf(page).locator('#camera-steps summary').click();
    for (const [width, height] of [
      [360, 640],
      [480, 480],
      [1280, 800],
    ] as const) {
      await page.setViewportSize({ width, height });
      const outside = await page.evaluate(
        "Array.from(document.querySelectorAll('.card-camera *')).filter((e) => e.getClientRects().length > 0 && !e.closest('code,svg,.unseen') && e.getBoundingClientRect().right > innerWidth).length",
      );
      expect([width, outside]).toEqual([width, 0]);
    }
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await axe(page)).toEqual([]);
    }
    await context.close();
  });

  test('on the page of the simulated panel it is unplugged, covered, jammed and occupied, and the mark is drawn', async () => {
    const shown = { in_use: { shown: 'overlay', holders: ['camera'], refusal: null } };
    const { page, context, faults } = await open('/simulator', cameraLive, shown);
    const touches: unknown[] = [];
    await page.route('**/api/v1/simulator', (route) => {
      if (route.request().method() !== 'POST') return route.fallback();
      touches.push(route.request().postDataJSON());
      return route.fulfill({ status: 202, json: { ok: true } });
    });
    await page.locator('svg.panel .glass-mark').waitFor();
    await page.locator('svg.panel[aria-label*="The red square shows that the camera is in use."]').waitFor();
    const card = page.getByRole('region', { name: 'Camera' });
    for (const name of ['Plugged in', 'Lens covered', 'Stuck: no pictures', 'Used elsewhere'])
      await card.getByRole('switch', { name }).click();
    await until('the touches', () => touches.length === 4);
    expect(touches).toEqual([
      { camera: 'plugged', set: false },
      { camera: 'blind', set: true },
      { camera: 'jammed', set: true },
      { camera: 'occupied', set: true },
    ]);
    await page.route('**/api/v1/camera/snapshot.jpg', (route) =>
      route.fulfill({ contentType: 'image/jpeg', body: JPEG }),
    );
    await card.getByRole('button', { name: 'Take a picture' }).click();
    await card.getByRole('img', { name: /What the camera saw/ }).waitFor();
    expect(await axe(page)).toEqual([]);
    await show(page, cameraIdle, { in_use: { shown: 'none', holders: [], refusal: null } });
    await page.locator('.glass-mark').waitFor({ state: 'detached' });
    expect(await card.getByRole('img', { name: /What the camera saw/ }).isVisible()).toBe(true);
    await show(page, cameraOff, { in_use: { shown: 'none', holders: [], refusal: null } });
    await card.getByText('It films a drawn room once it is on').waitFor();
    expect(faults).toEqual([]);
    await context.close();
  });
});
