import { matchesState } from 'xstate';

import type { SnapshotView } from '../kit/snapshot.ts';
import type { RendererActor, RendererPhase } from './events.ts';

type Context = RendererActor['context'];

const pages = { offline: 'waiting', loading: 'loading', showing: 'showing', settings: 'settings' } as const;

/** Where the dashboard stands, by the machine's state; while no page is open, by why the last browser is gone. */
export function phaseOf({ value, context }: SnapshotView<Pick<Context, 'lastEnd'>>): RendererPhase {
  if (matchesState('off', value)) return 'off';
  for (const page of ['offline', 'loading', 'showing', 'settings'] as const)
    if (matchesState({ up: page }, value)) return pages[page];
  if (matchesState({ up: 'recovering' }, value) || context.lastEnd === 'failed') return 'recovering';
  if (context.lastEnd === null) return 'starting';
  return context.lastEnd === 'not-installed' ? 'not-installed' : 'no-display';
}

/** The renderer's facts as they are shown. */
export type ShownRenderer = Context & { readonly phase: RendererPhase };

/** The renderer's facts with its phase. */
export const shownRenderer = ({ value, context }: SnapshotView<Context>): ShownRenderer => ({
  ...context,
  phase: phaseOf({ value, context }),
});

/** Whether the dashboard can be sent anywhere: a browser runs or is being brought back. */
export const takesCommands = ({ phase }: Pick<ShownRenderer, 'phase'>): boolean =>
  phase !== 'off' && phase !== 'not-installed' && phase !== 'no-display' && phase !== 'starting';
