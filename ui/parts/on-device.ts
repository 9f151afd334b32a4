import { createContext } from 'hono/jsx';

/**
 * Where a page is drawn: on the panel's own screen, over the dashboard or over the offline page, or in anybody else's
 * browser.
 */
export type KioskPlace = 'over-dashboard' | 'over-offline' | 'elsewhere';

/** Says to every part of a page where it is drawn. */
export const Kiosk = createContext<KioskPlace>('elsewhere');
