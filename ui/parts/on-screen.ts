import type { StatusDocument } from '#machines/status.ts';

/**
 * What the panel's screen shows instead of the offline page: the dashboard, or panel pages opened over it; null if
 * neither.
 */
export function onScreen(renderer: StatusDocument['renderer'] | undefined): 'shown' | 'own_pages' | null {
  if (renderer?.phase === 'settings' && renderer.glass === 'dashboard') return 'own_pages';
  return renderer?.phase === 'showing' && renderer.glass === 'dashboard' && renderer.rendered ? 'shown' : null;
}
