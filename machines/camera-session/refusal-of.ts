import type { InUseRefusal } from '../in-use/events.ts';
import type { CameraFault, CameraRefusal } from './events.ts';

const refusals: Readonly<Record<Exclude<CameraFault, 'none'>, CameraRefusal>> = {
  indication: 'camera-indication-unavailable',
  foreground: 'camera-foreground-refused',
  permission: 'camera-permission-needed',
  open: 'camera-unavailable',
  configure: 'camera-unavailable',
  device_error: 'camera-unavailable',
  disconnected: 'camera-unavailable',
  starved: 'camera-starved',
  encode: 'camera-encode-failed',
  stream_encoder: 'camera-stream-encoder-unavailable',
};

/** The refusal that a fault causes. */
export const refusalOf = (fault: CameraFault): CameraRefusal =>
  fault === 'none' ? 'camera-unavailable' : refusals[fault];

const indicationReasons: readonly InUseRefusal[] = ['dark-without-led', 'led-failed', 'unconfirmed'];

/** The fault behind a refused indication: the indication itself, or that there is no kiosk screen to show it on. */
export const faultOf = (reason: InUseRefusal): 'indication' | 'foreground' =>
  indicationReasons.includes(reason) ? 'indication' : 'foreground';
