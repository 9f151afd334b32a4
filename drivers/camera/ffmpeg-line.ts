import type { CameraHeight, EncodeRequest } from '#machines/camera-session/events.ts';

import type { Rotation } from './device.ts';

const words = (text: string): readonly string[] => text.split(' ');

const turns: Readonly<Record<Rotation, readonly string[]>> = {
  0: [],
  90: ['transpose=clock'],
  180: ['hflip', 'vflip'],
  270: ['transpose=cclock'],
};

/** Reduces to a height, keeping the shape; enlarges nothing. Both sides become even, as 4:2:0 needs. */
const reduceTo = (height: number): string => `scale=-2:'2*trunc(min(${height},ih)/2)'`;

/** Formats that are asked of a camera, in order; null leaves the choice to ffmpeg. */
export const inputFormats = ['mjpeg', 'yuyv422', null] as const;
export type InputFormat = (typeof inputFormats)[number];

/** Usual widths of webcams; a camera without that size takes another, which the stream itself then declares. */
const widths: Readonly<Record<CameraHeight, number>> = { 480: 640, 720: 1280, 1080: 1920 };

/** Input of a V4L2 node. */
export const v4l2Input = (node: string, format: InputFormat, { height, fps }: EncodeRequest): readonly string[] => [
  ...words('-f v4l2'),
  ...(format === null ? [] : ['-input_format', format]),
  ...words(`-framerate ${fps} -video_size ${widths[height]}x${height} -i`),
  node,
];

/** Input of raw 4:2:0 pictures on the standard input, stamped as they arrive. */
export const rawInput = (width: number, height: number, fps: number): readonly string[] => [
  ...words('-use_wallclock_as_timestamps 1 -f rawvideo -pixel_format yuv420p'),
  ...words(`-video_size ${width}x${height} -framerate ${fps} -i pipe:0`),
];

/** Further than any key frame by time, so that the clock alone decides when one is due. */
const KEY_LIMIT_SECONDS = 10;

/**
 * Arguments that encode an input as H.264 in FLV on the standard output: a key frame each second of the camera's clock
 * however slow it gets in the dark, surplus pictures dropped evenly, none doubled.
 */
export const encodeLine = (
  input: readonly string[],
  rotate: Rotation,
  { height, fps, kbps }: EncodeRequest,
): readonly string[] => [
  ...words('-hide_banner -nostdin -loglevel warning'),
  ...words('-fflags nobuffer -probesize 32 -analyzeduration 0'),
  ...input,
  ...words(`-an -vf ${[...turns[rotate], reduceTo(height)].join(',')}`),
  ...words('-c:v libx264 -preset ultrafast -tune zerolatency -profile:v baseline'),
  ...words('-pix_fmt yuv420p'),
  ...words(`-b:v ${kbps}k -maxrate ${kbps}k -bufsize ${Math.round(kbps / 2)}k`),
  ...words(`-g ${fps * KEY_LIMIT_SECONDS} -sc_threshold 0 -force_key_frames expr:gte(t,n_forced)`),
  ...words(`-fpsmax ${fps} -fps_mode vfr`),
  ...words('-flush_packets 1 -flvflags no_duration_filesize -f flv pipe:1'),
];

/** Arguments that turn one key frame in Annex B on the standard input into a JPEG on the standard output. */
export const stillLine = (height: CameraHeight | null): readonly string[] => [
  ...words('-hide_banner -nostdin -loglevel error -threads 1 -f h264 -i pipe:0'),
  ...words(`-frames:v 1${height === null ? '' : ` -vf ${reduceTo(height)}`}`),
  ...words('-q:v 4 -threads 1 -f mjpeg pipe:1'),
];
