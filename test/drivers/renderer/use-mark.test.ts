import { describe, expect, it } from 'vitest';

import type { DevTools } from '#drivers/renderer/devtools.ts';
import { openMark } from '#drivers/renderer/mark.ts';
import { createUseMark, type UseMark } from '#drivers/renderer/use-mark.ts';
import type { MarkCommand, MarkFact } from '#machines/in-use/events.ts';
import { ok } from '#machines/kit/result.ts';
import { until } from '../../scenarios/live-agent.ts';
import { runDriver } from '../run-driver.ts';
import { pngOf } from './png.ts';

const edge = (x: number, y: number): boolean => x < 26 && y < 26;
const square = (x: number, y: number): boolean => x >= 2 && x < 24 && y >= 2 && y < 24;
const picture = (marked: boolean): string =>
  pngOf(40, 40, (x, y) =>
    !marked || !edge(x, y) ? [0, 0, 90] : square(x, y) ? [230, 0, 0] : [255, 255, 255],
  ).toString('base64');

/** A browser that answers at once; what it is asked by which session is kept. */
function browser(question = 'question') {
  const asked: string[] = [];
  let marked = true;
  let waits: (() => void)[] | null = null;
  const tools: DevTools = {
    call: async (method, params = {}, { session } = {}) => {
      asked.push(`${session ?? '-'} ${method}`);
      if (method === 'Target.attachToTarget')
        return ok({ sessionId: `of ${(params as { targetId: string }).targetId}` });
      if (method !== 'Page.captureScreenshot') return ok({});
      const data = picture(marked);
      if (waits !== null) await new Promise<void>((resolve) => waits?.push(resolve));
      return ok({ data });
    },
    dropSession: () => {},
    close: () => {},
  };
  return {
    asked,
    covered: (is: boolean) => (marked = !is),
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
    show: () => driver.tell({ type: 'mark.show', of: ['camera'] }),
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
});
