import { createActor, SimulatedClock, type EventObject } from 'xstate';

import { fromDriver } from '#drivers/kit/from-driver.ts';
import type {
  BrowserCommand,
  BrowserFact,
  StartInput,
  ReachabilityCommand,
  SettledOutcome,
} from '#machines/renderer/events.ts';
import type { DesiredPage, RendererMachineEvent } from '#machines/renderer/facts.ts';
import type { ChangeCommand } from '#machines/renderer/change-events.ts';
import { rendererMachine } from '#machines/renderer/machine.ts';
import { shownFacts } from '#test/fakes/renderer.ts';

/** A page that is wanted, as the settings say it. */
export const desired: DesiredPage = {
  mode: 'auto',
  simulated: false,
  program: 'builtin',
  origin: 'http://ha.test:8123',
  home: '/lovelace/hall',
  ownOrigin: 'http://127.0.0.1:8888',
  appearance: { zoomPercent: 100, theme: 'follow', kiosk: true, fullscreen: true },
  idleReturnMin: 0,
};
/** A sign-in that holds. */
export const signedIn = { phase: 'signed-in', method: 'oauth', revision: 1 } as const;

/** The renderer's machine on a simulated clock, with a browser that does only what a test says. */
export function start(first: Partial<DesiredPage> = {}) {
  const clock = new SimulatedClock();
  const launches: StartInput[] = [];
  const commands: BrowserCommand[] = [];
  const watched: (string | null)[] = [];
  const watchedDashboards: (string | null)[] = [];
  const replies: EventObject[] = [];
  let now = 1_000_000;
  const actor = createActor(
    rendererMachine.provide({
      actors: {
        followed: fromDriver<EventObject, undefined, never>(() => {}),
        reachability: fromDriver<ReachabilityCommand, undefined, never>(({ onEvent }) =>
          onEvent(({ origin }) => void watched.push(origin)),
        ),
        changes: fromDriver<ChangeCommand, undefined, never>(({ onEvent }) =>
          onEvent(({ dashboard }) => void watchedDashboards.push(dashboard)),
        ),
        browser: fromDriver<BrowserCommand, StartInput, BrowserFact>(({ input, onEvent }) => {
          launches.push(input);
          onEvent((command) => void commands.push(command));
        }),
      },
    }),
    { clock },
  );
  actor.on('reply', (reply) => void replies.push(reply));
  let loginsLeft = 0;
  actor.on('page.login-left', () => void (loginsLeft += 1));
  actor.start();
  const send = (event: RendererMachineEvent): void => actor.send(event);
  const facts = () => shownFacts(actor.getSnapshot());
  const generation = (): number => facts().generation;
  const settle = (outcome: SettledOutcome, more: { path?: string; status?: number } = {}): void =>
    send({
      type: 'page.settled',
      generation: generation(),
      outcome,
      status: more.status ?? null,
      path: more.path ?? facts().pending?.path ?? null,
      tookMs: 5,
      at: (now += 10),
    });
  const probe = (more: Partial<Extract<BrowserFact, { type: 'page.probed' }>> = {}): void =>
    send({
      type: 'page.probed',
      answeredMs: 2,
      excused: false,
      showing: true,
      connected: true,
      unansweredMs: 0,
      place: 'dashboard',
      path: '/lovelace/hall',
      homeAssistantVersion: '2026.11.0',
      at: (now += 5000),
      ...more,
    });
  const ready = (): void =>
    send({
      type: 'browser.ready',
      generation: launches.at(-1)?.generation ?? -1,
      route: 'wayland',
      version: 'Chromium 156',
      at: (now += 10),
    });
  const ended = (reason: Extract<BrowserFact, { type: 'browser.ended' }>['reason']): void =>
    send({ type: 'browser.ended', generation: launches.at(-1)?.generation ?? -1, reason, at: (now += 10) });
  const seen = (reachable: boolean, afterMs = 2000): void =>
    send({
      type: 'reachability.probed',
      origin: desired.origin ?? '',
      reachable,
      reason: reachable ? null : 'refused',
      at: (now += afterMs),
    });
  const last = (type: BrowserCommand['type']) => commands.filter((command) => command.type === type).at(-1);
  const pass = (ms: number, stepMs = 50): void => {
    for (let gone = 0; gone < ms; gone += stepMs) clock.increment(stepMs);
  };
  send({ type: 'credential.changed', credential: signedIn });
  send({ type: 'page.desired', desired: { ...desired, ...first } });
  const show = (): void => {
    ready();
    settle('shown');
    probe();
  };
  return {
    actor,
    launches,
    commands,
    watched,
    watchedDashboards,
    replies,
    /** How often the sign-in was told that the browser is elsewhere now. */
    loginsLeft: () => loginsLeft,
    send,
    facts,
    settle,
    probe,
    ready,
    ended,
    seen,
    last,
    pass,
    show,
    later: (ms: number) => (now += ms),
  };
}
