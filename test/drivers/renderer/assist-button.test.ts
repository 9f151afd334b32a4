import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { createUseOverlay } from '#drivers/renderer/use-overlay.ts';
import type { PageSession } from '#drivers/renderer/session.ts';
import type { OverlayCommand, OverlayFact } from '#machines/voice/events.ts';
import { chromiumForPages } from '../../browser/program.ts';
import { amount } from '../../fakes/amount.ts';
import { until } from '../../scenarios/live-agent.ts';
import { runDriver, type RunningDriver } from '../run-driver.ts';
import { type HomeAssistantPage, serveHomeAssistant } from './home-assistant-page.ts';
import { noBrowser, program, type Rig, START_MS, startRig } from './rig.ts';

/** Keeps the configuration as Home Assistant's page does, and says how it would act on a touch of its Assist button. */
const FRONTEND = `
  const external = { config: { hasAssist: null } };
  document.querySelector('home-assistant').hass.auth = { external };
  const answered = window.externalBus;
  window.externalBus = (message) => {
    if (message.type === 'result' && 'hasAssist' in (message.result ?? {})) external.config = message.result;
    answered(message);
  };
  setInterval(() => fetch('/received?assist=' + external.config.hasAssist), 50);
  window.touchAssist = (pipeline) => bus('assist/show', { pipeline_id: pipeline, start_listening: true });
`;

describe.skipIf(noBrowser)('the Assist button of an open dashboard', () => {
  let home: HomeAssistantPage;
  let rig: Rig;
  let overlay: RunningDriver<OverlayCommand, OverlayFact>;
  let page: PageSession;
  const evaluate = (expression: string): Promise<unknown> => page.evaluate(expression);
  /** A finger on the page, as the browser itself reports one. */
  const touch = async (): Promise<void> => {
    for (const type of ['mousePressed', 'mouseReleased'])
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      await page.call('Input.dispatchMouseEvent', { type, x: 20, y: 20, button: 'left', clickCount: 1 });
  };
  const show = (assist: boolean): void =>
    overlay.tell({
      type: 'overlay.show',
      view: { button: false, phase: 'idle', hue: 0, words: false, notice: null, assist },
    });
  const knows = (value: string): Promise<unknown> =>
    until(
      `it knows ${value}`,
      () => home.received.findLast((said) => said.has('assist'))?.get('assist') === value,
      8000,
    );
  const loads = (): number => home.asked.filter((path) => path.startsWith('/lovelace')).length;

  beforeAll(async () => {
    home = await serveHomeAssistant({ connects: true });
    const use = createUseOverlay({
      elapsed: () => performance.now(),
      now: Date.now,
      followLight: (onLight) => {
        onLight(true);
        return () => {};
      },
      channel: { onWords: () => () => {} },
    });
    rig = await startRig({
      input: { origin: home.origin },
      token: async () => ({ ok: true, token: 'access-1', expiresInSeconds: 1800, origin: home.origin }),
      deps: {
        names: [amount(chromiumForPages, program)],
        overlay: {
          attach: (browser, load) => {
            ({ page } = browser);
            return use.attach(browser, load);
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
    await home?.close();
  });

  test('is told without a load, and leads to the panel only while that is on', async () => {
    home.spoil(() => FRONTEND);
    await rig.settle({ type: 'page.load', path: '/lovelace/hall' });
    await rig.fact('page.loaded');
    await knows('false');
    await evaluate('touchAssist("preferred")');
    show(true);
    await knows('true');
    expect(loads()).toBe(1);
    await touch();
    await evaluate('touchAssist("01jq8xq2")');
    await overlay.until((fact): fact is OverlayFact => fact.type === 'overlay.asked');
    const asked = { type: 'overlay.asked', pipelineId: '01jq8xq2', at: expect.any(Number) };
    expect(overlay.facts).toEqual([{ ...asked, isTouched: true }]);
    // Nothing that a script makes is a touch, and one touch asks for one turn.
    const pretend = 'dispatchEvent(new PointerEvent("pointerdown", { bubbles: true })), document.body.click()';
    await until('it may ask again', async () => {
      await evaluate(`${pretend}, touchAssist("01jq8xq2")`);
      return overlay.facts.length > 1;
    });
    expect(overlay.facts.slice(1)).toEqual([{ ...asked, isTouched: false }]);
    show(false);
    await knows('false');
    await evaluate('touchAssist("preferred")');
    expect([overlay.facts.length, loads()]).toEqual([2, 1]);
  });

  test('of a frontend that is built in another way is told by one load', async () => {
    home.spoil(() => '');
    const from = rig.facts.length;
    await rig.settle({ type: 'page.load', path: '/lovelace/other' });
    await rig.fact('page.loaded', undefined, { from });
    const before = loads();
    show(true);
    await until('it is loaded again', () => loads() === before + 1, 8000);
    const told = (): string | null | undefined =>
      home.received.findLast((said) => said.get('bus') === 'result')?.get('payload');
    await until('it is told', () => told()?.includes('"hasAssist":true'), 8000);
    show(true);
    expect(loads()).toBe(before + 1);
  });
});
