import { sectionOf } from '../kit/home-path.ts';
import type { EpochMs } from '../kit/units.ts';
import { isConnected } from './reachability.ts';
import { admitPath } from './admit-path.ts';
import type { BrowserEnd, BrowserFact, StartInput, RestartReason } from './events.ts';
import type { DesiredPage, RendererFacts } from './facts.ts';
import { judgeHealth, addProbe } from './health.ts';
import { takeMemory, unloaded } from './memory.ts';
import { nextStep, record } from './recovery.ts';
import { noFailures } from './failure-streak.ts';
import { recordFailure, resetAttempt, noteTrigger, isPageFault, stayWell } from './fallback.ts';
import { displayOf, homeInside, pathToLoad } from './target.ts';

/** A change of what is remembered. */
export type Change = Partial<RendererFacts>;
type PageProbeFact = Extract<BrowserFact, { type: 'page.probed' }>;

/** Most origins whose storage waits to be removed. */
const FORGOTTEN = 4;

/** Puts the health beside the probes it follows from; each step that changes them passes here. */
export function judged(facts: RendererFacts, change: Change): Change {
  return { ...change, health: judgeHealth(change.probes ?? facts.probes) };
}

const shownNothing: Change = {
  rendered: false,
  place: 'blank',
  path: null,
  probes: [],
  pending: null,
  landing: null,
  frozen: false,
  taps: [],
  disconnectedSince: null,
  memory: unloaded,
  wellSince: null,
  asked: null,
};

/** A browser begins: what it is launched with. Why the last one is gone stays known, so that it does not flicker. */
export function startBrowser(facts: RendererFacts): Change {
  const { desired } = facts;
  if (desired === null) return {};
  const generation = facts.generation + 1;
  const started: StartInput = {
    generation,
    display: displayOf(desired),
    origin: desired.origin,
    ownOrigin: desired.ownOrigin,
    appearance: desired.appearance,
    program: desired.program,
  };
  return judged(facts, {
    ...shownNothing,
    mode: desired.program === 'builtin' ? 'builtin' : 'external',
    generation,
    started,
    route: null,
    browser: null,
    homeAssistantVersion: null,
  });
}

/** Nothing runs any more. */
export const closeBrowser = (facts: RendererFacts, lastEnd: BrowserEnd | null): Change =>
  judged(facts, {
    ...shownNothing,
    lastEnd,
    started: null,
    route: null,
    browser: null,
    mode: facts.desired?.mode === 'none' ? 'none' : facts.mode,
    recovery: null,
  });

/**
 * The owner said something else; another address makes the old one's storage due for removal and ends what was known of
 * its Home Assistant.
 */
export function takeDesired(facts: RendererFacts, desired: DesiredPage): Change {
  const before = facts.desired;
  if (before === null || before.origin === desired.origin) {
    return judged(facts, {
      ...noteTrigger(facts, 'asked'),
      ...(before !== null && { failureStreak: noFailures }),
      desired,
      homeMissing: facts.homeMissing && before?.home === desired.home,
      mode: desired.mode === 'none' ? 'none' : desired.program === 'builtin' ? 'builtin' : 'external',
    });
  }
  const forget =
    before.origin === null
      ? facts.forget
      : [...facts.forget.filter((origin) => origin !== before.origin), before.origin].slice(-FORGOTTEN);
  return judged(facts, {
    ...resetAttempt(facts),
    desired,
    forget: forget.filter((origin) => origin !== desired.origin),
    // What was asked for before there was an address was meant for this one.
    goal: before.origin === null ? facts.goal : null,
    startPath: null,
    homeMissing: false,
    unreachable: null,
    certificate: null,
    disconnectedSince: null,
    failedLoads: 0,
    notBefore: 0,
    everReached: false,
  });
}

/** A command that is answered is on its way. */
function send(facts: RendererFacts, kind: 'load' | 'go' | 'own', path: string, origin: string): Change {
  const generation = facts.generation + 1;
  return {
    generation,
    pending: { kind, generation, path, origin },
    frozen: false,
    probes: [],
    asked: kind === 'own' ? null : path,
  };
}

/** A page of the panel itself is opened. */
export const sendOwn = (facts: RendererFacts, path: string): Change =>
  judged(facts, {
    ...send(facts, 'own', path, 'sconce'),
    lastEnd: null,
    rendered: false,
    path: null,
    disconnectedSince: null,
    touchedAt: facts.at,
  });

/** The dashboard is loaded in full. */
export const sendLoad = (facts: RendererFacts): Change =>
  judged(facts, {
    ...send(facts, 'load', pathToLoad(facts), facts.pending?.origin ?? 'sconce'),
    lastEnd: null,
    rendered: false,
    recovery: null,
    disconnectedSince: null,
    wellSince: null,
    touchedAt: facts.at,
  });

/** The loaded dashboard is asked to show a path; where its load led is no longer seen then. */
export const sendGo = (facts: RendererFacts, path: string, origin: string): Change => ({
  ...send(facts, 'go', path, origin),
  touchedAt: facts.at,
  landing: null,
});

/** Where a full load led, known once the dashboard is drawn: the frontend itself leads on. */
function arrive(facts: RendererFacts, path: string | null): Change {
  if (facts.landing === null || path === null) return {};
  if (facts.landing === '/') return { landing: null, startPath: path };
  return {
    landing: null,
    homeMissing: facts.landing === facts.desired?.home && sectionOf(path) !== sectionOf(facts.landing),
  };
}

/** A probe of the page; `isShowing` where the dashboard is loaded. */
export function takeProbe(facts: RendererFacts, probe: PageProbeFact, isShowing: boolean): Change {
  const onDashboard = isShowing && probe.place === 'dashboard';
  const connected = isConnected(probe);
  const since =
    connected === true
      ? null
      : connected === false && !probe.excused && isShowing
        ? (facts.disconnectedSince ?? probe.at)
        : facts.disconnectedSince;
  return judged(facts, {
    ...(isShowing && stayWell(facts, probe)),
    at: probe.at,
    probes: addProbe(facts.probes, { ...probe, connected }),
    place: probe.answeredMs === null ? facts.place : probe.place,
    path: probe.path ?? facts.path,
    goal: onDashboard && facts.pending === null ? (probe.path ?? facts.goal) : facts.goal,
    rendered: onDashboard ? probe.showing !== false && probe.answeredMs !== null : facts.rendered,
    homeAssistantVersion: probe.homeAssistantVersion ?? facts.homeAssistantVersion,
    disconnectedSince: facts.frozen ? facts.disconnectedSince : since,
    ...(onDashboard && probe.showing === true ? arrive(facts, probe.path) : {}),
  });
}

/** The page's own word on its socket; a frozen page closes it by itself. */
export function takeConnection(facts: RendererFacts, event: Extract<BrowserFact, { type: 'page.connection' }>): Change {
  if (event.state === 'connected') return judged(facts, { at: event.at, disconnectedSince: null, everReached: true });
  if (facts.frozen) return { at: event.at };
  return judged(facts, { at: event.at, disconnectedSince: facts.disconnectedSince ?? event.at });
}

/** Memory was measured. */
export const takeSize = (facts: RendererFacts, event: Extract<BrowserFact, { type: 'browser.memory' }>): Change => ({
  at: event.at,
  memoryBytes: event.pssBytes,
  memory: takeMemory(facts.memory, event.pssBytes, event.at),
});

/**
 * What is done about a page, and after which pause: its own fault is bounded by its attempts, and waits for nothing.
 */
function chooseStep(facts: RendererFacts, reason: RestartReason, at: EpochMs, stood: boolean) {
  if (isPageFault(facts, reason)) {
    const { step, ...change } = recordFailure(facts, reason, at, stood);
    return { step, delayMs: 0, change };
  }
  const { step, delayMs } = nextStep(facts.restarts, at);
  // A dashboard that only a stronger step brings back is not opened again at the same place.
  return step === 'restart' ? { step, delayMs: 0, change: { goal: null } } : { step, delayMs, change: {} };
}

/** Trouble with the page, which `stood` before or was being loaded: recorded, and the next step chosen. */
export function recover(facts: RendererFacts, reason: RestartReason, at: EpochMs, stood: boolean): Change {
  const { step, delayMs, change } = chooseStep(facts, reason, at, stood);
  // A browser that is launched anew rests before that.
  return judged(facts, {
    ...change,
    recovery: { step, reason, delayMs },
    restarts: record(facts.restarts, reason, at),
    rendered: false,
    probes: [],
    pending: null,
    disconnectedSince: null,
    at,
  });
}

type BrowserEnded = Extract<BrowserFact, { type: 'browser.ended' }>;

const whyEnded = ({ reason }: BrowserEnded): RestartReason =>
  reason === 'killed' || reason === 'start-timeout' ? reason : 'exited';

/** The browser ended: recorded. */
export const noteEnd = (facts: RendererFacts, ended: BrowserEnded): Change => ({
  ...note(facts, whyEnded(ended), ended.at),
  at: ended.at,
});

/**
 * The browser ended with the dashboard, which `stood` or was being loaded: recorded as a failure of it too, and what is
 * opened next may be another page.
 */
export function noteEndOfPage(facts: RendererFacts, ended: BrowserEnded, stood: boolean): Change {
  // A browser of another program is not watched: nothing says that what it showed was well.
  if (facts.mode !== 'builtin') return noteEnd(facts, ended);
  const { step: _, ...failure } = recordFailure(facts, whyEnded(ended), ended.at, stood);
  return { ...failure, ...noteEnd(facts, ended) };
}

/** Something was loaded anew that was in no trouble. */
export const note = (facts: RendererFacts, reason: RestartReason, at: EpochMs): Change => ({
  restarts: record(facts.restarts, reason, at),
});

/** What the browser keeps of Home Assistant is due for removal, and the dashboard is opened as for the first time. */
export function forgetDashboard(facts: RendererFacts): Change {
  const origin = facts.desired?.origin ?? null;
  return origin === null
    ? {}
    : {
        ...resetAttempt(facts),
        ...note(facts, 'storage-cleared', facts.at),
        forget: [...facts.forget.filter((other) => other !== origin), origin].slice(-FORGOTTEN),
        pending: null,
      };
}

/** A path was asked for: kept for the next load, or refused with its reason. */
export function takeGoal(facts: RendererFacts, path: string): Change {
  const admitted = admitPath(path, facts.desired?.origin ?? null);
  return admitted.ok ? { ...resetAttempt(facts), goal: admitted.value } : {};
}

/** Home, as the next load or inside the dashboard. */
export const goHome = (facts: RendererFacts, origin: string): Change => ({
  ...sendGo(facts, homeInside(facts), origin),
  goal: null,
});
