import { matchesState } from 'xstate';

import type { SnapshotView } from '../kit/snapshot.ts';
import type { RendererActor, RendererPhase } from './events.ts';

type Context = RendererActor['context'];

const pages = { offline: 'waiting', loading: 'loading', showing: 'showing', settings: 'settings' } as const;

/** Derives the phase from the machine's state; while no page is open, from why the last browser ended. */
export function phaseOf({ value, context }: SnapshotView<Pick<Context, 'lastEnd'>>): RendererPhase {
  if (matchesState('off', value)) return 'off';
  for (const page of ['offline', 'loading', 'showing', 'settings'] as const)
    if (matchesState({ up: page }, value)) return pages[page];
  if (matchesState({ up: 'recovering' }, value) || context.lastEnd === 'failed') return 'recovering';
  if (context.lastEnd === null) return 'starting';
  return context.lastEnd === 'not-installed' ? 'not-installed' : 'no-display';
}

/** Public facts of the renderer, with its phase. */
export type ShownRenderer = Context & { readonly phase: RendererPhase };

export const shownRenderer = ({ value, context }: SnapshotView<Context>): ShownRenderer => ({
  ...context,
  phase: phaseOf({ value, context }),
});

/** True if the renderer takes commands: a browser runs or is being recovered. */
export const takesCommands = ({ phase }: Pick<ShownRenderer, 'phase'>): boolean =>
  phase !== 'off' && phase !== 'not-installed' && phase !== 'no-display' && phase !== 'starting';
