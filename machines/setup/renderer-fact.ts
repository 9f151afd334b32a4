import type { Verdict } from '../kit/verdict.ts';
import type { RendererPhase } from '../renderer/events.ts';
import type { SetupFacts } from './events.ts';

/** What the setup needs to know of the renderer. */
export function rendererFact({
  phase,
  verdict,
}: {
  readonly phase: RendererPhase;
  readonly verdict: Verdict;
}): SetupFacts['renderer'] {
  const { detail } = verdict;
  if (phase === 'off') return { state: 'absent', detail };
  if (verdict.state === 'needs_you') return { state: 'needs_you', detail };
  if (phase === 'showing' || phase === 'settings') return { state: 'working', detail };
  return { state: phase === 'waiting' && verdict.state === 'off' ? 'waiting' : 'checking', detail };
}
