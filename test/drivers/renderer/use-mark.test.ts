import { describe, expect, it } from 'vitest';

import type { DevTools } from '#drivers/renderer/devtools.ts';
import { at } from '#drivers/renderer/json-fields.ts';
import { openMark } from '#drivers/renderer/mark.ts';
import { createUseMark, type UseMark } from '#drivers/renderer/use-mark.ts';
import type { InUseHolder, MarkCommand, MarkFact } from '#machines/in-use/events.ts';
import { ok } from '#machines/kit/result.ts';
import { until } from '../../scenarios/live-agent.ts';
import { runDriver } from '../run-driver.ts';
import { pngOf } from './png.ts';

/** A picture with the mark for these holders. */
const picture = (of: readonly InUseHolder[]): string =>
  pngOf(70, 40, (x, y) => {
    const wide = of.length * 24;
    if (wide === 0 || x >= wide + 2 || y >= 26) return [0, 0, 90];
    if (x < 2 || y < 2 || x >= wide || y >= 24) return [255, 255, 255];
    return of.includes('camera') ? [230, 0, 0] : [255, 153, 0];
  }).toString('base64');

/** What a mark stands for, by its colour and width. */
function drawnBy(params: object): readonly InUseHolder[] {
  if (at(params, 'color', 'g') !== 0) return ['microphone'];
  return at(params, 'width') === 48 ? ['camera', 'microphone'] : ['camera'];
}

/** A browser that answers at once; what it is asked by which session is kept. */
function browser(question = 'question') {
  const asked: string[] = [];
  /** The mark that is drawn. */
  let drawn: readonly InUseHolder[] = [];
  let isCovered = false;
  /** It draws nothing more, and takes what it is told nevertheless. */
  let isStuck = false;
  let waits: (() => void)[] | null = null;
  const tools: DevTools = {
    call: async (method, params = {}, { session } = {}) => {
      asked.push(`${session ?? '-'} ${method}`);
      if (method === 'Target.attachToTarget')
        return ok({ sessionId: `of ${(params as { targetId: string }).targetId}` });
      if (method === 'Overlay.highlightRect' && !isStuck) drawn = drawnBy(params);
      if (method !== 'Page.captureScreenshot') return ok({});
      const data = picture(isCovered ? [] : drawn);
      if (waits !== null) await new Promise<void>((resolve) => waits?.push(resolve));
      return ok({ data });
    },
    dropSession: () => {},
    close: () => {},
  };
  return {
    asked,
    covered: (is: boolean) => (isCovered = is),
    stuck: (is: boolean) => (isStuck = is),
    /** Keeps pictures back until they are let go. */
    keep: () => (waits = []),
    letGo: () => {
      const due = waits ?? [];
      waits = null;
      for (const go of due) go();
    },
    pending: () => waits?.length ?? 0,
    attach: (use: UseMark) =>
      use.attach({ tools, dashboard: 'dashboard', isQuestion: async (id) => id === question }, openMark),
  };
}

function start(outlastMs = 60_000) {
  const use = createUseMark({ elapsed: () => 5, outlastMs });
  const driver = runDriver<MarkCommand, MarkFact>(use.driver);
  const types = (): readonly string[] => driver.facts.map(({ type }) => type.replace('mark.', ''));
  return {
    use,
    driver,
    types,
    comes: (...wanted: readonly string[]) =>
      until(wanted.join(), () => types().slice(-wanted.length).join() === wanted.join()),
    show: (...of: readonly InUseHolder[]) => driver.tell({ type: 'mark.show', of: of.length === 0 ? ['camera'] : of }),
    /** What the last mark that was confirmed stands for. */
    seen: () => driver.facts.flatMap((fact) => (fact.type === 'mark.confirmed' ? [fact.of.join('+')] : [])).at(-1),
    hide: () => driver.tell({ type: 'mark.hide' }),
  };
}
const created = (targetId: string, type = 'page') => ({
  method: 'Target.targetCreated',
  params: { targetInfo: { targetId, type } },
  session: null,
});
const destroyed = (targetId: string) => ({ method: 'Target.targetDestroyed', params: { targetId }, session: null });
const navigated = (frame: object, session = 'of dashboard') => ({
  method: 'Page.frameNavigated',
  params: { frame },
  session,
});

describe('the mark and the browser that runs', () => {
  it('is unconfirmed without a browser, and there as soon as one is attached', async () => {
    const room = start();
    room.show();
    expect(room.driver.facts).toEqual([{ type: 'mark.unconfirmed', at: 5 }]);
    const attached = browser().attach(room.use);
    await room.comes('confirmed');
    attached.detach();
    await room.comes('confirmed', 'unconfirmed');
    room.hide();
    await room.comes('hidden');
    room.driver.stop();
  });

  it('asks a browser nothing until it is wanted', async () => {
    const room = start();
    const one = browser();
    const attached = one.attach(room.use);
    attached.onEvent(navigated({ id: 'f' }));
    attached.inFront('question');
    attached.onEvent(created('question'));
    attached.inFront('dashboard');
    expect(one.asked).toEqual([]);
    room.show();
    await room.comes('confirmed');
    room.hide();
    await room.comes('hidden');
    room.driver.stop();
    expect(one.asked.at(-1)).toBe('- Target.detachFromTarget');
    expect(one.asked.filter((call) => call.endsWith('.disable'))).toHaveLength(3);
  });

  it('outlasts a part that crashed, also in a browser that comes then, and goes a little later', async () => {
    const room = start(50);
    room.show();
    room.driver.stop();
    const one = browser();
    one.attach(room.use);
    await until('the mark', () => one.asked.some((call) => call.endsWith('highlightRect')));
    await until('its end', () => one.asked.at(-1) === '- Target.detachFromTarget');
  });

  it('stays if the part that comes next wants it, and goes with that', async () => {
    const room = start(0);
    const one = browser();
    one.attach(room.use);
    room.show();
    await room.comes('confirmed');
    room.driver.stop();
    const next = runDriver<MarkCommand, MarkFact>(room.use.driver);
    next.tell({ type: 'mark.show', of: ['camera'] });
    await next.until((fact): fact is MarkFact => fact.type === 'mark.confirmed');
    expect(one.asked).not.toContain('- Target.detachFromTarget');
    next.tell({ type: 'mark.hide' });
    await until('its end', () => one.asked.at(-1) === '- Target.detachFromTarget');
    next.stop();
  });

  it('is drawn again until it is seen', async () => {
    const room = start();
    const one = browser();
    one.covered(true);
    one.attach(room.use);
    room.show();
    await room.comes('unconfirmed', 'unconfirmed');
    one.covered(false);
    await room.comes('unconfirmed', 'confirmed');
    expect(one.asked.filter((call) => call.endsWith('highlightRect')).length).toBeGreaterThan(2);
    room.driver.stop();
  });

  it('is drawn again after a navigation of the page, not of a frame in it or of another tab', async () => {
    const room = start();
    const attached = browser().attach(room.use);
    room.show();
    await room.comes('confirmed');
    attached.onEvent(navigated({ id: 'inner', parentId: 'f' }));
    attached.onEvent(navigated({ id: 'f' }, 'another'));
    attached.onEvent(navigated({ id: 'f' }));
    await room.comes('confirmed', 'unconfirmed', 'confirmed');
    expect(room.types()).toHaveLength(3);
    room.driver.stop();
  });

  it('takes a picture from before a navigation for none', async () => {
    const room = start();
    const one = browser();
    one.keep();
    const attached = one.attach(room.use);
    room.show();
    await until('a picture is under way', () => one.pending() === 1);
    one.covered(true);
    attached.onEvent(navigated({ id: 'f' }));
    await until('two are', () => one.pending() === 2);
    one.letGo();
    await room.comes('unconfirmed', 'unconfirmed');
    expect(room.types()).not.toContain('confirmed');
    room.driver.stop();
  });

  it('is in no picture of a tab that is behind another', async () => {
    const room = start();
    const one = browser();
    const attached = one.attach(room.use);
    room.show();
    await room.comes('confirmed');
    attached.inFront('question');
    await room.comes('unconfirmed', 'confirmed');
    expect(one.asked.at(-1)).toBe('of question Page.captureScreenshot');
    attached.inFront('dashboard');
    await room.comes('unconfirmed', 'confirmed');
    expect(one.asked.at(-1)).toBe('of dashboard Page.captureScreenshot');
    room.hide();
    await room.comes('hidden');
    expect(one.asked.filter((call) => call.endsWith('detachFromTarget'))).toHaveLength(2);
    room.driver.stop();
  });

  it('is covered by any other window until that is closed', async () => {
    const room = start();
    const attached = browser().attach(room.use);
    room.show();
    await room.comes('confirmed');
    attached.onEvent(created('worker', 'service_worker'));
    attached.onEvent(created('question'));
    attached.onEvent(created('dashboard'));
    attached.onEvent(created('stray'));
    await room.comes('confirmed', 'unconfirmed', 'unconfirmed');
    attached.onEvent(destroyed('stray'));
    await room.comes('unconfirmed', 'confirmed');
    room.driver.stop();
  });

  it('is drawn in another form for each holder, and says which one it saw', async () => {
    const room = start();
    const one = browser();
    one.attach(room.use);
    for (const of of [['microphone'], ['camera', 'microphone'], ['camera']] as const) {
      room.show(...of);
      await until(of.join(), () => room.seen() === of.join('+'));
    }
    expect(room.types()).not.toContain('unconfirmed');
    one.stuck(true);
    room.show('camera', 'microphone');
    await until('what is still there', () => room.types().length > 4);
    expect([room.seen(), room.types().includes('unconfirmed')]).toEqual(['camera', false]);
    one.stuck(false);
    await until('both', () => room.seen() === 'camera+microphone');
    room.driver.stop();
  });

  it('is that of the last command in a browser that comes later', async () => {
    const room = start();
    room.show('camera');
    room.show('microphone');
    browser().attach(room.use);
    await until('the microphone', () => room.seen() === 'microphone');
    room.driver.stop();
  });
});
