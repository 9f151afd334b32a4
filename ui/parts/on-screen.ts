import type { StatusDocument } from '#machines/status.ts';

/**
 * What stands on the panel's screen in place of its offline page: the dashboard, or pages of the panel that somebody
 * opened over it; null while it is neither.
 */
export function onScreen(renderer: StatusDocument['renderer'] | undefined): 'shown' | 'own_pages' | null {
  if (renderer?.phase === 'settings' && renderer.glass === 'dashboard') return 'own_pages';
  return renderer?.phase === 'showing' && renderer.glass === 'dashboard' && renderer.rendered ? 'shown' : null;
}
