import { serial } from '#drivers/kit/serial.ts';
import { chunk } from '#machines/kit/chunk.ts';
import type { Milliseconds } from '#machines/kit/units.ts';
import type { BrowserCommand, BrowserFact, BrowserInput, DisplayRoute } from '#machines/renderer/events.ts';
import type { TokenOutcome } from '#machines/sign-in/events.ts';

import { openBridge } from './bridge.ts';
import { guardDialogs } from './dialog-guard.ts';
import { openSubscriptionFilter } from './subscription-filter.ts';
import type { DevTools, DevToolsEvent } from './devtools.ts';
import { openAppearance } from './appearance.ts';
import { followInnerFrames } from './inner-frames.ts';
import { openNavigation } from './navigation.ts';
import { BINDING } from './page-script.ts';
import { PROBE_MS, probePage } from './page-probe.ts';
import { takePicture } from './picture.ts';
import type { AttachedQuestions } from './question-tab.ts';
import { DARK, mainFrameIn, pageSession } from './session.ts';
import { openSocketPing } from './socket-ping.ts';
import { openTaps } from './tap.ts';
import type { UseOverlay } from './use-overlay.ts';

export interface PageDeps {
  readonly tools: DevTools;
  readonly input: BrowserInput;
  readonly route: DisplayRoute;
  readonly targetId: string;
  readonly sessionId: string;
  readonly accessToken: (force: boolean) => Promise<TokenOutcome>;
  readonly now: () => number;
  readonly send: (fact: BrowserFact) => void;
  readonly version: string;
  /** The tab for questions beside the page; null if this browser shows none. */
  readonly questions?: AttachedQuestions | null;
  /** Draws the panel's voice over the page; null if this browser shows none. */
  readonly overlay?: Pick<UseOverlay, 'attach'> | null;
}

export interface DrivenPage {
  /** Sets the page up; settles when it takes commands. */
  readonly start: () => Promise<void>;
  readonly onEvent: (event: DevToolsEvent) => void;
  readonly onCommand: (command: BrowserCommand) => Promise<void>;
  /** Probes once and sends the fact; true if the page answered in time or had a reason not to. */
  readonly probe: (withinMs?: Milliseconds) => Promise<boolean>;
  /** Frees what a long-lived page piles up for an inspector that is never opened. */
  readonly tidy: () => void;
  /** The browser is gone. */
  readonly end: () => void;
}

const overlayChunk = chunk(() => import('./voice-overlay.ts'));

/** Drives an attached page. */
export function openPage({
  tools,
  input,
  route,
  targetId,
  sessionId,
  accessToken,
  now,
  send,
  version,
  questions = null,
  overlay = null,
}: PageDeps): DrivenPage {
  const listeners = new Set<(event: DevToolsEvent) => void>();
  const page = pageSession(tools, sessionId, targetId, listeners);
  // The main frame has the id of its target until it reports another.
  let mainFrame = targetId;
  let frozen = false;
  let crashed = false;
  page.listen(({ method, params }) => {
    if (method === 'Page.frameNavigated') mainFrame = mainFrameIn(params) ?? mainFrame;
  });

  const bridge = openBridge({
    page,
    origin: input.origin,
    ownOrigin: input.ownOrigin,
    mainFrame: () => mainFrame,
    accessToken,
    now,
    send,
    version,
    onReady: () => {
      appearance.reapply();
      void tellAssist();
    },
    onTokenAsked: (context) => void entities.give(context),
    onWish: (wish) => questions?.wants(wish),
    hasAssist: () => voice?.hasAssist() === true,
    onAssist: (pipelineId, isTouched) => voice?.onAssist(pipelineId, isTouched),
  });
  // The page asks for it once in each load; where it cannot be told, it is loaded again.
  const tellAssist = async (): Promise<void> => {
    if (!(await bridge.tellAssist())) await navigation.reload();
  };
  const dialogs = guardDialogs({ tools, page, questions, now, send });
  const inner = followInnerFrames(tools, page, bridge.touch);
  const appearance = openAppearance(page, bridge, route, input);
  const entities = openSubscriptionFilter(page, bridge.context);
  const ping = openSocketPing(page);
  const probe = (withinMs: Milliseconds): ReturnType<typeof probePage> =>
    probePage({
      page,
      ping,
      origin: input.origin,
      ownOrigin: input.ownOrigin,
      now,
      withinMs,
      excused: () => navigation.loading() || dialogs.blocked() || frozen || crashed,
    });
  const navigation = openNavigation({
    page,
    bridge,
    now,
    send,
    onHung: () => send({ type: 'page.hung', at: now() }),
    onErrorPage: () =>
      send({
        type: 'page.probed',
        answeredMs: 0,
        excused: false,
        showing: null,
        connected: null,
        unansweredMs: null,
        place: 'error',
        path: null,
        homeAssistantVersion: null,
        at: now(),
      }),
  });

  const voice = overlay?.attach(
    { page, origin: input.origin, mainFrame: () => mainFrame, onAssistChanged: () => void tellAssist() },
    async () => (await overlayChunk()).openVoiceOverlay,
  );

  /** A page loaded during a removal would find what is still there. */
  const forgetting = serial();
  const load = async (generation: number, url: string): Promise<void> => {
    await forgetting(() => {});
    const wasCrashed = crashed;
    crashed = false;
    await navigation.load(generation, url, wasCrashed);
  };
  /**
   * The order matters: a freeze has no effect while focus is emulated, and a thawed page stays hidden without it
   * (measured with Chromium 156).
   */
  const setFrozen = async (wanted: boolean): Promise<void> => {
    if (wanted === frozen) return;
    frozen = wanted;
    if (wanted) await page.call('Emulation.setFocusEmulationEnabled', { enabled: false });
    await page.call('Page.setWebLifecycleState', { state: wanted ? 'frozen' : 'active' });
    if (!wanted) await page.call('Emulation.setFocusEmulationEnabled', { enabled: true });
  };
  /** One after the other: a thaw that overtakes the freeze before it would leave a lit screen frozen. */
  const freezing = serial();
  /** An open page would stay connected and write again what is removed, so it is left first. */
  const forget = async (origin: string): Promise<void> => {
    const here = crashed ? undefined : await page.evaluate('location.origin');
    // A page that does not answer may be there too.
    if (here === undefined || here === origin) await navigation.blank();
    await page.call('Storage.clearDataForOrigin', { origin, storageTypes: 'all' });
    await page.call('Network.clearBrowserCache');
  };
  const shoot = async (requestId: string): Promise<void> => {
    const png = await takePicture(page);
    send({ type: 'page.shot', requestId, png, reason: png === null ? 'no-answer' : null });
  };
  // The command to thaw the page for a tap came before.
  const taps = openTaps({ page, answers: () => !crashed, ready: () => freezing(() => {}) });
  const tap = async ({ requestId, ...point }: Extract<BrowserCommand, { type: 'page.tap' }>): Promise<void> => {
    send({ type: 'page.tapped', requestId, outcome: await taps(point) });
  };

  return {
    onEvent: (event) => {
      questions?.onEvent(event);
      dialogs.onEvent(event);
      inner.onEvent(event);
      for (const listener of listeners) listener(event);
      if (event.session === sessionId && event.method === 'Inspector.targetCrashed') {
        crashed = true;
        tools.dropSession(sessionId);
        navigation.drop();
        send({ type: 'page.crashed', at: now() });
      }
    },
    start: async () => {
      await Promise.all([
        page.call('Page.enable'),
        page.call('Inspector.enable'),
        page.call('Runtime.addBinding', { name: BINDING }),
        page.call('Runtime.enable'),
        page.call('Page.setLifecycleEventsEnabled', { enabled: true }),
        page.call('Emulation.setFocusEmulationEnabled', { enabled: true }),
        page.call('Emulation.setDefaultBackgroundColorOverride', { color: DARK }),
        dialogs.start(),
        inner.start(),
        appearance.apply(input.appearance),
      ]);
    },
    probe: async (withinMs = PROBE_MS) => {
      if (!crashed) void appearance.fit();
      // A crashed page never answers.
      const seen = await probe(crashed ? 0 : withinMs);
      send(seen);
      return seen.answeredMs !== null || seen.excused;
    },
    end: () => voice?.detach(),
    tidy: () => {
      inner.tidy();
      void page.call('Runtime.discardConsoleEntries');
      void page.call('Runtime.releaseObjectGroup', { objectGroup: 'console' });
    },
    onCommand: async (command) => {
      switch (command.type) {
        case 'page.load':
          await load(command.generation, `${input.origin ?? ''}${command.path}`);
          break;
        case 'page.own':
          await load(command.generation, `${input.ownOrigin}${command.path}`);
          break;
        case 'page.go':
          await navigation.go(command.generation, command.path, command.replace);
          break;
        case 'page.appearance':
          await appearance.apply(command.appearance);
          break;
        case 'page.entities':
          await entities.apply(command.filter);
          break;
        case 'page.unhang':
          await page.call('Runtime.terminateExecution');
          break;
        case 'page.freeze':
          await freezing(() => setFrozen(command.frozen));
          break;
        case 'page.forget':
          await forgetting(() => forget(command.origin));
          break;
        case 'page.sign-in':
          if (bridge.context() !== null) await navigation.reload();
          break;
        case 'page.shoot':
          await shoot(command.requestId);
          break;
        case 'page.tap':
          await tap(command);
          break;
      }
    },
  };
}
