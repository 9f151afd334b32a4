import { admitPath } from './admit-path.ts';
import { judgeSilence, pauseIsOver } from './away.ts';
import type { RestartReason } from './events.ts';
import type { RendererFacts, RendererMachineEvent } from './facts.ts';
import { judgeHealth } from './health.ts';
import { judgeMemory } from './memory.ts';

/** Whether a `page.settled` answers the command that is on its way. */
export const answersPending = ({ pending }: RendererFacts, event: RendererMachineEvent): boolean =>
  event.type === 'page.settled' && pending !== null && event.generation === pending.generation;

/** Whether a fact of the browser belongs to the one that runs. */
export const isOfThisLaunch = ({ launched }: RendererFacts, event: RendererMachineEvent): boolean =>
  (event.type === 'browser.ready' || event.type === 'browser.ended') &&
  launched !== null &&
  event.generation === launched.generation;

/** The path of a navigation, null where it is refused. */
export const admittedPath = ({ wish }: RendererFacts, event: RendererMachineEvent): string | null => {
  if (event.type !== 'renderer.navigate') return null;
  const admitted = admitPath(event.path, wish?.origin ?? null);
  return admitted.ok ? admitted.value : null;
};

/** Why a navigation is refused, in words. */
export const refusalOf = ({ wish }: RendererFacts, event: RendererMachineEvent): string => {
  const admitted = event.type === 'renderer.navigate' ? admitPath(event.path, wish?.origin ?? null) : null;
  return admitted !== null && !admitted.ok ? admitted.message : 'No dashboard is shown now.';
};

/** What the page's state asks to be mended; null while all is well. A page that was frozen on purpose is left alone. */
export const troubleOf = ({ pulses, frozen }: RendererFacts): RestartReason | null => {
  if (frozen) return null;
  const health = judgeHealth(pulses);
  return health === 'hung' || health === 'blank' ? health : null;
};

/** Whether memory asks for a new load. */
export const memoryOf = ({ memory, memoryBytes, dark, pending }: RendererFacts): RestartReason | null =>
  pending === null ? judgeMemory(memory, memoryBytes, dark) : null;

/** What a look at the platform means for the page that is shown. */
export const silenceOf = (facts: RendererFacts, event: RendererMachineEvent): 'wait' | 'away' | 'stale' => {
  if (event.type !== 'reach.seen' || facts.disconnectedSince === null || event.origin !== facts.wish?.origin)
    return 'wait';
  return judgeSilence(facts.disconnectedSince, event.reachable, event.at);
};

/** Whether a look at the platform says that it is back, and it may be loaded again. */
export const isBack = ({ away, notBefore, wish }: RendererFacts, event: RendererMachineEvent): boolean =>
  event.type === 'reach.seen' &&
  away !== null &&
  event.reachable &&
  event.origin === wish?.origin &&
  pauseIsOver(notBefore, event.at);

/**
 * Whether what is shown strayed from the panel's own page to nothing, an error or a stranger; a login is allowed, it is
 * how one signs in at the panel.
 */
export const hasStrayed = ({ pulses }: RendererFacts): boolean =>
  pulses.length >= 2 &&
  pulses
    .slice(-2)
    .every(
      ({ place, answeredMs }) => answeredMs === null || place === 'error' || place === 'blank' || place === 'other',
    );

/** Whether another load shows something else after one was not served: not once the start page itself is missing. */
export const hasFallback = (facts: RendererFacts): boolean => facts.pending !== null && facts.pending.path !== '/';

/** Whether the dashboard can be sent anywhere: a browser runs or is being brought back. */
export const takesCommands = ({ phase }: Pick<RendererFacts, 'phase'>): boolean =>
  phase !== 'off' && phase !== 'not-installed' && phase !== 'no-display' && phase !== 'starting';
