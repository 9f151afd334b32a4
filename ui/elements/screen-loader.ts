import { loadBeside } from './load-script.ts';
import { startOnDemand } from './on-demand.ts';
import { latestStatus, onStatus } from './stream.ts';

/**
 * Loads the script of the picture of the screen, at once where it comes by itself, else when its button is pressed, and
 * passes the status to it.
 */
export function startScreen(): void {
  const screen = document.querySelector<HTMLElement>('sconce-screen');
  if (screen === null) return;
  const load = async (): Promise<boolean> => {
    const isLoaded = await loadBeside('screen-picture');
    screen.dispatchEvent(new CustomEvent('status', { detail: latestStatus() }));
    return isLoaded;
  };
  startOnDemand(load, 'sconce-screen');
  onStatus(() => {
    if ('auto' in screen.dataset || screen.matches(':defined')) void load();
  }, ['renderer', 'screen']);
}
