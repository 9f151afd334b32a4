import { createContext } from 'hono/jsx';

/**
 * Where a page is drawn: on the panel's own screen, over the dashboard or over the calm page, or in anybody else's
 * browser.
 */
export type GlassPlace = 'over-dashboard' | 'over-calm' | 'elsewhere';

/** Says to every part of a page where it is drawn. */
export const Glass = createContext<GlassPlace>('elsewhere');
