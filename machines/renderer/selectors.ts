import { admitPath } from './admit-path.ts';
import { judgeSilence, pauseIsOver } from './reachability.ts';
import type { ReachabilityFact, RestartReason } from './events.ts';
import type { DesiredPage, RendererFacts } from './facts.ts';
import { judgeHealth } from './health.ts';
import { judgeMemory } from './memory.ts';
import { homeOf } from './target.ts';

/** True if this generation answers the command in flight. */
export const answersPending = ({ pending }: RendererFacts, generation: number): boolean =>
  pending !== null && generation === pending.generation;

/** True if this generation belongs to the running browser. */
export const isOfThisStart = ({ started }: RendererFacts, generation: number): boolean =>
  started !== null && generation === started.generation;

/** The admitted path of a navigation; null if refused. */
export function admittedPath({ desired }: RendererFacts, path: string): string | null {
  const admitted = admitPath(path, desired?.origin ?? null);
  return admitted.ok ? admitted.value : null;
}

/** The trouble to recover from; null while there is none. A page that was frozen on purpose is left alone. */
export function troubleOf({ probes, frozen }: RendererFacts): RestartReason | null {
  if (frozen) return null;
  const health = judgeHealth(probes);
  return health === 'hung' || health === 'blank' ? health : null;
}

/** The reason to reload for memory; null while there is none or a command is in flight. */
export const memoryOf = ({ memory, memoryBytes, dark, pending }: RendererFacts): RestartReason | null =>
  pending === null ? judgeMemory(memory, memoryBytes, dark) : null;

/** Judges a probe of Home Assistant for the page that is shown. */
export const silenceOf = (
  { disconnectedSince, desired }: RendererFacts,
  { origin, reachable, at }: ReachabilityFact,
): 'wait' | 'unreachable' | 'stale' =>
  disconnectedSince === null || origin !== desired?.origin ? 'wait' : judgeSilence(disconnectedSince, reachable, at);

/** True if a probe shows that Home Assistant is back and may be loaded again. */
export const isBack = (
  { unreachable, notBefore, desired }: RendererFacts,
  { origin, reachable, at }: ReachabilityFact,
): boolean => unreachable !== null && reachable && origin === desired?.origin && pauseIsOver(notBefore, at);

/**
 * True if the browser left the panel's own page for an empty, an error or a foreign page. A login page is fine, since
 * the owner may sign in at the panel.
 */
export const hasStrayed = ({ probes }: RendererFacts): boolean =>
  probes.length >= 2 &&
  probes
    .slice(-2)
    .every(
      ({ place, answeredMs }) => answeredMs === null || place === 'error' || place === 'blank' || place === 'other',
    );

/** True if the load in flight is for a home dashboard that is no longer wanted. */
export const isOfFormerHome = (facts: RendererFacts, desired: DesiredPage): boolean =>
  facts.pending?.kind === 'load' &&
  facts.desired?.origin === desired.origin &&
  facts.desired.home !== desired.home &&
  facts.pending.path === homeOf(facts);

/** True if another load can show something else after a 404; false once the start page itself is missing. */
export const hasFallback = (facts: RendererFacts): boolean => facts.pending !== null && facts.pending.path !== '/';
