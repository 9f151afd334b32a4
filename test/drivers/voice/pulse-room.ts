import { type ChildProcess, spawn } from 'node:child_process';

import { alsaRecorder } from '#drivers/voice/alsa.ts';
import { anyMicrophone } from '#drivers/voice/device.ts';
import { pulseRecorder } from '#drivers/voice/pulse.ts';

import { type PulseServer, pulseServer } from '../volume/pulse-server.ts';
import type { Room } from './ear.contract.ts';

const MIC = ['module-remap-source', 'source_name=mic', 'master=panel.monitor'] as const;

interface Recorder {
  readonly index: number;
  readonly pid: number;
}

export interface PulseRoom extends Room {
  readonly server: PulseServer;
  /** The agent's recordings, as the server lists them. */
  readonly recorders: () => Promise<readonly Recorder[]>;
}

/** A loudspeaker whose monitor is a microphone, on a PulseAudio server of the test's own. */
export async function pulseRoom(startServer: () => Promise<PulseServer> = pulseServer): Promise<PulseRoom> {
  const server = await startServer();
  await server.pactl('load-module', 'module-null-sink', 'sink_name=panel');
  await server.pactl('load-module', ...MIC);
  await server.pactl('set-default-source', 'mic');
  // A sink that plays nothing and that nothing records sleeps for 2 s at a time; a sound card does not.
  const awake = spawn('parec', ['--device=panel.monitor', '--latency-msec=20', '--client-name=awake'], {
    env: { ...server.env },
    stdio: 'ignore',
  });
  let speaker: ChildProcess | null = null;
  const modules = async (): Promise<readonly (readonly string[])[]> =>
    (await server.pactl('list', 'short', 'modules')).split('\n').map((line) => line.split('\t'));
  const plug = async (isPlugged: boolean): Promise<void> => {
    const own = (await modules()).find(([, , args = '']) => args.includes('source_name=mic'));
    if (own !== undefined && !isPlugged) await server.pactl('unload-module', own[0] ?? '');
    if (own !== undefined || !isPlugged) return;
    await server.pactl('load-module', ...MIC);
    await server.pactl('set-default-source', 'mic');
  };
  const recorders = async (): Promise<readonly Recorder[]> =>
    (await server.pactl('list', 'source-outputs'))
      .split('Source Output #')
      .filter((text) => text.includes('application.name = "Sconce"'))
      .map((text) => ({
        index: Number.parseInt(text, 10),
        pid: Number(/application\.process\.id = "(\d+)"/u.exec(text)?.[1]),
      }));
  return {
    server,
    options: {
      device: anyMicrophone,
      env: server.env,
      recorders: [pulseRecorder(server.env), alsaRecorder(server.env, '/nonexistent')],
    },
    source: 'mic',
    system: 'pulse',
    say: (pcm) => {
      speaker?.kill('SIGKILL');
      speaker = spawn('paplay', ['--raw', '--format=s16le', '--rate=16000', '--channels=1', '--latency-msec=50'], {
        env: { ...server.env },
        stdio: ['pipe', 'ignore', 'ignore'],
      });
      speaker.stdin?.on('error', () => {});
      speaker.stdin?.end(pcm);
    },
    mute: async (isMuted) => void (await server.pactl('set-source-mute', 'mic', isMuted ? '1' : '0')),
    plug,
    recorders,
    recordings: async () => (await recorders()).length,
    reset: async () => {
      speaker?.kill('SIGKILL');
      await plug(true);
      await server.pactl('set-source-mute', 'mic', '0');
    },
    end: async () => {
      awake.kill('SIGKILL');
      await server.end();
    },
  };
}
