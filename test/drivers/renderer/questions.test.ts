import { describe, expect, test, vi } from 'vitest';

import type { DevTools } from '#drivers/renderer/devtools.ts';
import { createQuestionTab } from '#drivers/renderer/question-tab.ts';
import { openQuestions } from '#drivers/renderer/questions.ts';
import type { QuestionCommand, QuestionFact } from '#machines/approvals/events.ts';
import { ok, refuse } from '#machines/kit/result.ts';
import { runDriver } from '../run-driver.ts';
import { question } from './question-rig.ts';

const ownOrigin = 'http://127.0.0.1:8888';

/** A browser that answers at once, and its page that is ready as soon as it is loaded. */
function fakeBrowser(refused: readonly string[] = []) {
  const calls: string[] = [];
  const facts: QuestionFact[] = [];
  let now = 0;
  let tabs = 0;
  let held: (() => void) | null = null;
  let holds: (() => void) | null = null;
  const event = (method: string, params: object, session: string | null = `s${tabs}`): void =>
    questions.onEvent({ method, params, session });
  const post = (message: object, executionContextId = 7): void =>
    event('Runtime.bindingCalled', { name: 'sconceAnswer', executionContextId, payload: JSON.stringify(message) });
  const load = (): void => {
    event('Page.frameNavigated', { frame: { id: `main${tabs}`, url: `${ownOrigin}/ask` } });
    const auxData = { frameId: `main${tabs}`, isDefault: true };
    event('Runtime.executionContextCreated', { context: { id: 7, uniqueId: 'u7', origin: ownOrigin, auxData } });
    post({ type: 'ready' });
  };
  const answer = (method: string, params: object): unknown => {
    if (method === 'Target.createTarget') return { targetId: `t${(tabs += 1)}` };
    if (method === 'Target.attachToTarget') return { sessionId: `s${tabs}` };
    if (method === 'Page.navigate') queueMicrotask(load);
    if (method === 'Runtime.evaluate') {
      const shown = /sconceAsk\.(\w+\(\{"(?:id|title)":"[^"]*)/.exec(JSON.stringify(params).replaceAll('\\', ''))?.[1];
      // The size of the screen is asked for too.
      if (shown !== undefined) calls.push(shown);
      return { result: { value: true } };
    }
    return {};
  };
  const tools: DevTools = {
    call: async (method, params = {}) => {
      if (method.startsWith('Target.'))
        calls.push(
          [method.slice('Target.'.length), ...('targetId' in params ? [String(params.targetId)] : [])].join(' '),
        );
      if (method === 'Target.createTarget' && holds !== null) {
        holds();
        await new Promise<void>((resolve) => (held = resolve));
      }
      return refused.includes(method) ? refuse('refused', '') : ok(answer(method, params));
    },
    dropSession: () => {},
    close: () => {},
  };
  const questions = openQuestions({
    tools,
    ownOrigin,
    dashboard: 'home',
    elapsed: () => now,
    send: (fact) => void facts.push(fact),
  });
  return {
    calls,
    facts,
    questions,
    event,
    post,
    pass: (ms: number) => void (now += ms),
    /** Leaves the next tab unanswered; settles once it is asked for. */
    hold: () => new Promise<void>((resolve) => (holds = resolve)),
    release: () => {
      holds = null;
      held?.();
    },
    show: (number: number, leftMs = 1000) =>
      questions.onCommand({ type: 'question.show', question: question(number, { leftMs }) }),
    hide: () => questions.onCommand({ type: 'question.hide' }),
  };
}
const opened = ['createTarget', 'attachToTarget t1'];
const shown = (number: number): string => `show({"id":"${question(number).id}`;

describe('the questions of a browser', () => {
  test('open a tab, are shown before it comes to front, and close it', async () => {
    const { calls, facts, show, hide } = fakeBrowser();
    await show(1);
    await show(2);
    await hide();
    await hide();
    expect(calls).toEqual([
      ...opened,
      shown(1),
      'activateTarget t1',
      shown(2),
      'closeTarget t1',
      'activateTarget home',
    ]);
    expect(facts).toEqual([]);
  });

  test('show the newest only, where the tab takes its time', async () => {
    const { calls, show, hide, hold, release } = fakeBrowser();
    const asked = hold();
    const all = [show(1)];
    await asked;
    all.push(hide(), show(2));
    release();
    await Promise.all(all);
    expect(calls.slice(0, 4)).toEqual([...opened, shown(2), 'activateTarget t1']);
    expect(new Set(calls.slice(4))).toEqual(new Set([shown(2)]));
  });

  test('leave no tab that was hidden while it opened', async () => {
    const { calls, facts, show, hide, hold, release } = fakeBrowser();
    const asked = hold();
    const all = [show(1)];
    await asked;
    all.push(hide());
    release();
    await Promise.all(all);
    expect(calls).toEqual([...opened, 'closeTarget t1', 'activateTarget home']);
    expect(facts).toEqual([]);
  });

  test.each(['Target.createTarget', 'Target.attachToTarget', 'Page.navigate', 'Runtime.evaluate'])(
    'are lost once where the browser refuses %s, and what was opened is closed',
    async (method) => {
      const { calls, facts, show, hide, questions } = fakeBrowser([method]);
      await show(1);
      expect(facts).toEqual([{ type: 'question.lost', at: 0 }]);
      expect(calls.includes('closeTarget t1')).toBe(method !== 'Target.createTarget');
      expect(await questions.bringToFront()).toBe(false);
      await hide();
      expect(facts).toHaveLength(1);
    },
  );

  test('own the target of their tab, which may still be opening, and no other', async () => {
    const { show, hide, hold, release, questions } = fakeBrowser();
    expect(await questions.owns('t1')).toBe(false);
    const asked = hold();
    const showing = show(1);
    await asked;
    const [own, other] = [questions.owns('t1'), questions.owns('t2')];
    release();
    expect(await Promise.all([own, other])).toEqual([true, false]);
    await showing;
    expect(await questions.bringToFront()).toBe(true);
    await hide();
    expect(await questions.owns('t1')).toBe(false);
  });

  test('take messages about the question that is shown, twenty a second, and touches once a second', async () => {
    const { show, post, facts, pass, hide } = fakeBrowser();
    await show(1);
    const { id } = question(1);
    post({ type: 'pressed', id: question(2).id });
    post({ type: 'pressed', id }, 8);
    expect(facts).toEqual([]);
    post({ type: 'touched', id });
    pass(999);
    post({ type: 'touched', id });
    pass(1);
    post({ type: 'touched', id });
    expect(facts.map((fact) => fact.at)).toEqual([0, 1000]);
    for (let times = 0; times < 100; times += 1) post({ type: 'pressed', id });
    expect(facts).toHaveLength(21);
    pass(1000);
    post({ type: 'answered', id, answer: 'deny' });
    expect(facts.at(-1)).toEqual({ type: 'question.answered', id, answer: 'deny', at: 2000 });
    await hide();
    post({ type: 'answered', id, answer: 'hold' });
    expect(facts).toHaveLength(22);
  });

  test('come to front again when they are covered, once a second', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { show, post, calls, pass } = fakeBrowser();
    await show(1);
    const { id } = question(1);
    for (let times = 0; times < 5; times += 1) post({ type: 'seen', id, visible: false });
    post({ type: 'seen', id, visible: true });
    expect(calls.filter((call) => call === 'activateTarget t1')).toHaveLength(2);
    // Those that came too early are made up for.
    pass(1000);
    vi.advanceTimersByTime(1000);
    expect(calls.filter((call) => call === 'activateTarget t1')).toHaveLength(3);
    expect(vi.getTimerCount()).toBe(0);
    vi.useRealTimers();
  });

  test.each([
    ['leaves its page', 'Page.frameNavigated', { frame: { id: 'main1', url: 'http://evil.local/' } }, 's1'],
    ['is loaded again', 'Page.frameNavigated', { frame: { id: 'main1', url: `${ownOrigin}/ask` } }, 's1'],
    ['crashes', 'Inspector.targetCrashed', {}, 's1'],
    ['is closed', 'Target.targetDestroyed', { targetId: 't1' }, null],
    ['is detached', 'Target.detachedFromTarget', { sessionId: 's1' }, null],
  ] as const)('are lost once when the tab %s', async (_, method, params, session) => {
    const { show, event, facts, calls, post } = fakeBrowser();
    await show(1);
    event('Page.frameNavigated', { frame: { id: 'inner', parentId: 'main1', url: 'http://evil.local/' } });
    event('Inspector.targetCrashed', {}, 'another');
    expect(facts).toEqual([]);
    event(method, params, session);
    event(method, params, session);
    post({ type: 'pressed', id: question(1).id });
    expect(facts).toEqual([{ type: 'question.lost', at: 0 }]);
    await show(2);
    expect(calls.slice(-2)).toEqual([shown(2), 'activateTarget t2']);
  });
});

describe('the port for questions', () => {
  test('loses them while no browser is attached', async () => {
    const port = createQuestionTab({ elapsed: () => 5 });
    const driver = runDriver<QuestionCommand, QuestionFact>(port.driver);
    driver.tell({ type: 'question.show', question: question(1) });
    driver.tell({ type: 'question.hide' });
    expect(driver.facts).toEqual([{ type: 'question.lost', at: 5 }]);
    driver.stop();
    await driver.settled();
  });

  test('passes on what the own pages ask for, at most once a second, while the approvals run', async () => {
    let now = 0;
    const port = createQuestionTab({ elapsed: () => now });
    const tools: DevTools = { call: () => Promise.resolve(ok({})), dropSession: () => {}, close: () => {} };
    const attached = port.attach({ tools, ownOrigin, dashboard: 'home' }, openQuestions);
    attached.wants('questions');
    const driver = runDriver<QuestionCommand, QuestionFact>(port.driver);
    now = 1000;
    attached.wants('hardened');
    attached.wants('relaxed');
    now = 2000;
    attached.wants('questions');
    expect(driver.facts).toEqual([
      { type: 'mode.wanted', mode: 'hardened', at: 1000 },
      { type: 'questions.wanted', at: 2000 },
    ]);
    driver.tell({ type: 'question.show', question: question(1) });
    attached.detach();
    expect(driver.facts.at(-1)).toEqual({ type: 'question.lost', at: 2000 });
    driver.stop();
    await driver.settled();
  });
});
