import type { StatusDocument } from '#machines/status.ts';
import { loadBeside } from './load-script.ts';
import { startOnDemand } from './on-demand.ts';
import { take } from './stream.ts';

/** Loads what checks and tries the hardware when one of its buttons is pressed, and shows what a check found. */
export function startChecks(): void {
  startOnDemand(() => loadBeside('status-on-demand'), 'sconce-try,sconce-check');
  // Only a check dispatches this event.
  document.addEventListener('checked', (event) => take((event as CustomEvent<StatusDocument>).detail));
}
