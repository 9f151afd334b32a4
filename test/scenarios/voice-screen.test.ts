import { type ChildProcess, spawn } from 'node:child_process';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { Corner } from '#drivers/renderer/png-corner.ts';
import { pipelineHue } from '#machines/voice/pipeline-hue.ts';
import { noBrowser } from '#test/drivers/renderer/rig.ts';
import type { AssistRun } from '#test/fakes/assist-server.ts';
import { toolsMissing } from '#test/network/tools-missing.ts';

import { clearAway } from './agent-process.ts';
import { post, until } from './live-agent.ts';
import { type KioskHome, pipelines, startKioskHome, startVoiceKiosk, type VoiceKiosk } from './voice-kiosk.ts';

const missing = (noBrowser ? 'Chromium is not installed' : null) ?? (await toolsMissing('Xvfb', 'xdotool', 'ffmpeg'));
if (missing !== null) console.warn(`SKIPPED voice on a display: ${missing}`);

/** What is held longer than 400 ms is no tap (machines/voice/README.md). */
const HELD_MS = 450;
/** A touch older than 5 s has caused nothing that the dashboard asks for. */
const TOUCH_MS = 5100;
/** Shortest time without a touch after which a screen can be off, in seconds. */
const SLEEP_S = 5;
/** Some of it takes many seconds, since it is about time, or asks for more at the panel. */
const isAll = process.env['SCONCE_TEST_ALL'] === '1';
/** How soon the mark is gone once no sound leaves the panel, in milliseconds. */
const GONE_MS = 1000;
/** The smallest panels: Chromium makes no window of its own as narrow. */
const [WIDTH, HEIGHT] = [480, 480];
/** A dashboard's path, and what its page reads of itself. */
const PATH = '/';
const everything = `(() => {
  const deep = (root) => [...root.querySelectorAll('*')].map((one) => one.outerHTML + (one.shadowRoot ? deep(one.shadowRoot) : '')).join('');
  return document.documentElement.textContent + document.body.innerText + deep(document) + JSON.stringify(Object.keys(window));
})()`;
const [heard, answered] = ['open sesame', 'the walrus is awake'];

type Colour = readonly [red: number, green: number, blue: number];
const colourOf = ({ rgb }: Corner): Colour => [rgb[0] ?? 0, rgb[1] ?? 0, rgb[2] ?? 0];
/** Hue of a colour, 0 to 359. */
function hueOf([red, green, blue]: Colour): number {
  const [high, low] = [Math.max(red, green, blue), Math.min(red, green, blue)];
  const span = Math.max(1, high - low);
  const sixths =
    high === red ? (green - blue) / span : high === green ? 2 + (blue - red) / span : 4 + (red - green) / span;
  return (Math.round(sixths * 60) + 360) % 360;
}

afterAll(clearAway);

const onlyInAll = isAll ? '' : ' (skipped: SCONCE_TEST_ALL)';

// One day of one panel: each step begins where the one before it ended.
describe.skipIf(missing !== null)('voice at a panel on a display', () => {
  let home: KioskHome;
  let kiosk: VoiceKiosk;
  /** Runs of Assist that this file has seen. */
  let seen = 0;
  let viewer: ChildProcess | undefined;

  const isLit = async (): Promise<boolean> => {
    const panel = await (await fetch(`${kiosk.agent.url}/api/v1/simulator`)).text();
    return panel.includes('"powered":true');
  };
  const press = (): Promise<void> => kiosk.tapAt(...kiosk.button);
  /** The next turn, which listens. */
  const listening = async (): Promise<AssistRun> => {
    const run = await kiosk.runAfter(seen);
    seen += 1;
    await kiosk.phaseIs('listening');
    return run;
  };
  const last = async (): Promise<unknown> => (await kiosk.microphone())['last'];
  const ended = async (outcome: string, code: string | null = null): Promise<void> => {
    await until(`the end of turn ${seen}`, async () => ((await last()) as { turn: number } | null)?.turn === seen);
    await kiosk.phaseIs(outcome === 'failed' ? 'error' : 'idle');
    expect(await last()).toMatchObject({ turn: seen, outcome, code });
  };
  /** Colour of the dashboard, where nothing is over it. */
  const under = async (x: number, y: number): Promise<boolean> =>
    colourOf(await kiosk.screen.square(x, y, 1)).join() === '0,68,170';
  const tinted = (hue: number): Promise<unknown> => {
    let found = -1;
    return until(
      () => `a tint of hue ${hue}, last ${found}`,
      async () => {
        found = hueOf(colourOf(await kiosk.screen.square(2, HEIGHT / 2, 1)));
        return Math.min(Math.abs(found - hue), 360 - Math.abs(found - hue)) <= 4;
      },
      8000,
    );
  };
  const noTint = (): Promise<unknown> => until('no tint', () => under(2, HEIGHT / 2), 8000);

  /** A turn that something of the dashboard begins. */
  const askBy = async (id: string, at: 0 | 1): Promise<void> => {
    await kiosk.person.click(PATH, `#${id}`);
    const run = await listening();
    expect(run.command['pipeline']).toBe(pipelines[at].id);
    await tinted(pipelineHue(pipelines[at].id));
    await press();
    await ended('cancelled');
  };

  beforeAll(async () => {
    home = await startKioskHome();
    kiosk = await startVoiceKiosk(WIDTH, HEIGHT, home);
  });
  afterAll(async () => {
    viewer?.kill('SIGKILL');
    await kiosk?.stop();
    await home?.stop();
  });

  it('is off until a person holds a press at the panel, and then has a button', async () => {
    expect(await under(-48, -48)).toBe(true);
    await kiosk.save({ voice_enabled: true });
    await kiosk.person.shows('body', 'Allow the microphone');
    // Chromium opens no window that is as narrow: the page is fitted once it is there.
    await until('its width', async () => (await kiosk.person.look('/ask', 'innerWidth')).value === String(WIDTH));
    await kiosk.person.click('/ask', '[data-hold]');
    expect(await kiosk.microphone()).toMatchObject({ state: 'off', refusal: 'not-allowed' });
    await kiosk.person.hold();
    await until('a turn can begin', async () => (await kiosk.microphone())['refusal'] === null);
    await kiosk.person.pages(1);
    await until('the button', async () => !(await under(-48, -48)));
    expect([await kiosk.mark(), await under(-100, -48), await under(2, HEIGHT / 2)]).toEqual([[], true, true]);
    expect((await kiosk.person.look(PATH, 'innerWidth')).value).toBe(String(WIDTH));
  });

  it('listens after a tap under an amber mark, and is cancelled by another', async () => {
    await press();
    const run = await listening();
    await kiosk.marked('microphone');
    await tinted(pipelineHue(pipelines[0].id));
    expect(await kiosk.status()).toMatchObject({ in_use: { shown: 'overlay', holders: ['microphone'] } });
    expect(run.isOver()).toBe(false);
    await press();
    await until('the mark is gone', async () => (await kiosk.mark()).length === 0, GONE_MS);
    await ended('cancelled');
    await until('Home Assistant knows', () => run.isOver());
    await noTint();
  });

  it('is begun by the Assist button of the dashboard', () => askBy('header', 0));

  it('ends the speech when a held press is released, and is cancelled by a touch of the edge', async () => {
    await kiosk.mouse('mousemove', ...kiosk.button.map(String), 'mousedown', '1');
    const since = performance.now();
    const run = await listening();
    await kiosk.marked('microphone');
    expect(run.frames.at(-1)).not.toHaveLength(0);
    await until('it is held', () => performance.now() - since > HELD_MS);
    await kiosk.mouse('mouseup', '1');
    await until('the empty frame', () => run.frames.at(-1)?.length === 0, 2000);
    await until('the mark is gone', async () => (await kiosk.mark()).length === 0, GONE_MS);
    await kiosk.phaseIs('processing');
    await kiosk.tapAt(6, HEIGHT / 2);
    await ended('cancelled');
    await until('Home Assistant knows', () => run.isOver());
    await noTint();
  });

  it.each([false, true])('shows the words only where that is on (%s), and never to the page', async (on) => {
    await kiosk.save({ voice_show_text: on });
    await press();
    const run = await listening();
    run.emit('stt-vad-end', { timestamp: 1 });
    run.emit('stt-end', { stt_output: { text: heard } });
    const intent = { response: { speech: { plain: { speech: answered } } }, conversation_id: 'c' };
    run.emit('intent-end', { intent_output: { ...intent, continue_conversation: false } });
    run.emit('tts-end', { tts_output: { url: '/api/tts_proxy/t.wav' } });
    run.end();
    await kiosk.phaseIs('responding');
    await kiosk.marked();
    const isBare = (): Promise<boolean> => under(WIDTH / 2, HEIGHT - 120);
    if (on) await until('the words', async () => !(await isBare()), 4000);
    else expect(await isBare()).toBe(true);
    const { value } = await kiosk.person.look(PATH, everything);
    expect(value).toContain('dashboard');
    expect(value).not.toMatch(/sesame|walrus/);
    await ended('done');
    await noTint();
    expect(await isBare()).toBe(true);
  });

  it('is cancelled by an announcement, and another turn begins after it', async () => {
    await press();
    await listening();
    await kiosk.marked('microphone');
    await fetch(`${kiosk.agent.url}/api/v1/play`, { method: 'POST', body: `${home.origin}/api/tts_proxy/short.wav` });
    await until('the mark is gone', async () => (await kiosk.mark()).length === 0, GONE_MS);
    await ended('cancelled', 'replaced');
    await until('the end of the announcement', async () => (await kiosk.status()).announcement?.phase === 'idle');
  });

  it('is begun by no script of the dashboard, which is said instead', async () => {
    const since = performance.now();
    await until('the last touch to be long ago', () => performance.now() - since > TOUCH_MS, TOUCH_MS + 2000);
    await kiosk.person.look(PATH, "document.querySelector('#card').click()");
    await kiosk.phaseIs('error');
    expect(await kiosk.microphone()).toMatchObject({ fault: 'untouched', refusal: null });
    expect(home.assist.runs).toHaveLength(seen);
    await until('the words', async () => !(await under(WIDTH / 2, HEIGHT - 120)), 4000);
    expect(await kiosk.mark()).toEqual([]);
  });

  it('is begun by a card, whose pipeline has its own colour', () => askBy('card', 1));

  it('is not begun by the touch of a dark screen, and lights it when it is asked for elsewhere', async () => {
    await kiosk.act({ a: 'screen_off' });
    await until('darkness', async () => !(await isLit()));
    await press();
    const answer = await post(`${kiosk.agent.url}/api/v1/voice/test`, {});
    expect([answer.status, await answer.json()]).toEqual([202, { accepted: true }]);
    await until('light', isLit);
    const run = await listening();
    await kiosk.marked('microphone');
    // The touch has begun none.
    expect(home.assist.runs).toHaveLength(seen);
    run.emit('error', { code: 'stt-no-text-recognized' });
    run.end();
    await ended('done', 'stt-no-text-recognized');
  });

  it('checks the microphone on a dark screen under the mark, which it lights', async () => {
    await kiosk.act({ a: 'screen_off' });
    await until('darkness', async () => !(await isLit()));
    const answer = await post(`${kiosk.agent.url}/api/v1/voice/microphone`, {});
    expect([answer.status, await isLit()]).toEqual([202, true]);
    expect(await kiosk.mark()).toEqual(['microphone']);
    await post(`${kiosk.agent.url}/api/v1/voice/cancel`, {});
    await until('the mark is gone', async () => (await kiosk.mark()).length === 0, GONE_MS);
    expect(await kiosk.microphone()).toMatchObject({ state: 'idle', check: { phase: 'failed', code: 'cut' } });
  });

  it.skipIf(!isAll)(`leaves the screen that it has lit dark again after 15 s${onlyInAll}`, async () => {
    const since = performance.now();
    await until('darkness', async () => !(await isLit()));
    expect(performance.now() - since).toBeGreaterThan(14_000);
    await kiosk.act({ a: 'screen_on' });
    await until('light', isLit);
  });

  it.skipIf(!isAll)(`keeps the screen lit while a turn runs, also where nobody touches it${onlyInAll}`, async () => {
    await kiosk.save({ auto_sleep: true, auto_sleep_source: 'touch', auto_sleep_touch_delay_seconds: SLEEP_S });
    await post(`${kiosk.agent.url}/api/v1/voice/test`, {});
    const run = await listening();
    const since = performance.now();
    const delayMs = SLEEP_S * 1000;
    await until('the time without a touch', () => performance.now() - since > delayMs + 2000, delayMs + 5000);
    expect(await isLit()).toBe(true);
    run.emit('error', { code: 'stt-no-text-recognized' });
    run.end();
    await until('darkness', async () => !(await isLit()), 30_000);
    await kiosk.save({ auto_sleep: false });
    await kiosk.act({ a: 'screen_on' });
    await until('light', isLit);
  });

  it.skipIf(!isAll)(`is red and twice as wide beside the camera${onlyInAll}`, async () => {
    expect((await post(`${kiosk.agent.url}/api/v1/config`, { camera_enabled: true })).status).toBe(202);
    await kiosk.person.shows('body', 'Turn on the camera');
    await kiosk.person.hold();
    await kiosk.person.pages(1);
    const address = await until('the camera', async () => (await kiosk.status()).camera.stream_port);
    viewer = spawn(
      'ffmpeg',
      ['-v', 'error', '-rtsp_transport', 'tcp', '-i', `rtsp://127.0.0.1:${address}/live`].concat(
        '-c copy -f null -'.split(' '),
      ),
      { stdio: 'ignore' },
    );
    await kiosk.marked('camera');
    await press();
    await listening();
    await kiosk.marked('camera', 'microphone');
    await press();
    await ended('cancelled');
    await kiosk.marked('camera');
    await kiosk.save({ camera_enabled: false });
    await kiosk.marked();
  });
});
