import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inflateSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';

import { at, listAt, textAt } from '#drivers/renderer/json-fields.ts';
import { inAll } from '#test/fakes/in-all.ts';
import { until } from '../../scenarios/live-agent.ts';
import { hangsFor, type HomeAssistantPage, serveHomeAssistant } from './home-assistant-page.ts';
import { question, type QuestionRig, serveOwnPages, startQuestions } from './question-rig.ts';
import { noBrowser, START_MS } from './rig.ts';

const HOLD = '[data-hold]';

/** Red, green and blue at the upper left; whatever its filter, nothing precedes this pixel. */
function firstPixel(png: Uint8Array | null): readonly number[] {
  const bytes = Buffer.from(png ?? []);
  const data: Buffer[] = [];
  for (let start = 8; start + 12 <= bytes.length; start += 12 + bytes.readUInt32BE(start))
    if (bytes.toString('latin1', start + 4, start + 8) === 'IDAT')
      data.push(bytes.subarray(start + 8, start + 8 + bytes.readUInt32BE(start)));
  return [...inflateSync(Buffer.concat(data)).subarray(1, 4)];
}

describe.skipIf(noBrowser)('the tab for questions, with a dashboard that is in the way', () => {
  let homeAssistant: HomeAssistantPage;
  let own: { readonly origin: string; readonly server: Server };
  let rig: QuestionRig;
  let from = 0;
  const types = (): readonly string[] => rig.questions.facts.slice(from).map(({ type }) => type);
  const isInSight = () => rig.inTab('document.visibilityState === "visible"');
  const nuisance = (kind: 'dialog' | 'window', since: number) =>
    rig.browser.fact('page.nuisance', (fact) => fact.kind === kind, { from: since });

  beforeAll(async () => {
    homeAssistant = await serveHomeAssistant();
    own = await serveOwnPages();
    rig = await startQuestions({ origin: homeAssistant.origin, ownOrigin: own.origin });
  }, START_MS);
  afterAll(async () => {
    await rig?.end();
    await homeAssistant?.close();
    own?.server.close();
  });
  beforeEach(async () => {
    await rig.browser.settle({ type: 'page.load', path: '/lovelace/hall' });
    from = rig.questions.facts.length;
  });
  afterEach(() => rig.hide());

  test('stays in front of an alert, which is dismissed', async () => {
    await rig.show(question(1));
    const since = rig.browser.facts.length;
    expect(await rig.inDashboard('alert("look here"); 7')).toBe(7);
    await nuisance('dialog', since);
    expect(await isInSight()).toBe(true);
  });

  test('is in front again after a window that the dashboard opens, which is closed', async () => {
    await rig.show(question(1));
    const since = rig.browser.facts.length;
    const before = rig.questions.facts.length;
    await rig.inDashboard('void window.open("about:blank#stray", "_blank")');
    await nuisance('window', since);
    await until('the window is gone', async () => (await rig.pages()).length === 2);
    await until('the tab is in sight', isInSight);
    // Whatever was pressed must have begun after it was in sight again.
    const seen = rig.questions.facts.slice(before).filter(({ type }) => type === 'question.seen');
    if (seen.length > 0) expect(seen.at(-1)).toMatchObject({ visible: true });
    expect(types()).not.toContain('question.lost');
  });

  test('comes back when something puts the dashboard before it, and stays while that is loaded', async () => {
    await rig.show(question(1));
    const shown = rig.questions.facts.length;
    await rig.focusDashboard();
    await rig.fact('question.seen', ({ visible }) => !visible, shown);
    await until('the tab is in sight', isInSight);
    await rig.browser.settle({ type: 'page.load', path: '/lovelace/kitchen' });
    expect(await isInSight()).toBe(true);
    expect(types()).not.toContain('question.lost');
  });

  test('answers while a script of the dashboard hangs', async () => {
    void rig.inDashboard(`setTimeout(() => ${hangsFor(4000)})`);
    await rig.show(question(1));
    await rig.enabled(HOLD);
    await rig.finger('touchStart', HOLD);
    expect(await rig.fact('question.answered', undefined, from)).toMatchObject({ answer: 'hold' });
    await rig.finger('touchEnd');
    await rig.hide();
    await until('the dashboard goes on', () => rig.inDashboard('true'));
  });

  test.each([
    ['the dashboard', 'window'],
    ['an empty frame of it', 'document.body.appendChild(document.createElement("iframe")).contentWindow'],
  ])('is not covered by a floating window of %s', async (_, realm) => {
    await rig.show(question(1));
    await rig.inDashboard(`window.tried = null; void (async () => {
      const of = ${realm};
      const video = document.body.appendChild(document.createElement('video'));
      const canvas = document.createElement('canvas');
      canvas.getContext('2d').fillRect(0, 0, 1, 1);
      video.muted = true;
      video.srcObject = canvas.captureStream(10);
      await video.play();
      const request = of.HTMLVideoElement.prototype.requestPictureInPicture;
      const why = await request.call(video).then(() => 'opened', (error) => error.message);
      window.tried = JSON.stringify([why, of.document.pictureInPictureEnabled, typeof of.documentPictureInPicture]);
    })()`);
    await until('it was tried', () => rig.inDashboard('window.tried !== null'));
    expect(JSON.parse(String(await rig.inDashboard('window.tried')))).toEqual([
      'This panel shows no floating windows.',
      false,
      'undefined',
    ]);
  });

  inAll('is not covered by a floating window of a frame of another site, however many there are', async () => {
    const server = createServer((_, response) => {
      response.setHeader('content-type', 'text/html');
      response.end('<script>parent.postMessage(document.pictureInPictureEnabled, "*")</script>');
    });
    onTestFinished(() => void server.close());
    await once(server.listen(0, '127.0.0.1'), 'listening');
    // A server that listens on TCP has an AddressInfo.
    const { port } = server.address() as AddressInfo;
    const frames = 34;
    await rig.inDashboard(`window.able = [];
      addEventListener('message', ({ data }) => window.able.push(data));
      for (let n = 0; n < ${frames}; n += 1)
        document.body.appendChild(document.createElement('iframe')).src = 'http://localhost:${port}/' + n;`);
    await until('every frame is there', () => rig.inDashboard(`window.able.length === ${frames}`));
    expect(await rig.inDashboard('window.able.includes(true)')).toBe(false);
  });

  test('is not reached by a tap from the network, nor shown in a picture', async () => {
    await rig.show(question(1));
    await rig.enabled(HOLD);
    await rig.inDashboard('addEventListener("pointerdown", () => { window.taps = (window.taps ?? 0) + 1; })');
    const { x, y } = await rig.middleOf(HOLD);
    const before = rig.questions.facts.length;
    rig.browser.tell({ type: 'page.tap', requestId: 'one', x: Math.round(x), y: Math.round(y), capture: false });
    const tapped = await rig.browser.fact('page.tapped', ({ requestId }) => requestId === 'one');
    if (tapped.outcome.ok) expect(await rig.inDashboard('window.taps')).toBe(1);
    expect(tapped.outcome).toMatchObject({ ok: true });
    expect(rig.questions.facts.slice(before)).toEqual([]);
    await rig.inDashboard('document.documentElement.style.background = "rgb(1, 2, 3)"');
    rig.browser.tell({ type: 'page.shoot', requestId: 'two' });
    const { png } = await rig.browser.fact('page.shot', ({ requestId }) => requestId === 'two');
    expect(firstPixel(png)).toEqual([1, 2, 3]);
  });

  test('comes over a frozen dashboard, which is thawed behind it and in sight afterwards', async () => {
    rig.browser.tell({ type: 'page.freeze', frozen: true });
    await rig.show(question(1));
    rig.browser.tell({ type: 'page.freeze', frozen: false });
    await until('it is thawed', () => rig.inDashboard('true'));
    expect(await isInSight()).toBe(true);
    await rig.hide();
    await until('the dashboard is in sight', () => rig.inDashboard('document.visibilityState === "visible"'));
    expect(await rig.inDashboard('1')).toBe(1);
  });

  test('is lost when it leaves its page', async () => {
    await rig.show(question(1));
    void rig.inTab(`location.href = ${JSON.stringify(`${homeAssistant.origin}/elsewhere`)}`);
    await rig.fact('question.lost', undefined, from);
    await until('it is closed', async () => (await rig.pages()).length === 1);
    await rig.show(question(2));
    expect(await isInSight()).toBe(true);
  });

  test('is lost when it crashes or is closed, once each', async () => {
    await rig.show(question(1));
    const infos = listAt(await rig.call('Target.getTargets'), 'targetInfos');
    const tab = infos.find((info) => textAt(500, info, 'url')?.endsWith('/ask'));
    const targetId = textAt(100, tab, 'targetId');
    expect(at(tab, 'type')).toBe('page');
    await rig.call('Target.closeTarget', { targetId });
    await rig.fact('question.lost', undefined, from);
    await rig.show(question(2));
    void rig.crash();
    await until('it is lost again', () => types().filter((type) => type === 'question.lost').length === 2);
    await until('it is closed', async () => (await rig.pages()).length === 1);
  });

  test('takes no message of another origin, of a frame or of a wrong shape', async () => {
    await rig.show(question(1));
    const { id } = question(1);
    const before = rig.questions.facts.length;
    // What a script of the page could send, if there was one.
    await rig.post([
      JSON.stringify({ type: 'answered', id: question(2).id, answer: 'hold' }),
      JSON.stringify({ type: 'answered', id, answer: 'approve' }),
      JSON.stringify({ type: 'answered', id, answer: 'deny', filler: 'x'.repeat(300) }),
      'no json',
    ]);
    await rig.post([JSON.stringify({ type: 'answered', id, answer: 'hold' })], 'frame');
    await rig.post([JSON.stringify({ type: 'released', id })]);
    await rig.fact('question.released', undefined, before);
    expect(rig.questions.facts.slice(before).map(({ type }) => type)).toEqual(['question.released']);
    await rig.post(Array.from({ length: 100 }, () => JSON.stringify({ type: 'released', id })));
    await rig.inTab('0');
    expect(rig.questions.facts.slice(before).length).toBeLessThanOrEqual(42);
  });

  test('is opened by the panel’s own pages alone', async () => {
    expect(await rig.inDashboard('typeof window.sconcePanel')).toBe('undefined');
    await rig.inDashboard(`externalAppV2.postMessage('wish:relaxed')`);
    await rig.browser.settle({ type: 'page.own', path: '/' });
    expect(await rig.inDashboard('typeof window.sconceBridge')).toBe('undefined');
    await rig.inDashboard(
      `for (const word of ['hardened', 'relaxed', 'questions', 'nothing']) sconcePanel.wants(word)`,
    );
    expect(await rig.fact('mode.wanted', undefined, from)).toMatchObject({ mode: 'hardened' });
    await rig.inDashboard('0');
    expect(types()).toEqual(['mode.wanted']);
  });
});
