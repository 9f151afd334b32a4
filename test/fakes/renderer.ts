import type { StateValue } from 'xstate';

import type { RendererPhase } from '#machines/renderer/events.ts';
import type { RendererFacts } from '#machines/renderer/facts.ts';
import { phaseOf, type ShownRenderer } from '#machines/renderer/phase.ts';
import { judgeRenderer } from '#machines/renderer/verdict.ts';
import type { Verdict } from '#machines/kit/verdict.ts';
import { fakeDeps, settledFacts } from './route-deps.ts';

/** A state of the renderer for each of its phases. */
export const rendererStates: Readonly<Record<RendererPhase, StateValue>> = {
  off: 'off',
  'not-installed': 'absent',
  'no-display': 'absent',
  starting: { up: 'starting' },
  waiting: { up: { offline: 'open' } },
  loading: { up: 'loading' },
  showing: { up: { showing: 'live' } },
  settings: { up: { settings: 'open' } },
  recovering: { up: 'recovering' },
};

/** What the renderer's machine remembers, with what is derived from it. */
export function shownFacts(snapshot: {
  readonly value: StateValue;
  readonly context: RendererFacts;
}): RendererFacts & ShownRenderer & { readonly verdict: Verdict } {
  const shown = { ...snapshot.context, phase: phaseOf(snapshot) };
  return { ...shown, verdict: judgeRenderer(shown) };
}

/** Routes over a settled panel whose renderer is in a phase, with other facts of it where they are given. */
export function depsIn(phase: RendererPhase, change: Partial<RendererFacts> = {}): ReturnType<typeof fakeDeps> {
  const deps = fakeDeps();
  const lastEnd = phase === 'not-installed' || phase === 'no-display' ? phase : null;
  // The settled renderer is what the actor would show.
  const facts = { ...(settledFacts()['renderer'] as RendererFacts), lastEnd, ...change };
  deps.registry.put('renderer', facts, rendererStates[phase]);
  return deps;
}
