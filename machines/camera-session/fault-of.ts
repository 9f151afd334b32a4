import type { InUseRefusal } from '../in-use/events.ts';

const indicationReasons: readonly InUseRefusal[] = ['dark-without-led', 'led-failed', 'unconfirmed'];

/** The fault behind a refused indication: the indication itself, or that there is no kiosk screen to show it on. */
export const faultOf = (reason: InUseRefusal): 'indication' | 'foreground' =>
  indicationReasons.includes(reason) ? 'indication' : 'foreground';
