import { execFile, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

import { afterEach, describe, expect, it } from 'vitest';

import { amount } from '#test/fakes/amount.ts';
import { isFact } from '../../run-driver.ts';
import { closeAll, startServer } from './rig.ts';

afterEach(closeAll);

/** A Python that has PyAV, which Home Assistant reads cameras with. */
const python = process.env['SCONCE_PYAV'] ?? 'python3';

/** True if a program cannot be run; `check` ends well if it can. */
const missing = (program: string, check: readonly string[]): boolean => spawnSync(program, check).status !== 0;

interface Ended {
  readonly code: number | null;
  readonly output: string;
}

/** Runs a player to its end, 30 s at most. */
const run = (program: string, args: readonly string[]): Promise<Ended> =>
  new Promise((resolve) => {
    const child = execFile(program, args, { timeout: 30_000, killSignal: 'SIGKILL' }, (_, stdout, stderr) =>
      resolve({ code: child.exitCode, output: stdout + stderr }),
    );
  });

const readPictures = fileURLToPath(new URL('./read-pictures.py', import.meta.url));

/** Each player takes some pictures and ends by itself; what says that it saw them. */
const players = [
  {
    name: 'ffprobe',
    program: 'ffprobe',
    check: ['-version'],
    package: 'apt-get install ffmpeg',
    args: (by: string, url: string) =>
      `-v error -rtsp_transport ${by} -read_intervals %+#20 -show_entries stream=codec_name,width -of csv ${url}`,
    shows: /stream,h264,320/,
  },
  {
    name: 'ffmpeg',
    program: 'ffmpeg',
    check: ['-version'],
    package: 'apt-get install ffmpeg',
    args: (by: string, url: string) =>
      `-nostdin -v error -xerror -stats -rtsp_transport ${by} -i ${url} -frames:v 20 -f null -`,
    shows: /frame=\s*20/,
  },
  {
    name: 'mpv',
    program: 'mpv',
    check: ['--version'],
    package: 'apt-get install mpv',
    args: (by: string, url: string) =>
      `--no-config --vo=null --ao=null --no-terminal --msg-level=all=info --rtsp-transport=${by} --frames=20 ${url}`,
    shows: null,
  },
  {
    name: 'GStreamer',
    program: 'gst-launch-1.0',
    check: ['--version'],
    package: 'apt-get install gstreamer1.0-tools gstreamer1.0-libav gstreamer1.0-plugins-good',
    args: (by: string, url: string) =>
      `-v rtspsrc location=${url} protocols=${by} latency=100 ! rtph264depay ! h264parse ! avdec_h264 ! ` +
      'identity eos-after=20 ! fakesink silent=true',
    shows: /EOS/,
  },
  {
    name: 'PyAV',
    program: python,
    check: ['-c', 'import av'],
    package: 'apt-get install python3-av, or SCONCE_PYAV=PYTHON for one that has it',
    args: (by: string, url: string) => `${readPictures} ${by} ${url}`,
    shows: /^pictures=20 320x240 key=True/m,
  },
] as const;

/** The plain run has each player once, each transport and family with two of them; the other ways are in `all`. */
const isPlain = (name: string, by: string, family: string): boolean =>
  ['ffprobe tcp IPv4', 'ffmpeg udp IPv6', 'mpv tcp IPv6', 'GStreamer udp IPv4', 'PyAV tcp IPv4'].includes(
    `${name} ${by} ${family}`,
  );

const transports = ['tcp', 'udp'] as const;

// One that is not installed is left out; CI installs them all.
const installed = players.filter(({ name, program, check, package: from }) => {
  const isMissing = missing(program, check);
  if (isMissing) console.warn(`SKIPPED ${name} as a player of the camera: not installed (${from})`);
  return !isMissing;
});

const hosts = [
  { family: 'IPv4', host: '127.0.0.1', inUrl: '127.0.0.1' },
  { family: 'IPv6', host: '::1', inUrl: '[::1]' },
] as const;

const everyWay = installed.flatMap((player) =>
  hosts.flatMap((host) => transports.map((by) => ({ ...player, ...host, by }))),
);
const ways = amount(
  everyWay.filter(({ name, by, family }) => isPlain(name, by, family)),
  everyWay,
);

describe.skipIf(ways.length === 0)('a player', () => {
  it.each(ways)('$name plays over $by and $family', async ({ program, args, shows, by, host, inUrl }) => {
    const { film, port, server } = await startServer({ addresses: [host] });
    film.play();
    const { code, output } = await run(program, args(by, `rtsp://${inUrl}:${port}/live?res=480p`).split(' '));
    expect(code, output).toBe(0);
    if (shows !== null) expect(output).toMatch(shows);
    const watched = await server.until(isFact('stream.watched'));
    expect(watched.watchers).toMatchObject([{ kind: 'player' }]);
    await server.until(isFact('stream.left'));
  });
});

it.skipIf(!installed.some(({ name }) => name === 'ffmpeg'))(
  'serves both families by one listener, IPv4 over UDP among them',
  async () => {
    const { film, port } = await startServer({ addresses: ['::'] });
    film.play();
    const [ffmpeg] = players.filter(({ name }) => name === 'ffmpeg');
    const args = ffmpeg?.args('udp', `rtsp://127.0.0.1:${port}/live`).split(' ') ?? [];
    expect(await run('ffmpeg', args)).toMatchObject({ code: 0 });
  },
);
