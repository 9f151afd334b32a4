import { admitPath } from './admit-path.ts';
import { judgeSilence, pauseIsOver } from './reachability.ts';
import type { ReachabilityFact, RestartReason } from './events.ts';
import type { DesiredPage, RendererFacts } from './facts.ts';
import { judgeHealth } from './health.ts';
import { judgeMemory } from './memory.ts';
import { homeOf } from './target.ts';

/** Whether what was numbered so answers the command that is on its way. */
export const answersPending = ({ pending }: RendererFacts, generation: number): boolean =>
  pending !== null && generation === pending.generation;

/** Whether what was numbered so belongs to the browser that runs. */
export const isOfThisStart = ({ started }: RendererFacts, generation: number): boolean =>
  started !== null && generation === started.generation;

/** The path of a navigation, null where it is refused. */
export function admittedPath({ desired }: RendererFacts, path: string): string | null {
  const admitted = admitPath(path, desired?.origin ?? null);
  return admitted.ok ? admitted.value : null;
}

/** What the page has to be recovered from; null while all is well. A page that was frozen on purpose is left alone. */
export function troubleOf({ probes, frozen }: RendererFacts): RestartReason | null {
  if (frozen) return null;
  const health = judgeHealth(probes);
  return health === 'hung' || health === 'blank' ? health : null;
}

/** Whether memory asks for a new load. */
export const memoryOf = ({ memory, memoryBytes, dark, pending }: RendererFacts): RestartReason | null =>
  pending === null ? judgeMemory(memory, memoryBytes, dark) : null;

/** What a probe of Home Assistant means for the page that is shown. */
export const silenceOf = (
  { disconnectedSince, desired }: RendererFacts,
  { origin, reachable, at }: ReachabilityFact,
): 'wait' | 'unreachable' | 'stale' =>
  disconnectedSince === null || origin !== desired?.origin ? 'wait' : judgeSilence(disconnectedSince, reachable, at);

/** Whether a probe of Home Assistant says that it is back, and it may be loaded again. */
export const isBack = (
  { unreachable, notBefore, desired }: RendererFacts,
  { origin, reachable, at }: ReachabilityFact,
): boolean => unreachable !== null && reachable && origin === desired?.origin && pauseIsOver(notBefore, at);

/**
 * Whether what is shown strayed from the panel's own page to nothing, an error or a stranger; a login is allowed, it is
 * how one signs in at the panel.
 */
export const hasStrayed = ({ probes }: RendererFacts): boolean =>
  probes.length >= 2 &&
  probes
    .slice(-2)
    .every(
      ({ place, answeredMs }) => answeredMs === null || place === 'error' || place === 'blank' || place === 'other',
    );

/** Whether what is being loaded is the home that is no longer wanted. */
export const isOfFormerHome = (facts: RendererFacts, desired: DesiredPage): boolean =>
  facts.pending?.kind === 'load' &&
  facts.desired?.origin === desired.origin &&
  facts.desired.home !== desired.home &&
  facts.pending.path === homeOf(facts);

/** Whether another load shows something else after one was not served: not once the start page itself is missing. */
export const hasFallback = (facts: RendererFacts): boolean => facts.pending !== null && facts.pending.path !== '/';
