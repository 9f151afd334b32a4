import { refuse } from '../kit/result.ts';
import type { Milliseconds } from '../kit/units.ts';
import type { TapOutcome } from './events.ts';
import { type ShownRenderer, takesCommands } from './phase.ts';
import { judgeRenderer } from './verdict.ts';

/**
 * Limit for a tap, in milliseconds: the taps before it (5 s at most), the thaw, the page, and the picture afterwards.
 */
export const TAP_BOUND_MS: Milliseconds = 25_000;

const foreign =
  'Another program than the built-in renderer shows the dashboard, and it cannot be tapped from outside. To use taps, set "What shows the dashboard" to the built-in renderer on the page /configure.';

/** Why the page cannot be tapped now, as a sentence; null if it can. */
export function whyUntappable(renderer: ShownRenderer): string | null {
  if (!takesCommands(renderer)) return judgeRenderer(renderer).detail;
  return renderer.mode === 'external' ? foreign : null;
}

/** The message for a tap whose outcome is unknown. */
export const unknown =
  'The page did not say in time whether it took the tap. Look at a picture of the screen before you tap again.';

const bound = (field: 'x' | 'y', pixels: number, { width, height }: { width: number; height: number }): string =>
  `The field "${field}" must be a number from 0 to ${pixels - 1}: the picture is ${width} × ${height} pixels.`;

/** The refusal for a tap that was not made, or whose outcome is unknown. */
export function tapRefusal(
  outcome: Extract<TapOutcome, { readonly ok: false }>,
  at: { readonly x: number; readonly y: number },
  renderer: ShownRenderer,
) {
  switch (outcome.reason) {
    case 'outside': {
      const beyond = {
        ...(at.x >= outcome.width && { x: bound('x', outcome.width, outcome) }),
        ...(at.y >= outcome.height && { y: bound('y', outcome.height, outcome) }),
      };
      return { ...refuse('bad-value', Object.values(beyond).join(' ')), reasons: beyond };
    }
    case 'not-shown':
      return refuse('not-here', judgeRenderer(renderer).detail);
    case 'not-possible':
      return refuse('not-here', foreign);
    case 'busy':
      return refuse('tap-failed', 'Other taps are still under way, so this one was not made. Try again in a moment.');
    case 'no-answer':
      return refuse('tap-failed', 'The page does not answer, so the tap was not made. Try again in a few seconds.');
    case 'unknown':
      return refuse('completion-unknown', unknown);
  }
}
