import { describe, expect, it } from 'vitest';

import { createLastLines, judgeEnd, type RunEnd } from '#drivers/camera/faults.ts';

const where = '[video4linux2,v4l2 @ 0x5581c7a0a2c0]';

/** Error outputs of ffmpeg 5.1, level warning. */
const recorded: readonly (readonly [what: string, lines: readonly string[], end: RunEnd])[] = [
  [
    'another program streams',
    [`${where} ioctl(VIDIOC_REQBUFS): Device or resource busy`, '/dev/video0: Device or resource busy'],
    { fault: 'open', detail: 'busy' },
  ],
  [
    'no right to open it',
    [`${where} Cannot open video device /dev/video0: Permission denied`, '/dev/video0: Permission denied'],
    { fault: 'permission', detail: 'no-permission' },
  ],
  [
    'no node',
    [
      `${where} Cannot open video device /dev/video9: No such file or directory`,
      '/dev/video9: No such file or directory',
    ],
    { fault: 'disconnected', detail: 'no-node' },
  ],
  [
    'a node without a device',
    [
      `${where} Cannot open video device /dev/video0: No such device or address`,
      '/dev/video0: No such device or address',
    ],
    { fault: 'disconnected', detail: 'no-device' },
  ],
  [
    'an output',
    [`${where} ioctl(VIDIOC_G_INPUT): Inappropriate ioctl for device`, '/dev/video1: Inappropriate ioctl for device'],
    { next: 'node' },
  ],
  ['metadata', [`${where} ioctl(VIDIOC_G_FMT): Invalid argument`, '/dev/video7: Invalid argument'], { next: 'node' }],
  ['a codec', [`${where} Not a video capture device.`, '/dev/video11: No such device'], { next: 'node' }],
  [
    'a format that is not offered',
    [
      `${where} Cannot find a proper format for codec 'mjpeg' (id 7), pixel format 'none' (id -1)`,
      '/dev/video0: Invalid argument',
    ],
    { next: 'format' },
  ],
  [
    'a camera that is pulled out',
    [
      `${where} Dequeued v4l2 buffer contains corrupted data (0 bytes).`,
      `${where} ioctl(VIDIOC_DQBUF): No such device`,
      '/dev/video0: No such device',
    ],
    { fault: 'disconnected', detail: 'unplugged' },
  ],
  [
    'a bus without room',
    [`${where} ioctl(VIDIOC_STREAMON): No space left on device`, '/dev/video0: No space left on device'],
    { fault: 'device_error', detail: 'usb-bandwidth' },
  ],
  [
    'a bus that fails',
    [`${where} ioctl(VIDIOC_DQBUF): Protocol error`, '/dev/video0: Input/output error'],
    { fault: 'device_error', detail: 'io-error' },
  ],
  ['a device that is silent', ['/dev/video0: Connection timed out'], { fault: 'device_error', detail: 'no-answer' }],
  ['a build without x264', ["Unknown encoder 'libx264'"], { fault: 'stream_encoder', detail: 'no-h264-encoder' }],
  ['a build without V4L2', ["Unknown input format: 'v4l2'"], { fault: 'stream_encoder', detail: 'no-v4l2' }],
  [
    'an old build',
    ["Unrecognized option 'fps_mode'.", 'Error splitting the argument list: Option not found'],
    { fault: 'stream_encoder', detail: 'ffmpeg-too-old' },
  ],
  [
    'a build without its libraries',
    [
      'ffmpeg: error while loading shared libraries: libx264.so.164: cannot open shared object file: No such file or directory',
    ],
    { fault: 'stream_encoder', detail: 'ffmpeg-broken' },
  ],
  [
    'an encoder that refuses',
    ['Error initializing output stream 0:0 -- Error while opening encoder for output stream #0:0'],
    { fault: 'encode', detail: 'encoder-refused' },
  ],
  ['nothing said', [], { fault: 'encode', detail: 'encoder-ended' }],
  [
    'words about the picture alone',
    ['[swscaler @ 0x55d1] deprecated pixel format used, make sure you did set range correctly'],
    { fault: 'encode', detail: 'encoder-ended' },
  ],
];

describe('the end of an ffmpeg', () => {
  it.each(recorded)('after %s', (_, lines, end) => {
    expect(judgeEnd(lines, false)).toEqual(end);
  });

  it('without a word says what became of the node', () => {
    expect(judgeEnd([], true)).toEqual({ fault: 'disconnected', detail: 'unplugged' });
  });
});

describe('the last lines', () => {
  it('are joined from pieces, and end without a line break too', () => {
    const last = createLastLines();
    for (const piece of ['one\ntw', 'o\n\nthr', 'ee\r', 'four']) last.push(piece);
    expect(last.lines()).toEqual(['one', 'two', 'three', 'four']);
  });

  it('are twenty, of 400 characters each', () => {
    const last = createLastLines();
    for (let line = 0; line < 50; line += 1) last.push(`${line} ${'x'.repeat(900)}\n`);
    last.push('y'.repeat(500));
    last.push('y'.repeat(500));
    expect(last.lines().map((line) => [line.slice(0, 3), line.length])).toEqual([
      ...Array.from({ length: 19 }, (_, at) => [`${31 + at} `, 400]),
      ['yyy', 400],
    ]);
  });
});
