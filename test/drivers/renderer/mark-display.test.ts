import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { markIn } from '#drivers/renderer/find-mark.ts';
import { at, listAt, textAt } from '#drivers/renderer/json-fields.ts';
import type { Corner } from '#drivers/renderer/png-corner.ts';
import { createUseMark } from '#drivers/renderer/use-mark.ts';
import type { MarkCommand, MarkFact } from '#machines/in-use/events.ts';
import { inAll } from '#test/fakes/in-all.ts';
import { until } from '../../scenarios/live-agent.ts';
import { runDriver, type RunningDriver } from '../run-driver.ts';
import { answerSlowly, hangsFor } from './home-assistant-page.ts';
import { question, type QuestionRig, serveOwnPages, startQuestions } from './question-rig.ts';
import { noBrowser, START_MS } from './rig.ts';
import { startXScreen, type XScreen } from './x-screen.ts';

const hasX = await promisify(execFile)('sh', ['-c', 'command -v Xvfb']).then(
  () => true,
  () => false,
);
if (!hasX) console.warn('SKIPPED the mark on X11: no Xvfb (apt-get install xvfb)');

const PAGE = `<!doctype html><title>p</title><style>body { margin: 0; background: #cde; height: 3000px }</style>
<dialog id="dialog" style="inset:0;width:100%;height:100%;background:#080">d</dialog>
<div id="popover" popover style="inset:0;width:100%;height:100%;background:#008">p</div>
<div id="full" style="background:#880">f</div>`;

/** The colour of a pixel below the mark. */
const colourBeside = ({ width, rgb }: Corner): string =>
  rgb.subarray((90 * width + 90) * 3, (90 * width + 91) * 3).join();

/** A page of a dashboard, at any path. */
async function servePages(): Promise<{ readonly origin: string; readonly server: Server }> {
  const server = createServer(({ url = '/' }, response) => {
    if (url.startsWith('/slow')) return answerSlowly(url, response);
    response.setHeader('content-type', 'text/html');
    response.end(PAGE);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  // A server that listens on TCP has an AddressInfo.
  const { port } = server.address() as AddressInfo;
  return { origin: `http://127.0.0.1:${port}`, server };
}

describe.skipIf(noBrowser || !hasX)('the mark on a display', () => {
  let pages: { readonly origin: string; readonly server: Server };
  let own: { readonly origin: string; readonly server: Server };
  let screen: XScreen;
  let rig: QuestionRig;
  let mark: RunningDriver<MarkCommand, MarkFact>;
  const started: { readonly method: string; readonly session: string | undefined; readonly params: object }[] = [];

  /** Starts a browser on the display, with a mark. */
  async function startMarked(zoomPercent = 100, flags: readonly string[] = []) {
    const use = createUseMark({ elapsed: () => performance.now() });
    const appearance = { zoomPercent, theme: 'follow', kiosk: false, fullscreen: false } as const;
    const running = await startQuestions(
      { origin: pages.origin, ownOrigin: own.origin, display: 'auto', appearance },
      {
        env: screen.env,
        extraFlags: ['--disable-popup-blocking', ...flags],
        mark: {
          attach: (browser, open) => {
            const { call } = browser.tools;
            const noted: typeof call = (method, params = {}, options = {}) => {
              started.push({ method, session: options.session, params });
              return call(method, params, options);
            };
            return use.attach({ ...browser, tools: { ...browser.tools, call: noted } }, open);
          },
        },
      },
    );
    await running.browser.settle({ type: 'page.load', path: '/lovelace/hall' });
    return { running, driver: runDriver<MarkCommand, MarkFact>(use.driver) };
  }
  const confirmed = (from = 0): Promise<MarkFact> =>
    mark.until((fact): fact is MarkFact => fact.type === 'mark.confirmed', from);
  const formOnScreen = async (): Promise<string> => markIn(await screen.corner()).join('+');
  const onScreen = async (): Promise<boolean> => (await formOnScreen()) !== '';
  const seen = (what: string): Promise<unknown> => until(`the mark is on the screen ${what}`, onScreen);
  const gone = (): Promise<unknown> => until('the mark is gone', async () => !(await onScreen()));
  /** Waits for a picture that was taken after now. */
  const confirmedAgain = async (act: () => Promise<unknown>): Promise<void> => {
    const from = mark.facts.length;
    await act();
    await mark.until((fact): fact is MarkFact => fact.type === 'mark.unconfirmed', from);
    await confirmed(mark.facts.findIndex(({ type }, index) => index >= from && type === 'mark.unconfirmed'));
  };

  beforeAll(async () => {
    [pages, own, screen] = await Promise.all([servePages(), serveOwnPages(), startXScreen()]);
    ({ running: rig, driver: mark } = await startMarked());
  }, START_MS);
  afterAll(async () => {
    mark?.stop();
    await mark?.settled();
    await rig?.end();
    await screen?.end();
    pages?.server.close();
    own?.server.close();
  });
  beforeEach(async () => {
    await rig.browser.settle({ type: 'page.load', path: '/lovelace/hall' });
    started.length = 0;
    mark.tell({ type: 'mark.show', of: ['camera'] });
    await confirmed(mark.facts.length);
    await seen('at first');
  });
  afterEach(async () => {
    const from = mark.facts.length;
    mark.tell({ type: 'mark.hide' });
    await mark.until((fact): fact is MarkFact => fact.type === 'mark.hidden', from);
    await gone();
  });

  test('is above whatever a page puts over it, and over what it removes', async () => {
    const attacks: readonly (readonly [what: string, script: string, isMade: string])[] = [
      ['above a modal dialog', 'dialog.showModal()', "dialog.matches(':modal')"],
      ['above a popover', 'dialog.close(); popover.showPopover()', "popover.matches(':popover-open')"],
      ['above fullscreen', 'popover.hidePopover(); full.requestFullscreen()', 'document.fullscreenElement === full'],
      ['after fullscreen', 'document.exitFullscreen()', 'document.fullscreenElement === null'],
      ['while it is scrolled', 'scrollTo(0, 900)', 'scrollY > 800'],
      [
        'without any element',
        "document.head.append(Object.assign(document.createElement('style'), { textContent: '*{display:none!important}' }))",
        "getComputedStyle(document.body).display === 'none'",
      ],
      ['without a document', 'document.documentElement.remove()', 'document.documentElement === null'],
    ];
    for (const [what, script, isMade] of attacks) {
      await rig.inDashboard(`(async () => { ${script}; })()`);
      await until(`it is made: ${what}`, () => rig.inDashboard(isMade));
      await seen(what);
      const from = mark.facts.length;
      mark.tell({ type: 'mark.show', of: ['camera'] });
      await confirmed(from);
    }
  });

  test('is above the fullscreen of a frame of another site', async () => {
    // The same server by another name is another site, whose frame has a process of its own.
    const address = `${pages.origin.replace('127.0.0.1', 'localhost')}/frame`;
    const frame = `<iframe src="${address}" allow="fullscreen" style="width:200px;height:100px;margin:200px">`;
    await rig.inDashboard(`document.body.innerHTML = ${JSON.stringify(frame)}`);
    const target = await until('the frame has a target', async () =>
      listAt(await rig.call('Target.getTargets'), 'targetInfos').find(
        (info) => textAt(20, info, 'type') === 'iframe' && textAt(200, info, 'url') === address,
      ),
    );
    const targetId = textAt(100, target, 'targetId');
    const session = textAt(100, await rig.call('Target.attachToTarget', { targetId, flatten: true }), 'sessionId');
    const inFrame = async (expression: string): Promise<unknown> => {
      const params = { expression, returnByValue: true, userGesture: true, awaitPromise: true };
      const answer = await rig.tools().call('Runtime.evaluate', params, { session: session ?? '', withinMs: 10_000 });
      return answer.ok ? at(answer.value, 'result', 'value') : undefined;
    };
    await until('it can be made', () => inFrame("typeof full === 'object'"));
    await inFrame('full.requestFullscreen().then(() => true)');
    const isFull = 'document.fullscreenElement === full && innerWidth > 400';
    await until('the frame is fullscreen', () => inFrame(isFull));
    await until('its colour is beside the mark', async () => colourBeside(await screen.corner()) === '136,136,0');
    await seen('above the frame');
    const from = mark.facts.length;
    mark.tell({ type: 'mark.show', of: ['camera'] });
    await confirmed(from);
    expect([await inFrame(isFull), await formOnScreen()]).toEqual([true, 'camera']);
    await inFrame('document.exitFullscreen().then(() => true)');
    await seen('after it');
  });

  test('stays while a script hangs, which no picture confirms', async () => {
    const from = mark.facts.length;
    void rig.inDashboard(hangsFor(2800));
    mark.tell({ type: 'mark.show', of: ['camera'] });
    await mark.until((fact): fact is MarkFact => fact.type === 'mark.unconfirmed', from);
    expect(await onScreen()).toBe(true);
    await confirmed(from);
    expect(await onScreen()).toBe(true);
  });

  test('is there again after a navigation, on an own page too', async () => {
    await confirmedAgain(() => rig.browser.settle({ type: 'page.load', path: '/other' }));
    await seen('after a load');
    await confirmedAgain(() => rig.browser.settle({ type: 'page.own', path: '/own' }));
    await seen('on an own page');
    await confirmedAgain(() => rig.inDashboard('location.reload()'));
    await seen('after a reload');
  });

  test('is in the tab in front: a question, and the dashboard afterwards', async () => {
    await confirmedAgain(() => rig.show(question(1)));
    await seen('on a question');
    await confirmedAgain(() => rig.hide());
    await seen('on the dashboard');
    // Shown while a question is in front.
    await confirmedAgain(() => rig.show(question(2)));
    mark.tell({ type: 'mark.hide' });
    await gone();
    const from = mark.facts.length;
    mark.tell({ type: 'mark.show', of: ['camera'] });
    await confirmed(from);
    await seen('on the second question');
    await rig.hide();
  });

  test('is there again after a crash of its page', async () => {
    const from = mark.facts.length;
    const { params } = started.find(({ method }) => method === 'Target.attachToTarget') ?? { params: {} };
    const session = textAt(100, await rig.call('Target.attachToTarget', { ...params, flatten: true }), 'sessionId');
    void rig.tools().call('Page.crash', {}, { session: session ?? '', withinMs: 100 });
    await mark.until((fact): fact is MarkFact => fact.type === 'mark.unconfirmed', from);
    await rig.browser.settle({ type: 'page.load', path: '/lovelace/hall' });
    await confirmed(from);
    await seen('after a crash');
  });

  test('is named by a text beside it, which its page does not see into and which goes with it', async () => {
    const label = 'document.documentElement.lastElementChild';
    await until('the text is there', () => rig.inDashboard(`${label}.tagName === 'DIV'`));
    expect(await rig.inDashboard(`[${label}.shadowRoot, ${label}.textContent].join()`)).toBe(',');
    const from = mark.facts.length;
    mark.tell({ type: 'mark.hide' });
    await mark.until((fact): fact is MarkFact => fact.type === 'mark.hidden', from);
    expect(await rig.inDashboard(`${label}.tagName`)).toBe('BODY');
  });

  test('has another form for each holder, on a question too', async () => {
    const forms = [['microphone'], ['camera', 'microphone'], ['camera']] as const;
    for (const of of forms) {
      const from = mark.facts.length;
      mark.tell({ type: 'mark.show', of });
      await mark.until(
        (fact): fact is MarkFact => fact.type === 'mark.confirmed' && fact.of.join() === of.join(),
        from,
      );
      expect(mark.facts.slice(from).map(({ type }) => type)).not.toContain('mark.unconfirmed');
      await until(`${of.join()} is on the screen`, async () => (await formOnScreen()) === of.join('+'));
    }
    await confirmedAgain(() => rig.show(question(1)));
    mark.tell({ type: 'mark.show', of: ['microphone'] });
    await until('it is on the question', async () => (await formOnScreen()) === 'microphone');
    await rig.hide();
  });

  test('leaves no domain on', async () => {
    const session = started.find(({ method }) => method === 'Overlay.enable')?.session;
    expect(session).toMatch(/./);
    const from = mark.facts.length;
    mark.tell({ type: 'mark.hide' });
    await mark.until((fact): fact is MarkFact => fact.type === 'mark.hidden', from);
    const of = (word: string): readonly string[] =>
      started.filter((call) => call.session === session && call.method.endsWith(word)).map(({ method }) => method);
    expect([...of('.disable')].toSorted()).toEqual(['DOM.disable', 'Overlay.disable', 'Page.disable']);
    const answer = await rig.tools().call('Overlay.hideHighlight', {}, { session: session ?? '' });
    expect(answer.ok).toBe(false);
  });

  inAll(
    'is seen at any zoom and density',
    async () => {
      const half = [50, ['--force-device-scale-factor=1.5']] as const;
      const double = [200, ['--force-device-scale-factor=2']] as const;
      for (const [zoom, flags] of [half, double]) {
        const { running, driver } = await startMarked(zoom, flags);
        driver.tell({ type: 'mark.show', of: ['camera'] });
        await driver.until((one): one is MarkFact => one.type === 'mark.confirmed');
        await seen(`at ${zoom} % with ${flags.join()}`);
        driver.stop();
        await driver.settled();
        await running.end();
      }
    },
    120_000,
  );
});
