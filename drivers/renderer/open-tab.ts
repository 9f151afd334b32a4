import type { Milliseconds } from '#machines/kit/units.ts';

import type { DevTools, DevToolsEvent } from './devtools.ts';
import { at, numberAt, textAt } from './json-fields.ts';
import { followContexts } from './script-contexts.ts';
import { DARK, mainFrameIn } from './session.ts';
import { type TabMessage, tabMessage } from './tab-messages.ts';
import { SEEN_SIZE } from './window.ts';

/** Name of the binding of the tab; its page takes it away from the window at once. */
const BINDING = 'sconceAnswer';
/** The page of the panel that the tab shows. */
const PATH = '/ask';
/** Longest wait for that page; a slow panel needs a second. */
const READY_MS: Milliseconds = 10_000;

export interface OpenTabDeps {
  readonly tools: DevTools;
  /** Origin of the panel's own pages, the only one that is listened to. */
  readonly ownOrigin: string;
  readonly onMessage: (message: TabMessage) => void;
  /** Called once, if the tab goes without having been closed: it crashed, was closed or left its page. */
  readonly onLost: () => void;
}

/** A second tab of the browser, for questions. */
export interface OpenTab {
  /** Its target, null if there is none; settles once the browser has answered. */
  readonly target: Promise<string | null>;
  /** Settles when its page takes calls; false if it does not come up. */
  readonly ready: Promise<boolean>;
  /** Calls a function of its page with a value; false if it did not take it. */
  readonly call: (name: 'show' | 'result', value: object) => Promise<boolean>;
  readonly bringToFront: () => Promise<void>;
  readonly close: () => Promise<void>;
  readonly onEvent: (event: DevToolsEvent) => void;
}

/** Opens the tab behind the dashboard, so that it is seen only once it shows a question. */
export function openTab({ tools, ownOrigin, onMessage, onLost }: OpenTabDeps): OpenTab {
  const contexts = followContexts(ownOrigin);
  let targetId: string | null = null;
  let session: string | null = null;
  let mainFrame: string | null = null;
  let loaded = false;
  let over = false;
  let settleReady = (_ready: boolean): void => {};
  const isReady = new Promise<boolean>((resolve) => {
    settleReady = resolve;
  });

  const finish = (): void => {
    over = true;
    settleReady(false);
    if (session !== null) tools.dropSession(session);
  };
  const lose = (): void => {
    if (over) return;
    finish();
    onLost();
  };

  const create = async (): Promise<string | null> => {
    const made = await tools.call('Target.createTarget', { url: 'about:blank', background: true });
    targetId = made.ok ? textAt(100, made.value, 'targetId') : null;
    return targetId;
  };
  /** Its page is laid out for the screen, where the window is wider. */
  const fit = async (on: { readonly session: string }): Promise<void> => {
    const answer = await tools.call('Runtime.evaluate', { expression: SEEN_SIZE, returnByValue: true }, on);
    const seen = answer.ok ? at(answer.value, 'result', 'value') : null;
    const [width, height, deviceScaleFactor] = ['width', 'height', 'ratio'].map((name) => numberAt(seen, name));
    if (at(seen, 'isCut') !== true) return;
    const params = { width, height, screenWidth: width, screenHeight: height, deviceScaleFactor, mobile: false };
    await tools.call('Emulation.setDeviceMetricsOverride', params, on);
  };
  const setUp = async (target: string | null): Promise<boolean> => {
    const attached =
      target === null ? null : await tools.call('Target.attachToTarget', { targetId: target, flatten: true });
    session = attached?.ok === true ? textAt(100, attached.value, 'sessionId') : null;
    if (session === null || over) return false;
    mainFrame = target;
    const on = { session };
    await Promise.all([
      tools.call('Page.enable', {}, on),
      tools.call('Inspector.enable', {}, on),
      tools.call('Runtime.addBinding', { name: BINDING }, on),
      tools.call('Runtime.enable', {}, on),
      tools.call('Emulation.setDefaultBackgroundColorOverride', { color: DARK }, on),
    ]);
    const led = await tools.call('Page.navigate', { url: ownOrigin + PATH }, on);
    return led.ok && at(led.value, 'errorText') === undefined;
  };
  const target = create();
  const start = async (): Promise<boolean> => {
    const late = setTimeout(() => settleReady(false), READY_MS);
    if (!(await setUp(await target))) settleReady(false);
    const came = await isReady;
    clearTimeout(late);
    return came;
  };

  const onNavigated = (params: unknown): void => {
    const frame = mainFrameIn(params);
    // The blank page that it begins with may be reported late.
    if (frame === null || (!loaded && at(params, 'frame', 'url') === 'about:blank')) return;
    mainFrame = frame;
    // A second one left the page with the question.
    if (loaded || at(params, 'frame', 'url') !== ownOrigin + PATH) lose();
    loaded = true;
  };
  const onMessageOf = (params: unknown): void => {
    const context = contexts.find(numberAt(params, 'executionContextId') ?? -1);
    if (over || at(params, 'name') !== BINDING || context === undefined || context.frame !== mainFrame) return;
    const message = tabMessage(textAt(1000, params, 'payload') ?? '');
    if (message?.type === 'ready') settleReady(true);
    else if (message !== null) onMessage(message);
  };

  return {
    target,
    ready: start(),
    call: async (name, value) => {
      const context = mainFrame === null ? null : contexts.of(mainFrame);
      if (over || session === null || context === null) return false;
      const expression = `typeof sconceAsk === 'object' ? (sconceAsk.${name}(${JSON.stringify(value)}), true) : false`;
      const params = { expression, returnByValue: true, silent: true, uniqueContextId: context };
      const answer = await tools.call('Runtime.evaluate', params, { session });
      return answer.ok && at(answer.value, 'result', 'value') === true;
    },
    bringToFront: async () => {
      if (targetId === null || over) return;
      await tools.call('Target.activateTarget', { targetId });
      // Only now has its window a size.
      if (session !== null) await fit({ session });
    },
    close: async () => {
      finish();
      const closing = await target;
      if (closing !== null) await tools.call('Target.closeTarget', { targetId: closing });
    },
    onEvent: (event) => {
      const { method, params } = event;
      if (event.session === null) {
        const gone = method === 'Target.targetDestroyed' || method === 'Target.targetCrashed';
        if (gone && targetId !== null && at(params, 'targetId') === targetId) lose();
        if (method === 'Target.detachedFromTarget' && session !== null && at(params, 'sessionId') === session) lose();
      } else if (event.session === session) {
        contexts.onEvent(event);
        if (method === 'Page.frameNavigated') onNavigated(params);
        else if (method === 'Runtime.bindingCalled') onMessageOf(params);
        else if (method === 'Inspector.targetCrashed') lose();
      }
    },
  };
}
