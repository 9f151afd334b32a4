import type { RendererContext, RendererPhase } from '../renderer/events.ts';
import type { NoPlaceReason, Place } from './events.ts';

/** The panel, as far as it decides where a question is shown. */
export interface PlaceFacts {
  readonly simulated: boolean;
  /** True if the panel is controlled through `adb`. */
  readonly android: boolean;
  /** What the renderer shows; undefined while it is absent. */
  readonly renderer: (Pick<RendererContext, 'mode' | 'route'> & { readonly phase: RendererPhase }) | undefined;
}

/** Phases without a running browser, and why no question can be shown then. */
const browserless: Readonly<Partial<Record<RendererPhase, NoPlaceReason>>> = {
  off: 'no-renderer',
  'not-installed': 'no-browser',
  'no-display': 'no-browser',
  starting: 'starting',
};

function reasonOf({ android, renderer }: PlaceFacts): NoPlaceReason | null {
  if (android) return 'android';
  if (renderer === undefined) return 'starting';
  const lacking = browserless[renderer.phase];
  if (lacking !== undefined) return lacking;
  if (renderer.mode === 'external') return 'foreign-browser';
  if (renderer.route === 'headless') return 'headless';
  // The browser is being started again.
  return renderer.route === null ? 'starting' : null;
}

/** Where a question can be shown: the built-in browser on a display, or the page of a simulated panel without one. */
export function placeOf(facts: PlaceFacts): Place {
  const reason = reasonOf(facts);
  if (reason === null) return { kind: 'screen' };
  return facts.simulated ? { kind: 'simulator' } : { kind: 'none', reason };
}
