/** Heights of a picture, with their names in settings and addresses. */
export const cameraHeights = { '480p': 480, '720p': 720, '1080p': 1080 } as const;

/** Range of the encoder (contract, "Limits"); as settings and in the address of the stream. */
export const encodeBounds = { fps: { min: 1, max: 30 }, kbps: { min: 250, max: 8000, step: 250 } } as const;

/** What the settings ask for, until the owner chooses. */
export const defaultEncoding = { resolution: '720p', fps: 15, kbps: 2000 } as const;

/** Why no picture can be had now (as panel-assistant). */
export const cameraRefusals = [
  'camera-unavailable',
  'camera-disabled',
  'camera-permission-needed',
  'camera-indication-unavailable',
  'camera-foreground-refused',
  'camera-starved',
  'camera-encode-failed',
  'camera-stream-encoder-unavailable',
  'camera-stopping',
  'camera-busy',
] as const;

/** The refusal that each fault causes (as panel-assistant). */
const refusals = {
  none: 'camera-unavailable',
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
} as const;

/** The refusal that a fault causes. */
export const refusalOf = (fault: keyof typeof refusals): (typeof refusals)[keyof typeof refusals] => refusals[fault];
