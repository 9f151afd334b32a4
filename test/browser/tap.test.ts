import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { unseenBrowser } from '#test/browser/program.ts';
import { clearAway, startAgent, type AgentProcess } from '#test/scenarios/agent-process.ts';
import { post, until } from '#test/scenarios/live-agent.ts';
import { type HomeAssistantPage, serveHomeAssistant } from '../drivers/renderer/home-assistant-page.ts';
import { closePages, noBrowser, readStatus, startBrowser, untilStatus } from './browser.ts';

/** How large the dashboard is drawn, in percent: a pixel of the picture is not one of the page. */
const ZOOM = 150;
/** A button of the dashboard in pixels of its page, red until it is tapped. */
const BUTTON = { left: 200, top: 150, size: 60 };
const BUTTON_SCRIPT = `
  document.querySelector('#tapped')?.remove();
  document.body.insertAdjacentHTML('beforeend', '<button id="tapped" style="position:fixed;left:${BUTTON.left}px;top:${BUTTON.top}px;width:${BUTTON.size}px;height:${BUTTON.size}px;border:0;background:rgb(200,0,0)"></button>');
  document.querySelector('#tapped').addEventListener('click', (event) => {
    event.target.style.background = 'rgb(0,200,0)';
    fetch('/received?tapped=' + event.pointerType + '&trusted=' + event.isTrusted);
  });
  fetch('/received?placed=1');
`;
/** The middle of the button, in pixels of the picture. */
const middle = (from: number): number => (from + BUTTON.size / 2) * (ZOOM / 100);
const [x, y] = [middle(BUTTON.left), middle(BUTTON.top)];

describe.skipIf(noBrowser)('a tap on what the panel shows', () => {
  let browser: Browser;
  let agent: AgentProcess;
  let homeAssistant: HomeAssistantPage;

  const input = (body: object): Promise<Response> => post(`${agent.url}/api/v1/input`, body);
  const act = (body: object): Promise<Response> => post(`${agent.url}/api/v1/action`, body);
  /** Colour of the button on a picture. */
  const colourOn = async (response: Response): Promise<string> => {
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/png']);
    const base64 = Buffer.from(await response.arrayBuffer()).toString('base64');
    const page = await browser.newPage();
    // A string, because this file is compiled without the browser's types.
    const colour = await page.evaluate<string>(`(async () => {
      const blob = await (await fetch('data:image/png;base64,${base64}')).blob();
      const image = await createImageBitmap(blob);
      const context = new OffscreenCanvas(image.width, image.height).getContext('2d');
      context.drawImage(image, 0, 0);
      return [...context.getImageData(${x}, ${y}, 1, 1).data].join();
    })()`);
    await page.close();
    return colour;
  };
  const picture = (): Promise<Response> => fetch(`${agent.url}/api/v1/screenshot.png`);
  const reported = (passes: (report: URLSearchParams) => boolean): boolean => homeAssistant.received.some(passes);
  const placeButton = async (): Promise<void> => {
    homeAssistant.received.length = 0;
    homeAssistant.hand(BUTTON_SCRIPT);
    await untilStatus(agent.url, 'the button', () => reported((report) => report.has('placed')));
  };
  const red = '200,0,0,255';
  const green = '0,200,0,255';

  beforeAll(async () => {
    homeAssistant = await serveHomeAssistant({ beats: true });
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
    await homeAssistant.close();
  });

  test('reaches the offline page while nobody has signed in, where there is no dashboard to load', async () => {
    expect((await input({ x: 1, y: 1 })).status).toBe(202);
    for (const a of ['home', 'reload']) {
      const refused = await act({ a });
      expect(refused.status).toBe(409);
      expect(await refused.json()).toMatchObject({
        error: 'not-here',
        message: expect.stringContaining('No dashboard'),
      });
    }
    expect((await readStatus(agent.url)).renderer?.navigation).toMatchObject({ outcome: 'refused', origin: 'http' });
  });

  test('presses a button of the dashboard as a finger does, and the picture shows what it did', async () => {
    const settings = { ha_url: homeAssistant.origin, ha_token: 'token-of-the-test', dashboard_zoom: ZOOM };
    expect((await post(`${agent.url}/api/v1/config`, settings)).status).toBe(200);
    await untilStatus(agent.url, 'the dashboard', ({ renderer }) => renderer?.rendered === true, 45_000);
    await placeButton();
    expect(await colourOn(await picture())).toBe(red);
    expect(await colourOn(await input({ x, y, capture: true }))).toBe(green);
    expect(reported((report) => report.get('tapped') === 'touch' && report.get('trusted') === 'true')).toBe(true);
  }, 60_000);

  test('beyond the picture is refused, and says where the picture ends', async () => {
    const refused = await input({ x: 5000, y: 10 });
    expect(refused.status).toBe(400);
    expect(await refused.json()).toMatchObject({
      error: 'bad-value',
      reasons: {
        x: expect.stringMatching(
          /^The field "x" must be a number from 0 to 1\d{3}: the picture is 1\d{3} × \d{3} pixels\.$/,
        ),
      },
    });
  });

  test('in the dark presses too, and leaves the screen dark', async () => {
    await placeButton();
    expect((await act({ a: 'screen_off' })).status).toBe(202);
    await untilStatus(agent.url, 'the dark screen', ({ screen }) => screen?.lit === false);
    let [beats, since] = [-1, performance.now()];
    await until(
      'the page, which asks each 200 ms, was frozen for the dark',
      () => {
        const seen = homeAssistant.asked.length;
        if (seen !== beats) [beats, since] = [seen, performance.now()];
        return performance.now() - since > 2000;
      },
      20_000,
    );
    expect(await colourOn(await input({ x, y, capture: true }))).toBe(green);
    const { screen, input: touches } = await readStatus(agent.url);
    expect(screen?.lit).toBe(false);
    expect(touches?.last_wake_ms).toBe(-1);
  }, 60_000);
});
