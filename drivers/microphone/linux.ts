import { access, constants, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { errorCode } from '#drivers/kit/error-code.ts';
import { findProgram } from '#drivers/kit/find-program.ts';
import { fromDriver } from '#drivers/kit/from-driver.ts';
import { ownUser } from '#drivers/kit/own-user.ts';
import { rounds } from '#drivers/kit/rounds.ts';
import type { ToolEnv } from '#drivers/kit/run-tool.ts';
import type { MicrophoneDevice } from '#drivers/voice/device.ts';
import type {
  MicrophoneDriver,
  MicrophoneDriverCommand,
  MicrophoneFact,
  MicrophoneScan,
} from '#machines/microphone/events.ts';
import type { Milliseconds } from '#machines/kit/units.ts';

/** Pause between two scans. */
const SCAN_MS: Milliseconds = 60_000;

/** Where to look; by default this machine. */
export interface ScanPlace {
  readonly root?: string;
  readonly env?: ToolEnv;
}

const NOT_THERE: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR']);

const accessOf = (path: string): Promise<'allowed' | 'refused' | 'missing'> =>
  access(path, constants.R_OK | constants.W_OK).then(
    () => 'allowed' as const,
    (error: unknown) => (NOT_THERE.has(errorCode(error)) ? 'missing' : 'refused'),
  );

/** A line of `/proc/asound/pcm` with a capture stream: card, device, and the names that ALSA gives it. */
const CAPTURE = /^(\d{1,3})-(\d{1,3}):(.*):\s*capture\s+\d+\s*$/;

/** Capture devices of the kernel, by their numbers, with its own name; null if it would not list them. */
async function listCaptures(root: string): Promise<readonly { readonly path: string; readonly name: string }[] | null> {
  let text: string;
  try {
    text = await readFile(join(root, 'proc/asound/pcm'), 'utf8');
  } catch (error) {
    // A kernel without sound has no such folder.
    return NOT_THERE.has(errorCode(error)) ? [] : null;
  }
  return text.split('\n').flatMap((line) => {
    const found = CAPTURE.exec(line);
    if (found === null) return [];
    const [, card = '', device = '', names = ''] = found;
    const name = (names.split(':')[1] ?? '').trim();
    return [{ path: join(root, `dev/snd/pcmC${Number(card)}D${Number(device)}c`), name }];
  });
}

/** Addresses in `PULSE_SERVER`, each without the name of a machine in braces before it. */
const addressesIn = (text: string): readonly string[] =>
  text
    .split(/\s+/)
    .map((address) => address.replace(/^\{[^}]*\}/, ''))
    .filter((address) => address !== '');

const socketOf = (address: string): string | null =>
  address.startsWith('unix:') ? address.slice('unix:'.length) : address.startsWith('/') ? address : null;

/** Sockets of a PulseAudio server, or of PipeWire in its place, for this process; null if it is not on this machine. */
function serverSockets(env: ToolEnv): readonly string[] | null {
  const named = addressesIn(env['PULSE_SERVER'] ?? '');
  const sockets = named.map(socketOf);
  if (sockets.includes(null)) return null;
  if (sockets.length > 0) return sockets.filter((path) => path !== null);
  const runtime = env['PULSE_RUNTIME_PATH'] ?? (env['XDG_RUNTIME_DIR'] && join(env['XDG_RUNTIME_DIR'], 'pulse'));
  return [...(runtime ? [join(runtime, 'native')] : []), '/run/pulse/native'];
}

/**
 * Looks for microphones without opening one and without starting a process, since both could start a sound server. A
 * server on this machine opens the devices itself, and may have microphones that the kernel does not list.
 */
export async function scanMicrophones({ root = '/', env = process.env }: ScanPlace = {}): Promise<MicrophoneScan> {
  const undetermined = { found: 'none', detail: 'undetermined' } as const;
  const sockets = serverSockets(env);
  if (sockets === null) return undetermined;
  const captures = await listCaptures(root);
  const answers = await Promise.all(sockets.map((path) => accessOf(join(root, path))));
  const hasServer = answers.includes('allowed');
  if (captures === null) return undetermined;
  const openable = (await Promise.all(captures.map(({ path }) => accessOf(path)))).filter((one) => one !== 'missing');
  if (openable.length === 0) return hasServer ? undetermined : { found: 'none', detail: 'not_enumerated' };
  const refused = hasServer ? 0 : openable.filter((one) => one === 'refused').length;
  const isRecordable = (await findProgram([...(hasServer ? ['parec'] : []), 'arecord'], env)) !== null;
  return {
    found: 'devices',
    count: openable.length,
    refused,
    ...(!isRecordable && { lacks: hasServer ? ('parec' as const) : ('arecord' as const) }),
  };
}

/** The kernel's names of the capture devices, for the evidence of a profile; null if it would not list them. */
export const captureNames = async (root = '/'): Promise<readonly string[] | null> =>
  (await listCaptures(root))?.map(({ name }) => name) ?? null;

const scanSystem = (place: ScanPlace): MicrophoneDriver =>
  fromDriver<MicrophoneDriverCommand, undefined, MicrophoneFact>((scope) => {
    const scans = rounds(scope, async () => {
      scope.send({ type: 'microphone.enumerated', scan: await scanMicrophones(place), user: ownUser() });
      return SCAN_MS;
    });
    scope.onEvent(scans.now);
    scans.nextIn(0);
    return () => void scans.stop();
  });

type Simulated = Extract<MicrophoneDevice, { readonly kind: 'simulated' }>['device'];

function simulatedScan({ plugged, permitted }: Simulated['microphone']): MicrophoneScan {
  if (!plugged) return { found: 'none', detail: 'not_enumerated' };
  return { found: 'devices', count: 1, refused: permitted ? 0 : 1 };
}

/** Reports the microphone of the simulated panel, at once and with each change. */
const scanSimulated = (simulated: Simulated): MicrophoneDriver =>
  fromDriver<MicrophoneDriverCommand, undefined, MicrophoneFact>(({ send, onEvent, guard }) => {
    const report = guard(() =>
      send({
        type: 'microphone.enumerated',
        scan: simulatedScan(simulated.microphone),
        user: ownUser(),
      }),
    );
    onEvent(report);
    report();
    return simulated.observe(report, ['microphone']);
  });

/** Says whether there is a microphone, at the start, every minute and on command. */
export const microphoneScan = (device: MicrophoneDevice, place: ScanPlace = {}): MicrophoneDriver =>
  device.kind === 'simulated' ? scanSimulated(device.device) : scanSystem(place);
