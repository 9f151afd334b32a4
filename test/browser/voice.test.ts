import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { unused } from '#machines/in-use/facts.ts';
import type { MicrophoneContext } from '#machines/microphone/events.ts';
import type { VoicePhase } from '#machines/kit/voice-phase.ts';
import type { VoiceContext } from '#machines/voice/events.ts';
import { closedVoice } from '#machines/voice/off.ts';
import { amount } from '#test/fakes/amount.ts';
import { settledFacts } from '#test/fakes/route-deps.ts';
import { allowedMicrophone, doneTurn, readyVoice, stateIn } from '#test/fakes/voice.ts';
import { fixturePanel } from '#test/ui/fixture.ts';
import { until } from '#test/scenarios/live-agent.ts';
import { axe, closePages, noBrowser, openPage, startBrowser } from './browser.ts';
import { type StandIn, startStandIn } from './stand-in.ts';

const sizes = [
  { width: 390, height: 844 },
  { width: 480, height: 480 },
  { width: 1280, height: 800 },
];

/** Bytes of all scripts, all styles and the HTML (look: "Weight"). */
const budgets: Readonly<Record<string, number>> = { script: 40_000, stylesheet: 20_000, document: 40_000 };

/** What is to be tapped and is lower than 48 px, as its markup begins. */
const lowTargets = (page: Page): Promise<readonly string[]> =>
  page.evaluate<string[]>(
    "Array.from(document.querySelectorAll('main a,main button,main .range,main .input,main .voice-choice')).filter((e) => e.getClientRects().length > 0 && e.getBoundingClientRect().height < 48).map((e) => e.outerHTML.slice(0, 120))",
  );

const checked = (phase: 'recording' | 'playing' | 'passed' | 'failed', code: string | null = null) =>
  ({ check: 1, phase, code, health: 'ok', level: phase === 'recording' ? -1 : 72 }) as const;

describe.skipIf(noBrowser)('the page for voice', () => {
  let browser: Browser;
  let panel: StandIn;
  let origin: string;
  let sent: { readonly path: string; readonly body: unknown }[];

  const put = (
    voice: Partial<VoiceContext> = {},
    phase: VoicePhase = 'idle',
    microphone: Partial<MicrophoneContext> = {},
  ): void => {
    panel.registry.put('microphone', { ...allowedMicrophone, ...microphone });
    panel.registry.put('voice', { ...readyVoice, ...voice }, stateIn(phase));
  };

  beforeAll(async () => {
    const facts = settledFacts();
    [browser, panel] = await Promise.all([
      startBrowser(),
      startStandIn((registry) => {
        for (const [name, context] of Object.entries(facts)) registry.put(name, context);
        registry.put('simulator', { panel: fixturePanel });
      }),
    ]);
    origin = `http://panel.local:${panel.port}`;
  });
  afterAll(async () => {
    await closePages(browser);
    await panel.stop();
  });
  beforeEach(() => {
    sent = [];
    panel.registry.told.splice(0);
    panel.registry.answer = () => ({ ok: true, value: { status: 'accepted', turn: 1, check: 1 } });
    put();
  });

  const open = async (path = '/voice', options = {}) => {
    const watched = await openPage(browser, origin, { reducedMotion: 'reduce', ...options });
    await watched.page.route('**/api/v1/config', (route) => {
      if (route.request().method() !== 'POST')
        return route.fulfill({ json: { settings: { voice_pipelines: '{"hey":"p-cloud","press":"p-home"}' } } });
      sent.push({ path: 'config', body: route.request().postDataJSON() });
      return route.fulfill({ json: { ok: true, status: 'saved', message: 'Saved.', revision: 2 } });
    });
    // Of the screen, which comes by itself.
    await watched.page.route('**/api/v1/screenshot.png*', (route) => route.fulfill({ body: '' }));
    await watched.page.goto(origin + path);
    return watched;
  };
  /** Lets the page read the panel at once, as it does when it is looked at again. */
  const readAgain = (page: Page): Promise<unknown> =>
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
  const told = (type: string): number => panel.registry.told.filter(({ event }) => event.type === type).length;

  test.each(['light', 'dark'] as const)('fits every screen in %s, and axe finds nothing', async (colorScheme) => {
    put({ last: doneTurn, check: checked('passed'), level: 42 });
    const { page, context, faults } = await open('/voice', { colorScheme, hasTouch: true });
    await page.getByRole('button', { name: 'Listen at the panel' }).waitFor();
    for (const [index, size] of sizes.entries()) {
      await page.setViewportSize(size);
      expect(await page.evaluate('document.documentElement.scrollWidth'), `${size.width}`).toBeLessThanOrEqual(
        size.width,
      );
      expect(await lowTargets(page)).toEqual([]);
      // A plain run audits one size in each scheme, the first and the second.
      if (amount(index === ['light', 'dark'].indexOf(colorScheme), true)) expect(await axe(page)).toEqual([]);
    }
    expect(faults).toEqual([]);
    await context.close();
  });

  test('weighs no more than a page may', async () => {
    put({ last: doneTurn, check: checked('passed') });
    const { page, context } = await openPage(browser, origin);
    const weights: Record<string, number> = {};
    const bodies: Promise<void>[] = [];
    page.on('response', (response) => {
      const type = response.request().resourceType();
      if (!(type in budgets)) return;
      bodies.push(
        response.body().then((body) => {
          weights[type] = (weights[type] ?? 0) + body.byteLength;
        }),
      );
    });
    await page.goto(`${origin}/voice`);
    await page.getByRole('button', { name: 'Listen at the panel' }).waitFor();
    await Promise.all(bodies);
    for (const [type, most] of Object.entries(budgets)) expect(weights[type], type).toBeLessThan(most);
    await context.close();
  });

  test('is turned on, and asked for at the panel', async () => {
    panel.registry.put('voice', closedVoice, 'off');
    panel.registry.put('microphone', { ...allowedMicrophone, isVoiceOn: false, permission: 'needed' });
    const { page, context, faults } = await open();
    await page.getByText('Voice is off.').waitFor();
    await page.getByRole('button', { name: 'Turn on voice' }).click();
    await until('the setting', () => sent.length === 1);
    panel.registry.put('microphone', { ...allowedMicrophone, permission: 'denied' });
    await readAgain(page);
    await page.getByRole('button', { name: 'Ask at the panel' }).click();
    await until('the question', () => told('microphone.ask') === 1);
    panel.registry.put('microphone', { ...allowedMicrophone, permission: 'asking' });
    await readAgain(page);
    await page.getByText('The question is on the screen of the panel.').waitFor();
    panel.registry.put('microphone', { ...allowedMicrophone, permission: 'no-place' });
    await readAgain(page);
    await page.getByText('sconce microphone allow', { exact: true }).waitFor();
    await page.getByRole('switch', { name: 'Voice assistant' }).click();
    await until('the setting', () => sent.length === 2);
    expect(sent.map(({ body }) => body)).toEqual([{ voice_enabled: true }, { voice_enabled: false }]);
    expect(await axe(page)).toEqual([]);
    expect(faults).toEqual([]);
    await context.close();
  });

  test('a turn is begun, followed and cancelled, and its times are shown', async () => {
    const { page, context, faults } = await open();
    await page.getByRole('button', { name: 'Listen at the panel' }).click();
    await until('the trigger', () => told('voice.trigger') === 1);
    put({ level: 57 }, 'listening');
    await readAgain(page);
    await page.getByText('Listening.').waitFor();
    await page.getByText('57 %').waitFor();
    expect(await axe(page)).toEqual([]);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await until('the end', () => told('voice.cancel') === 1);
    put({ last: { ...doneTurn, outcome: 'failed', code: 'stt-stream-failed' }, error: 'stt-stream-failed' }, 'error');
    await readAgain(page);
    await page.getByText('The last turn failed: the speech-to-text').waitFor();
    await page.getByText('First sound').waitFor();
    await page.getByText('3.05 s').waitFor();
    panel.registry.answer = () => ({ ok: true, value: { status: 'refused', reason: 'signed-out' } });
    await page.getByRole('button', { name: 'Listen at the panel' }).click();
    await page.locator('.refused').getByText('not signed in to Home Assistant').waitFor();
    expect(faults.filter((fault) => !fault.includes('503'))).toEqual([]);
    await context.close();
  });

  test('the microphone is chosen, made louder and checked', async () => {
    const { page, context, faults } = await open();
    await page.getByRole('combobox', { name: 'Use' }).selectOption('USB microphone');
    await until('the choice', () => sent.length === 1);
    await page.getByLabel('Gain').fill('6');
    await page.getByText('+6 dB').waitFor();
    await until('the gain', () => sent.length === 2);
    expect(sent.map(({ body }) => body)).toEqual([{ voice_source: 'alsa_input.usb' }, { voice_mic_gain_db: 6 }]);
    await page.getByRole('button', { name: 'Check the microphone' }).click();
    await until('the check', () => told('voice.check') === 1);
    put({ check: checked('recording'), refusal: 'checking' });
    await readAgain(page);
    await page.getByText('Say something at the panel.').waitFor();
    put({ check: checked('playing'), refusal: 'checking' });
    await readAgain(page);
    await page.getByText('Playing what it heard').waitFor();
    put({ check: checked('passed') });
    await readAgain(page);
    await page.getByText('loudest at 72 %').waitFor();
    put({ check: checked('failed', 'no-player') });
    await readAgain(page);
    await page.getByText('no program to play sounds with').waitFor();
    expect(faults).toEqual([]);
    await context.close();
  });

  test('a pipeline is chosen for a press, and one without speech-to-text says what is missing', async () => {
    const { page, context, faults } = await open();
    await page.getByRole('radio', { name: /Cloud/ }).check();
    await until('the choice', () => sent.length === 1);
    expect(sent[0]?.body).toEqual({ voice_pipelines: '{"hey":"p-cloud","press":"p-cloud"}' });
    await page.getByRole('radio', { name: /The preferred one of Home Assistant \(Home\)/ }).waitFor();
    expect(await page.getByRole('radio', { name: /Typed only/ }).isDisabled()).toBe(true);
    await page.getByText('Settings > Voice assistants > Typed only > Speech-to-text').waitFor();
    expect(faults).toEqual([]);
    await context.close();
  });

  test('the card for a dashboard is copied', async () => {
    const { page, context } = await open();
    await page.getByRole('button', { name: 'Copy the card' }).click();
    await page.getByText('Copied').first().waitFor();
    await page.evaluate(
      "document.body.appendChild(Object.assign(document.createElement('textarea'), {id: 'paste'})).focus()",
    );
    await page.keyboard.press('Control+V');
    expect(await page.locator('#paste').inputValue()).toContain('action: assist\n  pipeline_id: preferred');
    await context.close();
  });

  test('the card of the first page turns it off and cancels', async () => {
    put({}, 'responding');
    const { page, context, faults } = await open('/');
    const card = page.locator('.card-voice');
    await card.getByText('The panel answers.').waitFor();
    await card.getByRole('button', { name: 'Cancel' }).click();
    await until('the end', () => told('voice.cancel') === 1);
    await card.getByRole('switch', { name: 'Voice assistant' }).click();
    await until('the setting', () => sent.length === 1);
    expect(sent[0]?.body).toEqual({ voice_enabled: false });
    expect(faults).toEqual([]);
    await context.close();
  });

  test('the simulated panel shows mark and tint, and is spoken to', async () => {
    put({}, 'listening');
    const each = { ...unused.each, microphone: { shown: 'overlay', refusal: null } };
    panel.registry.put('in-use', { ...unused, holders: ['microphone'], each }, 'shown');
    const { page, context, faults } = await open('/simulator');
    const said: { readonly type: string | undefined; readonly body: string | null }[] = [];
    await page.route('**/api/v1/simulator/say', (route) => {
      const request = route.request();
      said.push({ type: request.headers()['content-type'], body: request.postData() });
      return route.fulfill({ status: 202, json: { ok: true } });
    });
    await page.locator('svg.panel .glass-mark.is-microphone').waitFor();
    await page.locator('svg.panel .glass-tint.is-listening').waitFor();
    const card = page.getByRole('region', { name: 'Microphone' });
    await card.getByRole('button', { name: 'Say it' }).click();
    await card.locator('.refused').getByText('Type a sentence').waitFor();
    await card.getByRole('textbox', { name: 'Say to the panel' }).fill('turn off the light');
    await card.getByRole('button', { name: 'Say it' }).click();
    await card.getByText('Said.').waitFor();
    const wav = { name: 'a.wav', mimeType: 'audio/wav', buffer: Buffer.from('RIFF') };
    await card.locator('input[type="file"]').setInputFiles(wav);
    await card.getByRole('button', { name: 'Say it' }).click();
    await until('the recording', () => said.length === 2);
    await card.locator('input[type="file"]').setInputFiles({ ...wav, buffer: Buffer.alloc(1_048_577) });
    await card.getByRole('button', { name: 'Say it' }).click();
    await card.locator('.refused').getByText('larger than 1 MB').waitFor();
    expect(said).toEqual([
      { type: 'application/json', body: '{"text":"turn off the light"}' },
      { type: 'audio/wav', body: 'RIFF' },
    ]);
    const touched = page.waitForRequest(
      (request) => request.method() === 'POST' && request.url().endsWith('/simulator'),
    );
    await card.getByRole('switch', { name: 'Muted' }).click();
    expect((await touched).postDataJSON()).toEqual({ microphone: 'muted', set: true });
    expect(await axe(page)).toEqual([]);
    expect(faults.filter((fault) => !fault.includes('400'))).toEqual([]);
    await context.close();
  });
});
