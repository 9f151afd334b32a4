import { execFile, spawnSync } from 'node:child_process';

import { afterEach, describe, expect, it } from 'vitest';

import { isFact } from '../../run-driver.ts';
import { closeAll, startServer } from './rig.ts';

afterEach(closeAll);

const missing = (program: string): boolean =>
  spawnSync(program, [program.startsWith('gst') || program === 'mpv' ? '--version' : '-version']).error !== undefined;

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

/** Each player takes some pictures and ends by itself; what says that it saw them. */
const players = [
  {
    name: 'ffprobe',
    program: 'ffprobe',
    args: (by: string, url: string) =>
      `-v error -rtsp_transport ${by} -read_intervals %+#20 -show_entries stream=codec_name,width -of csv ${url}`,
    shows: /stream,h264,320/,
  },
  {
    name: 'ffmpeg',
    program: 'ffmpeg',
    args: (by: string, url: string) =>
      `-nostdin -v error -xerror -stats -rtsp_transport ${by} -i ${url} -frames:v 20 -f null -`,
    shows: /frame=\s*20/,
  },
  {
    name: 'mpv',
    program: 'mpv',
    args: (by: string, url: string) =>
      `--no-config --vo=null --ao=null --no-terminal --msg-level=all=info --rtsp-transport=${by} --frames=20 ${url}`,
    shows: null,
  },
  {
    name: 'GStreamer',
    program: 'gst-launch-1.0',
    args: (by: string, url: string) =>
      `-v rtspsrc location=${url} protocols=${by} latency=100 ! rtph264depay ! h264parse ! avdec_h264 ! ` +
      'identity eos-after=20 ! fakesink silent=true',
    shows: /EOS/,
  },
] as const;

const hosts = [
  { family: 'IPv4', host: '127.0.0.1', inUrl: '127.0.0.1' },
  { family: 'IPv6', host: '::1', inUrl: '[::1]' },
] as const;

describe.each(hosts)('over $family', ({ host, inUrl }) => {
  describe.each(players)('$name', ({ program, args, shows }) => {
    // One that is not installed is skipped: bin/test installs them all.
    it.skipIf(missing(program)).each(['tcp', 'udp'])('plays over %s', async (by) => {
      const { film, port, server } = await startServer({ addresses: [host] });
      film.play();
      const { code, output } = await run(program, args(by, `rtsp://${inUrl}:${port}/live?res=480p`).split(' '));
      expect({ code, output }).toMatchObject({ code: 0 });
      if (shows !== null) expect(output).toMatch(shows);
      const watched = await server.until(isFact('stream.watched'));
      expect(watched.watchers).toMatchObject([{ kind: 'player' }]);
      await server.until(isFact('stream.left'));
    });
  });
});

it.skipIf(missing('ffmpeg'))('serves both families by one listener, IPv4 over UDP among them', async () => {
  const { film, port } = await startServer({ addresses: ['::'] });
  film.play();
  const [ffmpeg] = players.filter(({ name }) => name === 'ffmpeg');
  const args = ffmpeg?.args('udp', `rtsp://127.0.0.1:${port}/live`).split(' ') ?? [];
  expect(await run('ffmpeg', args)).toMatchObject({ code: 0 });
});
