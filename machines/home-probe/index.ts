import { subsystem } from '../subsystem.ts';
import type { HomeProbeActor } from './events.ts';

/** The probe of an address of Home Assistant before it is saved. */
export const homeProbe = subsystem<HomeProbeActor>()({
  ids: ['home-probe'],
  group: 'link',
});
