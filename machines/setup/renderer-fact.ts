import type { RendererActor } from '../renderer/events.ts';
import type { SetupFacts } from './events.ts';

/** What the setup needs of the renderer. */
export const rendererFact = ({
  phase,
  verdict,
}: Pick<RendererActor['context'], 'phase' | 'verdict'>): SetupFacts['renderer'] => {
  const { detail } = verdict;
  if (phase === 'off') return { state: 'absent', detail };
  if (verdict.state === 'needs_you') return { state: 'needs_you', detail };
  if (phase === 'showing' || phase === 'settings') return { state: 'working', detail };
  return { state: phase === 'waiting' && verdict.state === 'off' ? 'waiting' : 'checking', detail };
};
