import type { CaptureFault } from '#machines/camera-session/events.ts';

/** Why a capture broke, with a stable code. */
export interface CaptureFailure {
  readonly fault: CaptureFault;
  readonly detail: string;
}

/** What follows from the end of an ffmpeg that ended by itself: another format or node is worth a try, or it broke. */
export type RunEnd = { readonly next: 'format' | 'node' } | CaptureFailure;

/** A warning of cameras that tell no rate, whose pictures come none the less. */
const WARNING = 'ioctl(VIDIOC_G_PARM): ';

type Row = readonly [pattern: RegExp, end: RunEnd];

/**
 * What ffmpeg 5.1 writes, the telling lines first: more than one row may match, since an errno is repeated for the
 * input as a whole. The exit code tells nothing: an unplugged camera ends with 0.
 */
const rows: readonly Row[] = [
  // Encoders, options and formats that this ffmpeg was built without.
  [/^Unknown encoder '/, { fault: 'stream_encoder', detail: 'no-h264-encoder' }],
  [/^Unknown input format: '/, { fault: 'stream_encoder', detail: 'no-v4l2' }],
  [/^Unrecognized option '|^Error splitting the argument list/, { fault: 'stream_encoder', detail: 'ffmpeg-too-old' }],
  [/error while loading shared libraries/, { fault: 'stream_encoder', detail: 'ffmpeg-broken' }],
  // Nodes that give no pictures: outputs, codecs, metadata, radio.
  [/Not a video capture device\.$/, { next: 'node' }],
  [/does not support the streaming I\/O method\.$/, { next: 'node' }],
  [/Inappropriate ioctl for device$/, { next: 'node' }],
  [/ioctl\(VIDIOC_(QUERYCAP|G_INPUT|ENUMINPUT)\): Invalid argument$/, { next: 'node' }],
  [/Cannot find a proper format for codec '/, { next: 'format' }],
  [/ioctl\(VIDIOC_STREAMON\): No space left on device$/, { fault: 'device_error', detail: 'usb-bandwidth' }],
  [/ioctl\(VIDIOC_(DQBUF|QBUF)\): No such device$/, { fault: 'disconnected', detail: 'unplugged' }],
  // The errno, at the end of a line.
  [/: Device or resource busy$/, { fault: 'open', detail: 'busy' }],
  [/: (Permission denied|Operation not permitted)$/, { fault: 'permission', detail: 'no-permission' }],
  [/: No such file or directory$/, { fault: 'disconnected', detail: 'no-node' }],
  [/: No such device( or address)?$/, { fault: 'disconnected', detail: 'no-device' }],
  [
    /: (Input\/output error|Protocol error|Remote I\/O error|Broken pipe)$/,
    { fault: 'device_error', detail: 'io-error' },
  ],
  [/: (Connection timed out|Timer expired)$/, { fault: 'device_error', detail: 'no-answer' }],
  // Newer kernels end the stream of a camera that is pulled out with an errno of its own.
  [/ioctl\(VIDIOC_\w+\): Invalid argument$/, { fault: 'device_error', detail: 'io-error' }],
  [/: Cannot allocate memory$/, { fault: 'encode', detail: 'no-memory' }],
  [/^Error (initializing|while opening|opening) (output|encoder)/, { fault: 'encode', detail: 'encoder-refused' }],
];

/** Judges an ffmpeg that ended by itself, by what it wrote; `isNodeGone` if its device file is no longer there. */
export function judgeEnd(lines: readonly string[], isNodeGone: boolean): RunEnd {
  // A component writes its name and address before its line.
  const words = lines
    .map((line) => line.replace(/^(\[[^\]]*\] )+/, '').trimEnd())
    .filter((line) => !line.startsWith(WARNING));
  const found = rows.find(([pattern]) => words.some((line) => pattern.test(line)));
  const end = found?.[1] ?? { fault: 'encode', detail: 'encoder-ended' };
  const mayBeUnplugged = found === undefined || ('fault' in end && end.fault === 'device_error');
  return isNodeGone && mayBeUnplugged ? { fault: 'disconnected', detail: 'unplugged' } : end;
}

const MOST_LINES = 20;
const MOST_LINE_CHARACTERS = 400;

/** Keeps the last 20 lines of an error output, 400 characters of each. */
export function createLastLines() {
  let lines: string[] = [];
  let open = '';
  return {
    push: (text: string): void => {
      const [first = '', ...further] = text.split(/[\r\n]+/);
      open = (open + first).slice(0, MOST_LINE_CHARACTERS);
      if (further.length === 0) return;
      const whole = [open, ...further.slice(0, -1)].map((line) => line.slice(0, MOST_LINE_CHARACTERS));
      lines = [...lines, ...whole.filter((line) => line !== '')].slice(-MOST_LINES);
      open = (further.at(-1) ?? '').slice(0, MOST_LINE_CHARACTERS);
    },
    lines: (): readonly string[] => (open === '' ? lines : [...lines, open].slice(-MOST_LINES)),
  };
}
