import { useContext } from 'hono/jsx';
import type { StatusDocument } from '#machines/status.ts';
import { hasKeyboard } from './keyboard.ts';
import { Kiosk } from './on-device.ts';

/** True if the reader of this page cannot type: it is drawn on the panel's own screen, and there is no keyboard. */
export const lacksKeyboard = (status: Pick<StatusDocument, 'input'>): boolean =>
  useContext(Kiosk) !== 'elsewhere' && !hasKeyboard(status);
