import type { ResolvedProfile } from './resolved.ts';

/** A panel with no parts at all, for when even the fallback cannot be used: its pages still work. */
export const emergencyProfile = (): ResolvedProfile => ({
  id: 'emergency',
  title: 'Emergency (no parts)',
  revision: { hash: '', origin: 'bundled', version: '0.0.0', maturity: 'draft' },
  simulated: false,
  screen: null,
  furtherScreens: [],
  input: null,
  volume: null,
  loudspeaker: null,
  power: null,
  lights: {},
  relays: {},
  buttons: false,
  illuminance: null,
  temperature: null,
  humidity: null,
  proximity: null,
  zigbee: null,
  adb: null,
  simulator: null,
  declared: [],
  cameraSuppressed: false,
});
