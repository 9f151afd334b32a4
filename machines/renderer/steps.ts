import type { EpochMs } from '../kit/units.ts';
import { admitPath } from './admit-path.ts';
import { loadPause } from './away.ts';
import type { BrowserFact, LaunchInput, ReachReason, RendererPhase, RestartReason, SettledOutcome } from './events.ts';
import type { RendererFacts, RendererMachineEvent, Wish } from './facts.ts';
import { judgeHealth, takePulse } from './health.ts';
import { takeMemory, unloaded } from './memory.ts';
import { nextStep, record } from './mend.ts';
import { displayOf, homeInside, homeOf, pathToLoad } from './target.ts';
import { judgeRenderer } from './verdict.ts';

/** A change of what is remembered. */
export type Change = Partial<RendererFacts>;
type Settled = Extract<BrowserFact, { type: 'page.settled' }>;
type PulseFact = Extract<BrowserFact, { type: 'page.pulse' }>;

/** Most origins whose storage waits to be removed. */
const FORGOTTEN = 4;

/** The time that an event carries, else the newest known. */
export const momentOf = (facts: RendererFacts, event: RendererMachineEvent): EpochMs =>
  'at' in event ? event.at : facts.at;

/** The first part of a path: the dashboard, whatever its view. */
const sectionOf = (path: string): string => /^\/([^/?#]*)/.exec(path)?.[1] ?? '';

/** Puts the verdict beside the facts it follows from; each step passes here. */
export const judged = (facts: RendererFacts, change: Change): Change => {
  const next = { ...facts, ...change };
  return { ...change, health: judgeHealth(next.pulses), verdict: judgeRenderer(next) };
};

/** Enters a phase. */
export const enter = (facts: RendererFacts, phase: RendererPhase): Change => judged(facts, { phase });

const shownNothing: Change = {
  rendered: false,
  place: 'blank',
  path: null,
  pulses: [],
  pending: null,
  landing: null,
  frozen: false,
  disconnectedSince: null,
  memory: unloaded,
};

/** What stays true while another try is made, so that it does not flicker. */
const lasting: ReadonlySet<RendererPhase> = new Set(['not-installed', 'no-display', 'recovering']);

/** A browser begins: what it is launched with. */
export const launch = (facts: RendererFacts): Change => {
  const { wish } = facts;
  if (wish === null) return {};
  const generation = facts.generation + 1;
  const launched: LaunchInput = {
    generation,
    display: displayOf(wish),
    origin: wish.origin,
    ownOrigin: wish.ownOrigin,
    look: wish.look,
    program: wish.program,
  };
  return judged(facts, {
    ...shownNothing,
    phase: lasting.has(facts.phase) ? facts.phase : 'starting',
    mode: wish.program === 'builtin' ? 'builtin' : 'external',
    generation,
    launched,
    route: null,
    browser: null,
    platformVersion: null,
  });
};

/** Nothing runs any more. */
export const dismiss = (facts: RendererFacts, phase: RendererPhase): Change =>
  judged(facts, {
    ...shownNothing,
    phase,
    launched: null,
    route: null,
    browser: null,
    mode: facts.wish?.mode === 'none' ? 'none' : facts.mode,
    mending: null,
  });

/**
 * The owner said something else; another address makes the old one's storage due for removal and ends what was known of
 * its platform.
 */
export const takeWish = (facts: RendererFacts, wish: Wish): Change => {
  const before = facts.wish;
  if (before === null || before.origin === wish.origin) {
    return judged(facts, {
      wish,
      homeMissing: facts.homeMissing && before?.home === wish.home,
      mode: wish.mode === 'none' ? 'none' : wish.program === 'builtin' ? 'builtin' : 'external',
    });
  }
  const forget =
    before.origin === null
      ? facts.forget
      : [...facts.forget.filter((origin) => origin !== before.origin), before.origin].slice(-FORGOTTEN);
  return judged(facts, {
    wish,
    forget: forget.filter((origin) => origin !== wish.origin),
    goal: null,
    startPath: null,
    homeMissing: false,
    away: null,
    disconnectedSince: null,
    failedLoads: 0,
    notBefore: 0,
    everReached: false,
  });
};

/** A command that is answered is on its way. */
const send = (facts: RendererFacts, kind: 'load' | 'go' | 'own', path: string, origin: string): Change => {
  const generation = facts.generation + 1;
  return { generation, pending: { kind, generation, path, origin }, frozen: false, pulses: [] };
};

/** A page of the panel itself is opened. */
export const sendOwn = (facts: RendererFacts, path: string, phase: RendererPhase): Change =>
  judged(facts, {
    ...send(facts, 'own', path, 'sconce'),
    phase,
    rendered: false,
    path: null,
    disconnectedSince: null,
    touchedAt: facts.at,
  });

/** The dashboard is loaded in full. */
export const sendLoad = (facts: RendererFacts): Change =>
  judged(facts, {
    ...send(facts, 'load', pathToLoad(facts), facts.pending?.origin ?? 'sconce'),
    phase: 'loading',
    rendered: false,
    mending: null,
    disconnectedSince: null,
    touchedAt: facts.at,
  });

/** The loaded dashboard is asked to show a path. */
export const sendGo = (facts: RendererFacts, path: string, origin: string): Change => ({
  ...send(facts, 'go', path, origin),
  touchedAt: facts.at,
});

const messages: Partial<Readonly<Record<SettledOutcome, string>>> = {
  elsewhere: 'Home Assistant opened another page: there is no such dashboard, or this user may not see it.',
  timeout: 'The page did not open in time.',
  unreachable: 'Home Assistant does not answer.',
  'http-error': 'Home Assistant does not serve this page.',
  'not-ready': 'The dashboard did not take the command; it is loaded anew.',
};

const navigation = (facts: RendererFacts, settled: Settled): Change => ({
  lastNavigation: {
    outcome: settled.outcome,
    message: messages[settled.outcome] ?? null,
    origin: facts.pending?.origin ?? 'sconce',
    tookMs: settled.tookMs,
    at: settled.at,
  },
});

/** The dashboard stands, loaded or navigated. */
export const takeShown = (facts: RendererFacts, settled: Settled): Change => {
  const asked = facts.pending;
  const loaded = asked?.kind === 'load';
  const missesHome =
    settled.outcome === 'elsewhere' && facts.wish !== null && facts.wish.home !== '' && asked?.path === facts.wish.home;
  return judged(facts, {
    ...navigation(facts, settled),
    pending: null,
    path: settled.path ?? asked?.path ?? null,
    goal: settled.outcome === 'elsewhere' ? null : (asked?.path ?? null),
    landing: loaded ? asked.path : null,
    homeMissing:
      missesHome || (facts.homeMissing && !(settled.outcome === 'shown' && asked?.path === facts.wish?.home)),
    place: 'dashboard',
    everReached: true,
    ...(loaded ? { failedLoads: 0, memory: { loadedAt: settled.at, baseBytes: null } } : {}),
  });
};

/**
 * The platform has no such page: the next load is that of home, or of the start page where it was home that is missing.
 */
export const takeMissing = (facts: RendererFacts, settled: Settled): Change =>
  judged(facts, {
    ...navigation(facts, settled),
    goal: null,
    homeMissing: facts.homeMissing || facts.pending?.path === homeOf(facts),
    everReached: true,
  });

/** The platform is away since the socket closed, else since now; the next load waits longer each time. */
export const leave = (facts: RendererFacts, reason: string, at: EpochMs, settled: Settled | null = null): Change => {
  const failedLoads = facts.pending?.kind === 'load' ? facts.failedLoads + 1 : facts.failedLoads;
  return judged(facts, {
    ...(settled === null ? {} : navigation(facts, settled)),
    away: facts.away ?? { since: facts.disconnectedSince ?? at, reason },
    failedLoads,
    notBefore: at + loadPause(failedLoads),
    pending: null,
  });
};

/** The platform is back. */
export const comeBack = (facts: RendererFacts): Change =>
  judged(facts, { away: null, disconnectedSince: null, everReached: true });

/** Another reason for which the platform is still away. */
export const stillAway = (facts: RendererFacts, reason: ReachReason | null): Change =>
  facts.away === null || reason === null ? {} : { away: { since: facts.away.since, reason } };

/** Where a full load led, known once the dashboard is drawn: the frontend itself leads on. */
const land = (facts: RendererFacts, path: string | null): Change => {
  if (facts.landing === null || path === null) return {};
  if (facts.landing === '/') return { landing: null, startPath: path };
  return {
    landing: null,
    homeMissing: facts.landing === facts.wish?.home && sectionOf(path) !== sectionOf(facts.landing),
  };
};

/** A look at the page. */
export const takeLook = (facts: RendererFacts, pulse: PulseFact): Change => {
  const onDashboard = facts.phase === 'showing' && pulse.place === 'dashboard';
  const since =
    pulse.connected === true
      ? null
      : pulse.connected === false && !pulse.excused && facts.phase === 'showing'
        ? (facts.disconnectedSince ?? pulse.at)
        : facts.disconnectedSince;
  return judged(facts, {
    at: pulse.at,
    pulses: takePulse(facts.pulses, pulse),
    place: pulse.answeredMs === null ? facts.place : pulse.place,
    path: pulse.path ?? facts.path,
    goal: onDashboard && facts.pending === null ? (pulse.path ?? facts.goal) : facts.goal,
    rendered: onDashboard ? pulse.showing !== false && pulse.answeredMs !== null : facts.rendered,
    platformVersion: pulse.platformVersion ?? facts.platformVersion,
    disconnectedSince: facts.frozen ? facts.disconnectedSince : since,
    ...(onDashboard && pulse.showing === true ? land(facts, pulse.path) : {}),
  });
};

/** The page's own word on its socket; a frozen page closes it by itself. */
export const takeConnection = (
  facts: RendererFacts,
  event: Extract<BrowserFact, { type: 'page.connection' }>,
): Change => {
  if (event.state === 'connected') return judged(facts, { at: event.at, disconnectedSince: null, everReached: true });
  if (facts.frozen) return { at: event.at };
  return judged(facts, { at: event.at, disconnectedSince: facts.disconnectedSince ?? event.at });
};

/** Memory was measured. */
export const takeSize = (facts: RendererFacts, event: Extract<BrowserFact, { type: 'browser.memory' }>): Change => ({
  at: event.at,
  memoryBytes: event.pssBytes,
  memory: takeMemory(facts.memory, event.pssBytes, event.at),
});

/** Trouble with the page: recorded, and the next step chosen. */
export const mend = (facts: RendererFacts, reason: RestartReason, at: EpochMs): Change => {
  const { step, delayMs } = nextStep(facts.restarts, reason, at);
  // A browser that is launched anew rests before that.
  const change: Change = {
    mending: { step, reason, delayMs: step === 'relaunch' ? 0 : delayMs },
    restarts: record(facts.restarts, reason, at),
    phase: 'recovering',
    rendered: false,
    pulses: [],
    pending: null,
    disconnectedSince: null,
    at,
  };
  // A dashboard that only a stronger step brought back is not opened again at the same place.
  return judged(facts, step === 'relaunch' ? { ...change, goal: null } : change);
};

/** Something was loaded anew that was in no trouble. */
export const note = (facts: RendererFacts, reason: RestartReason, at: EpochMs): Change => ({
  restarts: record(facts.restarts, reason, at),
});

/** A path was asked for: kept for the next load, or refused with its reason. */
export const takeGoal = (facts: RendererFacts, path: string): Change => {
  const admitted = admitPath(path, facts.wish?.origin ?? null);
  return admitted.ok ? { goal: admitted.value } : {};
};

/** A wish that is refused, in words. */
export const refuseNavigation = (facts: RendererFacts, origin: string, message: string): Change => ({
  lastNavigation: { outcome: 'refused', message, origin, tookMs: 0, at: facts.at },
});

/** Home, as the next load or inside the dashboard. */
export const goHome = (facts: RendererFacts, origin: string): Change => ({
  ...sendGo(facts, homeInside(facts), origin),
  goal: null,
});
