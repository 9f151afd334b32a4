import { sectionOf } from '../kit/home-path.ts';
import type { EpochMs } from '../kit/units.ts';
import { isConnected } from './reachability.ts';
import { admitPath } from './admit-path.ts';
import { appearanceOf } from './ambient.ts';
import type { BrowserEnd, BrowserFact, StartInput, RestartReason } from './events.ts';
import type { DesiredPage, RendererFacts } from './facts.ts';
import { judgeHealth, addProbe } from './health.ts';
import { takeMemory, unloaded } from './memory.ts';
import { nextStep, record } from './recovery.ts';
import { noFailures } from './failure-streak.ts';
import { recordFailure, resetAttempt, noteTrigger, isPageFault, stayWell } from './fallback.ts';
import { ELSEWHERE } from './navigation.ts';
import { displayOf, homeInside, homeToWatch, pathToLoad } from './target.ts';

export type Change = Partial<RendererFacts>;
type PageProbeFact = Extract<BrowserFact, { type: 'page.probed' }>;

/** Maximum number of origins that wait for their storage to be cleared. */
const FORGOTTEN = 4;

/** Recomputes `health` from the probes; every transition that changes probes goes through here. */
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

/** Facts when a browser starts. `lastEnd` stays until a page is open, so that the phase does not flicker. */
export function startBrowser(facts: RendererFacts): Change {
  const { desired } = facts;
  if (desired === null) return {};
  const generation = facts.generation + 1;
  const started: StartInput = {
    generation,
    display: displayOf(desired),
    origin: desired.origin,
    ownOrigin: desired.ownOrigin,
    appearance: appearanceOf(facts),
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

/** Facts once no browser runs. */
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
 * Takes a changed setting. A new address schedules the old origin's storage for removal and discards what was known of
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
      // Its follower reports a section once: another page of the same section is listed as this one is.
      isHomeListed: homeToWatch(before) === homeToWatch(desired) ? facts.isHomeListed : null,
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
    // A path requested before any address was set was meant for this one.
    goal: before.origin === null ? facts.goal : null,
    startPath: null,
    homeMissing: false,
    isHomeListed: null,
    unreachable: null,
    certificate: null,
    disconnectedSince: null,
    failedLoads: 0,
    notBefore: 0,
    everReached: false,
  });
}

/** A command that the page answers is in flight. */
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

export const sendOwn = (facts: RendererFacts, path: string): Change =>
  judged(facts, {
    ...send(facts, 'own', path, 'sconce'),
    lastEnd: null,
    rendered: false,
    path: null,
    disconnectedSince: null,
    touchedAt: facts.at,
  });

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

/** Navigates inside the loaded dashboard; from here on, where its load led is no longer observed. */
export const sendGo = (facts: RendererFacts, path: string, origin: string): Change => ({
  ...send(facts, 'go', path, origin),
  touchedAt: facts.at,
  landing: null,
});

/** Where a full load led, known once the dashboard is drawn, since the frontend redirects by itself. */
function arrive(facts: RendererFacts, path: string | null): Change {
  if (facts.landing === null || path === null) return {};
  if (facts.landing === '/') return { landing: null, startPath: path };
  if (sectionOf(path) === sectionOf(facts.landing)) return { landing: null, homeMissing: false };
  const { lastNavigation: last } = facts;
  return {
    landing: null,
    homeMissing: facts.landing === facts.desired?.home,
    // Until it was drawn, its document counted as the page that was asked for.
    ...(last?.outcome === 'shown' && {
      lastNavigation: { ...last, outcome: 'elsewhere' as const, message: ELSEWHERE },
    }),
  };
}

/** Takes a probe of the page; `isShowing` is true while the dashboard is loaded. */
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

/** Takes the page's report on its socket. A frozen page closes it, which is no trouble. */
export function takeConnection(facts: RendererFacts, event: Extract<BrowserFact, { type: 'page.connection' }>): Change {
  if (event.state === 'connected') return judged(facts, { at: event.at, disconnectedSince: null, everReached: true });
  if (facts.frozen) return { at: event.at };
  return judged(facts, { at: event.at, disconnectedSince: facts.disconnectedSince ?? event.at });
}

export const takeSize = (facts: RendererFacts, event: Extract<BrowserFact, { type: 'browser.memory' }>): Change => ({
  at: event.at,
  memoryBytes: event.pssBytes,
  memory: takeMemory(facts.memory, event.pssBytes, event.at),
});

/** The next step and the pause before it. A fault of the page itself is limited by its attempts, without a pause. */
function chooseStep(facts: RendererFacts, reason: RestartReason, at: EpochMs, wasShown: boolean) {
  if (isPageFault(facts, reason)) {
    const { step, ...change } = recordFailure(facts, reason, at, wasShown);
    return { step, delayMs: 0, change };
  }
  const { step, delayMs } = nextStep(facts.restarts, at);
  // A dashboard that only a restart recovers is opened at home instead of the same path.
  return step === 'restart' ? { step, delayMs: 0, change: { goal: null } } : { step, delayMs, change: {} };
}

/** Records trouble with a page, which was shown (`wasShown`) or still loading, and chooses the next step. */
export function recover(facts: RendererFacts, reason: RestartReason, at: EpochMs, wasShown: boolean): Change {
  const { step, delayMs, change } = chooseStep(facts, reason, at, wasShown);
  // Restarting a browser has its own pause (`restDelay`).
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

export const noteEnd = (facts: RendererFacts, ended: BrowserEnded): Change => ({
  ...note(facts, whyEnded(ended), ended.at),
  at: ended.at,
});

/**
 * Records the end of the browser as a failure of its page too, which was shown (`wasShown`) or still loading. The next
 * page may be another one.
 */
export function noteEndOfPage(facts: RendererFacts, ended: BrowserEnded, wasShown: boolean): Change {
  // Another program is not observed, so its end says nothing about the page.
  if (facts.mode !== 'builtin') return noteEnd(facts, ended);
  const { step: _, ...failure } = recordFailure(facts, whyEnded(ended), ended.at, wasShown);
  return { ...failure, ...noteEnd(facts, ended) };
}

/** Records a restart. */
export const note = (facts: RendererFacts, reason: RestartReason, at: EpochMs): Change => ({
  restarts: record(facts.restarts, reason, at),
});

/** Schedules the current origin's storage for removal; the dashboard then opens as if for the first time. */
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

/** Keeps an admitted path for the next load; any other changes nothing. */
export function takeGoal(facts: RendererFacts, path: string): Change {
  const admitted = admitPath(path, facts.desired?.origin ?? null);
  return admitted.ok ? { ...resetAttempt(facts), goal: admitted.value } : {};
}

/** Navigates home inside the dashboard; the next load is home too. */
export const goHome = (facts: RendererFacts, origin: string): Change => ({
  ...sendGo(facts, homeInside(facts), origin),
  goal: null,
});
