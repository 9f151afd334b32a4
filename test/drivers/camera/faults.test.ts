import { describe, expect, it } from 'vitest';

import { createLastLines, judgeEnd, type RunEnd } from '#drivers/camera/faults.ts';

const where = '[video4linux2,v4l2 @ 0x5581c7a0a2c0]';

type Case = readonly [what: string, lines: readonly string[], end: RunEnd];

/**
 * Error outputs of Debian's ffmpeg 5.1.9 at level warning, with the arguments of a capture: the devices are nodes of
 * vivid on kernel 7.2, which also injects errors; a build that lacks something is one that was asked for a name that
 * does not exist.
 */
const recorded: readonly Case[] = [
  ['another program streams', ['/dev/video0: Device or resource busy'], { fault: 'open', detail: 'busy' }],
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
      `${where} Cannot open video device /dev/video8: No such device or address`,
      '/dev/video8: No such device or address',
    ],
    { fault: 'disconnected', detail: 'no-device' },
  ],
  [
    'an output of a device that has inputs too',
    [`${where} ioctl(VIDIOC_G_INPUT): Inappropriate ioctl for device`, '/dev/video1: Inappropriate ioctl for device'],
    { next: 'node' },
  ],
  [
    'a device of outputs alone',
    [`${where} Not a video capture device.`, '/dev/video0: No such device'],
    { next: 'node' },
  ],
  [
    'metadata',
    [
      `${where} Cannot find a proper format for codec 'none' (id 0), pixel format 'none' (id -1)`,
      '/dev/video2: Invalid argument',
    ],
    { next: 'format' },
  ],
  [
    'a format that is not offered',
    [
      `${where} Cannot find a proper format for codec 'mjpeg' (id 7), pixel format 'none' (id -1)`,
      '/dev/video0: Invalid argument',
    ],
    { next: 'format' },
  ],
  [
    'a camera that is disconnected',
    [
      'ioctl(VIDIOC_QBUF): No such device',
      `${where} ioctl(VIDIOC_DQBUF): No such device`,
      '/dev/video0: No such device',
      `${where} Some buffers are still owned by the caller on close.`,
    ],
    { fault: 'disconnected', detail: 'unplugged' },
  ],
  [
    'a stream that does not begin',
    [`${where} ioctl(VIDIOC_STREAMON): Invalid argument`, '/dev/video0: Invalid argument'],
    { fault: 'device_error', detail: 'io-error' },
  ],
  [
    'a stream that breaks',
    [`${where} ioctl(VIDIOC_DQBUF): Input/output error`, '/dev/video0: Input/output error'],
    { fault: 'device_error', detail: 'io-error' },
  ],
  ['a build without x264', ["Unknown encoder 'libx264x'"], { fault: 'stream_encoder', detail: 'no-h264-encoder' }],
  ['a build without V4L2', ["Unknown input format: 'v4l3'"], { fault: 'stream_encoder', detail: 'no-v4l2' }],
  [
    'an old build',
    ["Unrecognized option 'fps_modes'.", 'Error splitting the argument list: Option not found'],
    { fault: 'stream_encoder', detail: 'ffmpeg-too-old' },
  ],
  [
    'a build without its libraries',
    [
      'ffmpeg: error while loading shared libraries: libavdevicX.so.59: cannot open shared object file: No such file or directory',
    ],
    { fault: 'stream_encoder', detail: 'ffmpeg-broken' },
  ],
  [
    'an encoder that refuses',
    [
      '[libx264 @ 0x560411fe78c0] Error setting profile baseline.',
      'Error initializing output stream 0:0 -- Error while opening encoder for output stream #0:0 - maybe incorrect parameters such as bit_rate, rate, width or height',
    ],
    { fault: 'encode', detail: 'encoder-refused' },
  ],
  [
    'a picture that arrived damaged, which ends nothing',
    [`${where} Dequeued v4l2 buffer contains corrupted data (614400 bytes).`],
    { fault: 'encode', detail: 'encoder-ended' },
  ],
  [
    'words about the picture alone',
    [
      '[swscaler @ 0x564d830d4080] [swscaler @ 0x564d830e1040] deprecated pixel format used, make sure you did set range correctly',
    ],
    { fault: 'encode', detail: 'encoder-ended' },
  ],
];

/** Composed from the source of ffmpeg (libavdevice/v4l2.c) and the error texts of glibc: vivid does none of these. */
const composed: readonly Case[] = [
  [
    'another program that has taken the buffers alone',
    [`${where} ioctl(VIDIOC_REQBUFS): Device or resource busy`, '/dev/video0: Device or resource busy'],
    { fault: 'open', detail: 'busy' },
  ],
  [
    'a bus without room',
    [`${where} ioctl(VIDIOC_STREAMON): No space left on device`, '/dev/video0: No space left on device'],
    { fault: 'device_error', detail: 'usb-bandwidth' },
  ],
  [
    'a bus that fails',
    [`${where} ioctl(VIDIOC_STREAMON): Protocol error`, '/dev/video0: Protocol error'],
    { fault: 'device_error', detail: 'io-error' },
  ],
  ['a device that is silent', ['/dev/video0: Connection timed out'], { fault: 'device_error', detail: 'no-answer' }],
  [
    'a camera that tells no rate and is pulled out later',
    [
      `${where} ioctl(VIDIOC_G_PARM): Inappropriate ioctl for device`,
      `${where} ioctl(VIDIOC_DQBUF): No such device`,
      '/dev/video0: No such device',
    ],
    { fault: 'disconnected', detail: 'unplugged' },
  ],
];

/** What vivid's node had said when the kernel took it away while it streamed, recorded as above. */
const unbound = [`${where} ioctl(VIDIOC_DQBUF): Invalid argument`, '/dev/video0: Invalid argument'];

describe('the end of an ffmpeg', () => {
  it.each(recorded)('as recorded from ffmpeg 5.1: %s', (_, lines, end) => {
    expect(judgeEnd(lines, false)).toEqual(end);
  });

  it.each(composed)('as composed from its source: %s', (_, lines, end) => {
    expect(judgeEnd(lines, false)).toEqual(end);
  });

  it('is that of a camera that was pulled out only if its node is gone, else that of one that failed', () => {
    expect(judgeEnd(unbound, true)).toEqual({ fault: 'disconnected', detail: 'unplugged' });
    expect(judgeEnd(unbound, false)).toEqual({ fault: 'device_error', detail: 'io-error' });
  });

  it('without a word is blamed on the encoder', () => {
    expect(judgeEnd([], false)).toEqual({ fault: 'encode', detail: 'encoder-ended' });
  });

  it('says nothing of the node where it does not matter', () => {
    const forbidden = [`${where} Cannot open video device /dev/video0: Permission denied`];
    expect(judgeEnd(forbidden, true)).toEqual({ fault: 'permission', detail: 'no-permission' });
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
