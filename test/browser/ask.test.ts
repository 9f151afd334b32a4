import { mkdirSync } from 'node:fs';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { amount, few } from '#test/fakes/amount.ts';
import type { ShownQuestion } from '#machines/approvals/events.ts';
import { operations } from '#machines/operations.ts';
import { type AgentProcess, clearAway, startAgent } from '#test/scenarios/agent-process.ts';
import { until } from '#test/scenarios/live-agent.ts';
import { axe, closePages, noBrowser, openPage, startBrowser, type WatchedPage } from './browser.ts';

/** Folder for pictures of every question, to look at; none are taken without it. */
const pictures = process.env['SCONCE_ASK_PICTURES'];

const plain: ShownQuestion = {
  id: 'a'.repeat(32),
  kind: 'operation',
  title: 'Play an announcement',
  what: 'http://192.0.2.40:8123/api/tts_proxy/doorbell.mp3',
  consequence: '',
  who: '192.0.2.40',
  code: null,
  leftMs: 599_000,
  position: 1,
  of: 3,
  barred: [],
  canIgnore: true,
};
const own = { what: '', who: 'This panel', of: 1, canIgnore: false } as const;
const questions: Readonly<Record<string, ShownQuestion>> = {
  plain,
  long: {
    ...plain,
    title: 'Change the profile of the panel’s hardware',
    what: `http://192.0.2.40:8123/local/profiles/${'hall-and-kitchen-'.repeat(8)}.yaml`.slice(0, 180),
  },
  widest: { ...plain, what: 'W'.repeat(180) },
  consent: {
    ...plain,
    title: 'Turn on the camera',
    what: 'Camera: on',
    consequence: 'Everybody on this network can then watch. A red square shows when it is in use.',
  },
  pairing: {
    ...plain,
    ...own,
    title: operations.COMPANION_PAIR.title,
    what: 'Home Assistant of the house at the harbour, second floor, behind the lighthouse',
    consequence: operations.COMPANION_PAIR.consequence ?? '',
    code: '271828',
  },
  enter: { ...plain, ...own, kind: 'enter-hardened', title: 'Switch to Hardened mode' },
  leave: { ...plain, ...own, kind: 'leave-hardened', title: 'Leave Hardened mode' },
  barred: {
    ...plain,
    ...own,
    kind: 'enter-hardened',
    title: 'Switch to Hardened mode',
    barred: [
      {
        code: 'adb-listener',
        message: 'Port 5555 is open, over which others can operate the panel.',
        command: 'sudo systemctl disable --now adbd',
      },
      { code: 'vnc', message: 'A VNC server listens on port 5900.', command: null },
    ],
  },
};

const viewports = [
  { width: 480, height: 480 },
  { width: 800, height: 480 },
  { width: 1280, height: 800 },
] as const;

const themes = ['light', 'dark'] as const;
const allLooks = viewports.flatMap((viewport) => themes.map((colorScheme) => ({ viewport, colorScheme })));
/** Contrast depends on the theme alone, and room on the size. */
const looks = allLooks.filter(
  ({ viewport, colorScheme }) => viewport.width === 480 || colorScheme === (viewport.width === 800 ? 'dark' : 'light'),
);

describe.skipIf(noBrowser)('the page of a question', () => {
  let agent: AgentProcess;
  let browser: Browser;
  beforeAll(async () => {
    [agent, browser] = await Promise.all([startAgent(), startBrowser()]);
    if (pictures !== undefined) mkdirSync(pictures, { recursive: true });
  });
  afterAll(async () => {
    await agent.kill('SIGTERM');
    clearAway();
    await closePages(browser);
  });

  /** The page in the panel's tab, which has the binding. */
  async function open(options: BrowserContextOptions = {}): Promise<WatchedPage> {
    const watched = await openPage(browser, agent.url, { viewport: viewports[0], hasTouch: true, ...options });
    await watched.page.addInitScript(
      'window.said = []; window.sconceAnswer = (message) => said.push(JSON.parse(message))',
    );
    await watched.page.goto(`${agent.url}/ask`);
    await until('its script runs', () => watched.page.evaluate("typeof sconceAsk === 'object'"));
    return watched;
  }
  const show = (page: Page, question: ShownQuestion): Promise<unknown> =>
    page.evaluate(`sconceAsk.show(${JSON.stringify(question)})`);
  async function shoot(page: Page, name: string): Promise<void> {
    const { width, height } = page.viewportSize() ?? viewports[0];
    const theme = await page.evaluate<string>("matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'");
    if (pictures !== undefined) await page.screenshot({ path: `${pictures}/${name}-${width}x${height}-${theme}.png` });
  }
  const said = (page: Page): Promise<readonly Record<string, unknown>[]> => page.evaluate('said');
  const enabled = (page: Page): Promise<void> => page.locator('[data-hold]:enabled').waitFor();

  test('opened anywhere else shows one sentence', async () => {
    const { page, context, faults } = await openPage(browser, agent.url, { viewport: { width: 390, height: 844 } });
    const response = await page.goto(`${agent.url}/ask`);
    expect(response?.headers()['cache-control']).toBe('no-store');
    expect(await page.locator('body').innerText()).toBe('This page is for the panel’s own screen.');
    expect(await page.getByRole('button').count()).toBe(0);
    expect(await page.evaluate('typeof window.sconceAsk')).toBe('undefined');
    expect(await axe(page)).toEqual([]);
    expect(faults).toEqual([]);
    await context.close();
  });

  test.each(pictures === undefined ? few(looks, 3) : allLooks)(
    'has every answer in reach at $viewport.width x $viewport.height, in the $colorScheme theme',
    async ({ viewport, colorScheme }) => {
      // A plain run audits each question in one of both themes, in turn.
      const isAudited = (theme: string, at: number): boolean =>
        viewport.width === 480 && amount((at % 2 === 0) === (theme === 'light'), true);
      const { page, context, faults } = await open({ viewport, colorScheme });
      // The same id throughout: another one would wait for a second each time.
      for (const [at, [name, question]] of Object.entries(questions).entries()) {
        await show(page, question);
        if (question.barred.length === 0) await enabled(page);
        await shoot(page, name);
        for (const button of await page.getByRole('button').all()) {
          const box = await button.boundingBox();
          expect(box?.height, name).toBeGreaterThanOrEqual(56);
          expect((box?.y ?? 0) + (box?.height ?? 9999), name).toBeLessThanOrEqual(viewport.height);
        }
        expect(await page.getByRole('button', { name: 'Deny', exact: true }).count(), name).toBe(1);
        expect(await page.getByRole('button', { name: /^Approve/ }).count(), name).toBe(
          question.barred.length > 0 ? 0 : 1,
        );
        const fits =
          "document.documentElement.scrollWidth <= innerWidth && [document.querySelector('.ask-body')].every((body) => body.scrollHeight <= body.clientHeight)";
        if (name !== 'widest') expect(await page.evaluate(fits), name).toBe(true);
        if (question.code !== null) expect(await page.locator('[data-code]').innerText()).toBe('271\u00A0828');
        if (isAudited(colorScheme, at)) expect(await axe(page), name).toEqual([]);
      }
      for (const outcome of ['approved', 'denied', 'failed']) {
        await page.evaluate(
          `sconceAsk.result({ title: 'Play an announcement', outcome: '${outcome}', message: 'It is done.' })`,
        );
        await shoot(page, outcome);
        expect(await page.getByRole('button').count()).toBe(0);
      }
      if (viewport.width === 480) expect(await axe(page)).toEqual([]);
      expect(faults).toEqual([]);
      await context.close();
    },
  );

  test('what is asked is text, whatever it is', async () => {
    const { page, context, faults } = await open();
    const evil = '<img src=x onerror="said.push(1)"><b>bold</b>';
    await show(page, { ...plain, title: evil, what: evil, who: evil });
    expect(await page.locator('[data-what]').innerText()).toBe(`“${evil}”`);
    expect(await page.locator('[data-ask] img, [data-ask] b').count()).toBe(0);
    expect(faults).toEqual([]);
    await context.close();
  });

  test('a finger, a key and a mouse hold, and letting go or leaving cancels', async () => {
    const { page, context } = await open();
    await show(page, plain);
    const hold = page.locator('[data-hold]');
    expect(await hold.isDisabled()).toBe(true);
    await enabled(page);
    const box = await hold.boundingBox();
    const [x, y] = [(box?.x ?? 0) + (box?.width ?? 0) / 2, (box?.y ?? 0) + 20];
    const types = async (): Promise<unknown> =>
      (await said(page)).map(({ type }) => type).filter((type) => type !== 'touched');
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x, y - 200);
    await page.mouse.up();
    await hold.focus();
    await page.keyboard.down('Enter');
    await page.keyboard.down('Enter');
    await page.keyboard.up('Enter');
    await hold.tap();
    expect(await types()).toEqual([
      'ready',
      'seen',
      'pressed',
      'released',
      'pressed',
      'released',
      'pressed',
      'released',
    ]);
    await page.keyboard.down(' ');
    await until('the answer', async () => (await said(page)).at(-1)?.['type'] === 'answered');
    await page.keyboard.up(' ');
    expect(await types()).toEqual(expect.arrayContaining(['answered']));
    expect((await said(page)).at(-1)).toEqual({ type: 'answered', id: plain.id, answer: 'hold' });
    expect(await page.getByRole('button', { disabled: false }).count()).toBe(0);
    await context.close();
  });

  test('the time left is counted down, and touches are reported once a second', async () => {
    const { page, context } = await open();
    await page.clock.install();
    await show(page, { ...plain, leftMs: 61_000 });
    expect(await page.locator('[data-left]').innerText()).toBe('1:01 left');
    await page.clock.runFor(2000);
    expect(await page.locator('[data-left]').innerText()).toBe('0:59 left');
    await page.clock.runFor(70_000);
    expect(await page.locator('[data-left]').innerText()).toBe('0:00 left');
    for (let times = 0; times < 3; times += 1) await page.touchscreen.tap(5, 5);
    expect((await said(page)).filter(({ type }) => type === 'touched')).toHaveLength(1);
    await context.close();
  });
});
