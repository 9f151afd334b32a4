import { expect, it } from 'vitest';
import type { StateValue } from 'xstate';

import type { BrowserEnd, RendererPhase } from '#machines/renderer/events.ts';
import { initialFacts } from '#machines/renderer/initial.ts';
import { rendererMachine } from '#machines/renderer/machine.ts';
import { phaseOf, takesCommands } from '#machines/renderer/phase.ts';
import { rendererStates } from '#test/fakes/renderer.ts';

it.each<[StateValue, BrowserEnd | null, RendererPhase]>([
  ['learning', null, 'starting'],
  ['off', null, 'off'],
  [{ up: 'starting' }, null, 'starting'],
  // What is known of the last browser stays said while the next one starts.
  [{ up: 'starting' }, 'not-installed', 'not-installed'],
  [{ up: 'starting' }, 'failed', 'recovering'],
  [{ up: 'clearing' }, 'failed', 'recovering'],
  [{ up: { offline: 'failing' } }, null, 'waiting'],
  [{ up: 'loading' }, null, 'loading'],
  [{ up: { showing: 'frozen' } }, null, 'showing'],
  [{ up: { settings: 'opening' } }, null, 'settings'],
  [{ up: 'recovering' }, null, 'recovering'],
  ['absent', 'not-installed', 'not-installed'],
  ['absent', 'no-display', 'no-display'],
  ['absent', 'other-users-display', 'no-display'],
  ['resting', 'failed', 'recovering'],
  // A browser that is only replaced was in no trouble.
  ['resting', null, 'starting'],
])('the phase in %j after %s is %s', (value, lastEnd, phase) =>
  expect(phaseOf({ value, context: { lastEnd } })).toBe(phase),
);

it.each(Object.entries(rendererStates))('the state of phase %s is one of the machine', (_, value) =>
  expect(() => rendererMachine.resolveState({ value, context: initialFacts })).not.toThrow(),
);

it('takes commands once a browser shows a page or is being brought back', () => {
  const phases = Object.keys(rendererStates) as RendererPhase[];
  expect(phases.filter((phase) => takesCommands({ phase }))).toEqual([
    'waiting',
    'loading',
    'showing',
    'settings',
    'recovering',
  ]);
});
