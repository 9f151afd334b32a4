import { createContext } from 'hono/jsx';

/** Where a page is shown: on the panel's own screen, over the dashboard or the offline page, or in another browser. */
export type KioskPlace = 'over-dashboard' | 'over-offline' | 'elsewhere';

export const Kiosk = createContext<KioskPlace>('elsewhere');
