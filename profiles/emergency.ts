import { anyCamera } from '#drivers/camera/device.ts';

import { absentCapabilities } from './declared-parts.ts';
import { resolveSlots, sharedParts } from './resolve.ts';
import type { ResolvedProfile } from './resolved.ts';

/** A panel without any parts, used if even the fallback fails: its pages still work. */
export const emergencyProfile = (): ResolvedProfile => ({
  id: 'emergency',
  title: 'Emergency (no parts)',
  revision: { hash: '', origin: 'bundled', version: '0.0.0', maturity: 'draft' },
  simulated: false,
  slots: resolveSlots({}, sharedParts()),
  adb: null,
  simulator: null,
  declared: [],
  absent: [...absentCapabilities({}), 'adb'],
  optional: [],
  camera: anyCamera,
  microphone: { kind: 'system', source: null },
});
