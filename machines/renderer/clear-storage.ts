import { type ShownRenderer, takesCommands } from './phase.ts';
import { judgeRenderer } from './verdict.ts';

/** Why the browser's storage of Home Assistant cannot be cleared, as a sentence; null if it can. */
export function whyUnclearable(renderer: ShownRenderer): string | null {
  const { mode, phase, desired } = renderer;
  if (mode === 'external')
    return 'Another program than the built-in renderer shows the dashboard. Clear what it stores in that program.';
  // A starting browser clears it once it is ready.
  if (phase !== 'starting' && !takesCommands({ phase })) return judgeRenderer(renderer).detail;
  return desired === null || desired.origin === null
    ? 'There is nothing to clear: the address of Home Assistant is not set yet. Set it on the page /configure.'
    : null;
}
