import { SimulatedDevice } from '#drivers/simulator/device.ts';
import { bundledProfile } from '#profiles/bundled.ts';
import { emergencyProfile } from '#profiles/emergency.ts';
import { resolveProfile, sharedParts } from '#profiles/resolve.ts';
import type { ResolvedProfile } from '#profiles/resolved.ts';

/** A panel in memory: every part works, no hardware is touched. */
export function simulatedProfile(device: SimulatedDevice = new SimulatedDevice()): ResolvedProfile {
  const found = bundledProfile('simulated');
  return found === null
    ? emergencyProfile()
    : resolveProfile(found.document, { hash: found.summary.revision, origin: 'bundled' }, sharedParts(device));
}
