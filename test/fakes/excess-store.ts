import { fromDriver } from '#drivers/kit/from-driver.ts';
import type { Excess, ExcessCommand, ExcessFact } from '#machines/home-assistant/events.ts';

/** A memory of what Home Assistant sent too much that begins with this; what it is told to keep goes to `onKept`. */
export const excessStore = (excess: Excess | null = null, onKept: (kept: Excess) => void = () => {}) =>
  fromDriver<ExcessCommand, undefined, ExcessFact>(({ send, onEvent }) => {
    onEvent((command) => onKept(command.excess));
    send({ type: 'excess.recalled', excess });
  });
