import { type ShownRenderer, takesCommands } from './phase.ts';
import { judgeRenderer } from './verdict.ts';

/** Why nothing can be removed of what the browser keeps of Home Assistant, in words; null where it can. */
export function whyUnclearable(renderer: ShownRenderer): string | null {
  const { mode, phase, desired } = renderer;
  if (mode === 'external')
    return 'Another program than the built-in renderer shows the dashboard. What it keeps has to be removed in that program.';
  // A browser that starts does it as soon as it is there.
  if (phase !== 'starting' && !takesCommands({ phase })) return judgeRenderer(renderer).detail;
  return desired === null || desired.origin === null
    ? 'There is nothing to remove: the address of Home Assistant is not set yet. Set it on the page /configure.'
    : null;
}
