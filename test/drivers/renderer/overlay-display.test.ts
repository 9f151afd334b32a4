import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { writeFile } from 'node:fs/promises';

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import type { DevTools } from '#drivers/renderer/devtools.ts';
import { at, textAt } from '#drivers/renderer/json-fields.ts';
import { createUseOverlay } from '#drivers/renderer/use-overlay.ts';
import type { TurnWords } from '#drivers/voice/turn-channel.ts';
import type { OverlayCommand, OverlayFact, OverlayView } from '#machines/voice/events.ts';
import { until as untilWithin } from '../../scenarios/live-agent.ts';
import { runDriver, type RunningDriver } from '../run-driver.ts';
import { answerSlowly, hangsFor } from './home-assistant-page.ts';
import { DASHBOARD } from './overlay-page.ts';
import { noBrowser, type Rig, START_MS, startRig } from './rig.ts';

const idle: OverlayView = { button: true, phase: 'idle', hue: 210, words: false, notice: null, assist: false };

async function servePages(): Promise<{ readonly origin: string; readonly server: Server }> {
  const server = createServer(({ url = '/' }, response) => {
    if (url.startsWith('/slow')) return answerSlowly(url, response);
    response.setHeader('content-type', 'text/html');
    response.end(DASHBOARD);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  // A server that listens on TCP has an AddressInfo.
  const { port } = server.address() as AddressInfo;
  return { origin: `http://127.0.0.1:${port}`, server };
}

const until: typeof untilWithin = (what, check) => untilWithin(what, check, 8000);

/** Where the button is, from the right and from the bottom. */
const MIDDLE = 48;

describe.skipIf(noBrowser)('the overlay over a dashboard', () => {
  let pages: { readonly origin: string; readonly server: Server };
  let rig: Rig;
  let overlay: RunningDriver<OverlayCommand, OverlayFact>;
  let tools: DevTools;
  let session: string;
  let from = 0;
  let light: (isLit: boolean) => void = () => {};
  let say: (words: TurnWords | null) => void = () => {};
  const calls: { readonly method: string; readonly params: object }[] = [];

  const call = async (method: string, params: object = {}): Promise<unknown> => {
    const answer = await tools.call(method, params, { session, withinMs: 10_000 });
    return answer.ok ? answer.value : undefined;
  };
  const inPage = async (expression: string): Promise<unknown> =>
    at(await call('Runtime.evaluate', { expression, returnByValue: true, awaitPromise: true }), 'result', 'value');
  const show = (view: Partial<OverlayView> = {}): void =>
    overlay.tell({ type: 'overlay.show', view: { ...idle, ...view } });
  /** What is at a point, as the page sees it: the host of the overlay is the last child of the document. */
  const isHostAt = async (fromRight: number, fromBottom: number): Promise<boolean> =>
    (await inPage(
      `document.elementFromPoint(innerWidth - ${fromRight}, innerHeight - ${fromBottom})?.matches('html > div:not([id])') === true`,
    )) === true;
  const shown = (what: string): Promise<unknown> =>
    until(`the button is there ${what}`, () => isHostAt(MIDDLE, MIDDLE));
  const pointOf = async (fromRight: number, fromBottom: number) => ({
    x: Number(await inPage('innerWidth')) - fromRight,
    y: Number(await inPage('innerHeight')) - fromBottom,
  });
  const finger = async (type: 'touchStart' | 'touchEnd' | 'touchCancel', fromRight = MIDDLE, fromBottom = MIDDLE) =>
    call('Input.dispatchTouchEvent', {
      type,
      touchPoints: type === 'touchStart' ? [await pointOf(fromRight, fromBottom)] : [],
    });
  /** Facts of the test that runs. */
  const types = (): string =>
    overlay.facts
      .slice(from)
      .map(({ type }) => type.replace('overlay.', ''))
      .join();
  /** Until what happens next has another time than what happened before. */
  const clockMoves = (start = Date.now()): Promise<unknown> => until('the clock', () => Date.now() > start + 1);
  const comes = (wanted: string): Promise<unknown> => until(wanted, () => types() === wanted);

  beforeAll(async () => {
    pages = await servePages();
    const use = createUseOverlay({
      elapsed: () => performance.now(),
      now: Date.now,
      followLight: (onLight) => {
        light = onLight;
        onLight(true);
        return () => {};
      },
      channel: {
        onWords: (listener) => {
          say = listener;
          listener(null);
          return () => (say = () => {});
        },
      },
    });
    rig = await startRig({
      input: { origin: pages.origin, ownOrigin: pages.origin.replace('127.0.0.1', 'localhost') },
      deps: {
        probeMs: 60_000,
        mark: {
          attach: (browser) => {
            ({ tools } = browser);
            void tools.call('Target.attachToTarget', { targetId: browser.dashboard, flatten: true }).then((made) => {
              session = made.ok ? (textAt(100, made.value, 'sessionId') ?? '') : '';
            });
            return { onEvent: () => {}, inFront: () => {}, detach: () => {} };
          },
        },
        overlay: {
          attach: (browser, load) => {
            const { page } = browser;
            const noted: typeof page = {
              ...page,
              call: (method, params = {}, withinMs) => {
                calls.push({ method, params });
                return page.call(method, params, withinMs);
              },
              evaluate: (expression, options) => {
                calls.push({ method: 'evaluate', params: { expression } });
                return page.evaluate(expression, options);
              },
            };
            return use.attach({ ...browser, page: noted }, load);
          },
        },
      },
    });
    await rig.fact('browser.ready', undefined, { withinMs: START_MS });
    overlay = runDriver<OverlayCommand, OverlayFact>(use.driver);
  }, START_MS);
  afterAll(async () => {
    overlay?.stop();
    await overlay?.settled();
    await rig?.end();
    pages?.server.close();
  });
  beforeEach(async () => {
    await rig.settle({ type: 'page.load', path: '/lovelace/hall' });
    from = overlay.facts.length;
  });
  afterEach(async () => {
    say(null);
    light(true);
    show({ button: false, phase: 'off' });
    await until('it is gone', async () => !(await isHostAt(MIDDLE, MIDDLE)) && !(await isHostAt(2, 300)));
  });

  test('costs nothing until there is something to show', () => {
    expect(calls).toEqual([]);
  });

  test('is a button that says when it is pressed and released, twice in a row', async () => {
    show();
    await shown('at first');
    await finger('touchStart');
    await comes('pressed');
    await finger('touchEnd');
    await comes('pressed,released');
    await finger('touchStart');
    await finger('touchEnd');
    await comes('pressed,released,pressed,released');
    await finger('touchStart');
    await finger('touchCancel');
    await comes('pressed,released,pressed,released,pressed,released');
    // The page sees that its own host was touched, and nothing of what is inside.
    expect(await inPage('[...new Set(seen.map((one) => one.split(" ")[1]))].join()')).toBe('DIV');
  });

  test('takes a key', async () => {
    show();
    await shown('at first');
    const key = (type: string): Promise<unknown> =>
      call('Input.dispatchKeyEvent', { type, key: 'Tab', code: 'Tab', windowsVirtualKeyCode: 9 });
    await key('keyDown');
    await key('keyUp');
    const space = (type: string): Promise<unknown> =>
      call('Input.dispatchKeyEvent', { type, key: ' ', code: 'Space', text: ' ', windowsVirtualKeyCode: 32 });
    await space('keyDown');
    await space('keyUp');
    await comes('pressed,released');
  });

  test('cannot be pressed, called or reached by the page or a frame in it', async () => {
    show();
    await shown('at first');
    await inPage(`(async () => {
      const host = document.querySelector('html > div:not([id])');
      const forge = (target) => {
        for (const type of ['pointerdown', 'pointerup', 'pointercancel'])
          target.dispatchEvent(new PointerEvent(type, { bubbles: true, composed: true, isPrimary: true, pointerId: 1,
            clientX: innerWidth - 48, clientY: innerHeight - 48 }));
        for (const type of ['keydown', 'keyup'])
          target.dispatchEvent(new KeyboardEvent(type, { bubbles: true, composed: true, key: ' ' }));
        target.click?.();
      };
      for (const target of [host, document.elementFromPoint(innerWidth - 48, innerHeight - 48), document, window]) forge(target);
      const frame = document.body.appendChild(document.createElement('iframe'));
      for (const place of [window, frame.contentWindow]) {
        place.sconceVoicePost?.('down ' + Date.now());
        place.sconceBridge?.('down ' + Date.now());
        place.externalAppV2?.postMessage('down ' + Date.now());
      }
    })()`);
    const names = await inPage(
      `[window, document.querySelector('iframe').contentWindow].map((one) => [typeof one.sconceVoice, typeof one.sconceVoicePost]).join()`,
    );
    expect(names).toBe('undefined,undefined,undefined,undefined');
    expect(await inPage(`document.querySelector('html > div:not([id])').shadowRoot`)).toBe(null);
    // A touch that follows is the only one.
    await finger('touchStart');
    await finger('touchEnd');
    await comes('pressed,released');
  });

  test('is above what the page puts over it, and comes back when that removes or changes it', async () => {
    show();
    await shown('at first');
    const attacks = [
      [
        'under a cover',
        `document.documentElement.append(Object.assign(document.createElement('p'), { style: 'position:fixed;inset:0;background:red;z-index:2147483647' }))`,
      ],
      ['after its removal', `document.querySelector('html > div:not([id])').remove()`],
      ['after it was hidden', `document.querySelector('html > div:not([id])').hidePopover()`],
      [
        'after its style was taken',
        `document.querySelector('html > div:not([id])').style.cssText = 'display:none!important'`,
      ],
      ['after its attribute was taken', `document.querySelector('html > div:not([id])').removeAttribute('popover')`],
      [
        'under a style for all that is like it',
        `document.head.append(Object.assign(document.createElement('style'), { textContent: 'body, div { display: none !important; opacity: 0 !important; pointer-events: none !important }' }))`,
      ],
      ['in another document', `document.open(), document.write('<p>new'), document.close()`],
    ] as const;
    for (const [what, script] of attacks) {
      await inPage(`(() => { ${script}; })()`);
      await shown(what);
    }
    await finger('touchStart');
    await finger('touchEnd');
    await comes('pressed,released');
  });

  test('is there again after a navigation, which releases it, and not over the panel’s own pages', async () => {
    show();
    await shown('at first');
    await finger('touchStart');
    await comes('pressed');
    await rig.settle({ type: 'page.load', path: '/other' });
    await comes('pressed,released');
    await finger('touchEnd');
    await shown('after a load');
    await inPage('location.reload()');
    await shown('after a reload');
    await rig.settle({ type: 'page.own', path: '/own' });
    show({ phase: 'listening' });
    await until('the tint is there', () => isHostAt(2, 300));
    expect(await isHostAt(MIDDLE, MIDDLE)).toBe(false);
  });

  test('is dismissed at any edge while it is tinted, also over a dialog, and lets the page be within', async () => {
    show({ phase: 'processing' });
    await until('the tint is there', () => isHostAt(2, 300));
    for (const [right, bottom] of [
      [3, 300],
      [300, 3],
      [1276, 400],
      [640, 796],
    ] as const) {
      await finger('touchStart', right, bottom);
      await finger('touchEnd');
    }
    await comes('dismissed,dismissed,dismissed,dismissed');
    expect(await inPage('seen.filter((one) => !one.endsWith("DIV")).length')).toBe(0);
    await finger('touchStart', 400, 400);
    await finger('touchEnd');
    await until('the page is touched', () => inPage('seen.some((one) => !one.endsWith("DIV"))'));
    await inPage('dialog.showModal()');
    await finger('touchStart', 3, 300);
    await finger('touchEnd');
    await comes('dismissed,dismissed,dismissed,dismissed,dismissed');
    show();
    await until('no tint', async () => !(await isHostAt(2, 300)));
    await inPage('dialog.close()');
    await finger('touchStart', 3, 300);
    await finger('touchEnd');
    expect(types()).toBe('dismissed,dismissed,dismissed,dismissed,dismissed');
  });

  test('takes no touch that lights the screen, nor its end', async () => {
    show({ phase: 'listening' });
    await shown('at first');
    light(false);
    await finger('touchStart');
    await finger('touchEnd');
    await finger('touchStart', 3, 300);
    await finger('touchEnd');
    await finger('touchStart');
    await clockMoves();
    light(true);
    await clockMoves();
    await finger('touchEnd');
    await finger('touchStart');
    await finger('touchEnd');
    await comes('pressed,released');
  });

  test('shows words only where they are wanted, and the page does not see them', async () => {
    const reads = `document.documentElement.textContent + document.documentElement.outerHTML + document.body.innerText`;
    show({ phase: 'listening' });
    await shown('at first');
    say({ turn: 1, heard: 'OPEN SESAME', answer: null });
    show({ phase: 'responding' });
    await until('the tint is there', () => isHostAt(2, 300));
    expect(JSON.stringify(calls)).not.toContain('SESAME');
    show({ phase: 'responding', words: true });
    await until('they are listened to', () => {
      say({ turn: 1, heard: 'OPEN SESAME', answer: 'DONE' });
      return JSON.stringify(calls).includes('SESAME');
    });
    expect(await inPage(reads)).not.toMatch(/SESAME|DONE/);
    expect(JSON.stringify([overlay.facts, rig.facts])).not.toMatch(/SESAME|DONE/);
  });

  test('says why a press began nothing, also without its button, and then goes', async () => {
    const isThere = (): Promise<unknown> => inPage(`document.querySelector('html > div:not([id])') !== null`);
    show();
    await shown('at first');
    show({ button: false, phase: 'error' });
    await until('it is gone', async () => !(await isThere()));
    show({ button: false, phase: 'error', notice: 'The microphone is muted.' });
    await until('it is said', isThere);
    show({ button: false, phase: 'error' });
    await until('it is gone again', async () => !(await isThere()));
  });

  test('waits for a page that hangs, which holds nothing up', async () => {
    show();
    await shown('at first');
    void inPage(hangsFor(2500));
    for (const phase of ['listening', 'processing', 'responding'] as const) show({ phase });
    const answer = await tools.call('Target.getTargets', {}, { withinMs: 500 });
    expect(answer.ok).toBe(true);
    await until('the tint is there', () => isHostAt(2, 300));
  });

  test('leaves no binding behind', async () => {
    show();
    await shown('at first');
    show({ button: false });
    await until('it is unbound', () => calls.at(-1)?.method === 'Runtime.removeBinding');
    const before = calls.length;
    await rig.settle({ type: 'page.load', path: '/other' });
    expect(calls).toHaveLength(before);
  });

  const folder = process.env['SCONCE_OVERLAY_PICTURES'];
  test.skipIf(folder === undefined)('looks well', async () => {
    for (const [width, height] of [
      [480, 480],
      [1280, 800],
    ] as const)
      for (const scheme of ['light', 'dark']) {
        await call('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 1, mobile: false });
        await call('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value: scheme }] });
        for (const phase of ['idle', 'listening', 'processing', 'responding', 'error'] as const) {
          show({ phase, words: true, hue: 32 });
          say(
            phase === 'idle'
              ? null
              : {
                  turn: 1,
                  heard: 'turn off the light in the kitchen',
                  answer:
                    phase === 'responding' ? 'Turned off the light in the kitchen. It is 21 degrees there.' : null,
                },
          );
          await until(phase, () => isHostAt(MIDDLE, MIDDLE));
          await inPage('new Promise((done) => setTimeout(done, 400))');
          const png = textAt(1e9, await call('Page.captureScreenshot', { format: 'png' }), 'data') ?? '';
          await writeFile(`${folder}/${width}-${scheme}-${phase}.png`, Buffer.from(png, 'base64'));
        }
      }
  });
});
