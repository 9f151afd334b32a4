import type { Server } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { until } from '../../scenarios/live-agent.ts';
import { chromiumForPages } from '../../browser/program.ts';
import { amount } from '../../fakes/amount.ts';
import { type HomeAssistantPage, serveHomeAssistant } from './home-assistant-page.ts';
import { question, type QuestionRig, serveOwnPages, startQuestions } from './question-rig.ts';
import { noBrowser, program, START_MS } from './rig.ts';

const HOLD = '[data-hold]';
const DENY = '[data-answer=deny]';
const IGNORE = '[data-answer=ignore]';

describe.skipIf(noBrowser)('the tab for questions', () => {
  let homeAssistant: HomeAssistantPage;
  let own: { readonly origin: string; readonly server: Server };
  let rig: QuestionRig;
  /** Number of facts when the test began. */
  let from = 0;
  const types = (): readonly string[] => rig.questions.facts.slice(from).map(({ type }) => type);

  beforeAll(async () => {
    homeAssistant = await serveHomeAssistant();
    own = await serveOwnPages();
    rig = await startQuestions(
      { origin: homeAssistant.origin, ownOrigin: own.origin },
      { names: [amount(chromiumForPages, program)] },
    );
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

  test('shows a question in front of the dashboard, which lives on, and is gone afterwards', async () => {
    const asked = question(1, { what: '<b>one</b> & two', code: '271 828', position: 1, of: 3 });
    await rig.show(asked);
    expect(await rig.pages()).toHaveLength(2);
    const text = await rig.inTab('document.querySelector("[data-ask]").innerText');
    for (const part of ['Restart the panel', '“<b>one</b> & two”', '271 828', '192.0.2.7', '1 of 3', ' left'])
      expect(text).toContain(part);
    expect(await rig.inTab('typeof window.sconceAnswer')).toBe('undefined');
    expect(await rig.inDashboard('document.body.dataset.alive = "yes"')).toBe('yes');
    const isHidden = 'document.visibilityState';
    await rig.hide();
    await until('the dashboard is seen', async () => (await rig.inDashboard(isHidden)) === 'visible');
    expect(types()).not.toContain('question.lost');
  });

  test('is approved by a finger that holds for a second, not sooner', async () => {
    await rig.show(question(1));
    expect(await rig.inTab(`document.querySelector('${HOLD}').disabled`)).toBe(true);
    await rig.enabled(HOLD);
    await rig.finger('touchStart', HOLD);
    await rig.finger('touchEnd');
    await rig.fact('question.released', undefined, from);
    expect(types()).not.toContain('question.answered');
    await rig.finger('touchStart', HOLD);
    const answered = await rig.fact('question.answered', undefined, from);
    await rig.finger('touchEnd');
    const pressed = rig.questions.facts.findLast(({ type }) => type === 'question.pressed');
    const seen = rig.questions.facts.findLast(({ type }) => type === 'question.seen');
    expect(answered).toMatchObject({ answer: 'hold', id: question(1).id });
    expect(answered.at - (pressed?.at ?? 0)).toBeGreaterThanOrEqual(1000);
    expect((pressed?.at ?? 0) - (seen?.at ?? 0)).toBeGreaterThanOrEqual(1000);
    expect(types().filter((type) => type === 'question.touched').length).toBeGreaterThan(0);
  });

  test.each([
    ['deny', DENY],
    ['ignore', IGNORE],
  ] as const)('is answered with %s by a touch', async (answer, selector) => {
    await rig.show(question(2));
    await rig.enabled(selector);
    await rig.finger('touchStart', selector);
    await rig.finger('touchEnd');
    expect(await rig.fact('question.answered', undefined, from)).toMatchObject({ answer });
  });

  test('keeps a press through an update, and drops it for another question', async () => {
    await rig.show(question(1));
    await rig.enabled(HOLD);
    await rig.finger('touchStart', HOLD);
    await rig.fact('question.pressed', undefined, from);
    rig.questions.tell({ type: 'question.show', question: question(1, { position: 1, of: 2 }) });
    await until(
      'the update',
      async () => (await rig.inTab('document.querySelector("[data-position]").innerText')) === '1 of 2',
    );
    expect(types()).not.toContain('question.released');
    rig.questions.tell({ type: 'question.show', question: question(2) });
    await rig.fact('question.seen', ({ id }) => id === question(2).id, from);
    await rig.finger('touchEnd');
    expect(await rig.inTab(`document.querySelector('${HOLD}').disabled`)).toBe(true);
    expect(types()).not.toContain('question.answered');
  });

  test('says how it ended', async () => {
    await rig.show(question(1));
    rig.questions.tell({
      type: 'question.result',
      result: { title: 'Restart the panel', outcome: 'failed', message: 'The disk is full.' },
    });
    await until('the result', async () =>
      String(await rig.inTab('document.querySelector("[data-ask]").innerText')).includes('The disk is full.'),
    );
    expect(await rig.inTab(`document.querySelector('${HOLD}').offsetParent === null`)).toBe(true);
  });
});
