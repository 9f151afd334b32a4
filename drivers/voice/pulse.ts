import { setTimeout as pause } from 'node:timers/promises';

import { runTool, type ToolEnv } from '#drivers/kit/run-tool.ts';
import type { Milliseconds } from '#machines/kit/units.ts';
import type { EarFailure } from '#machines/voice/events.ts';

import { type ProgramEnd, runProgram, wholeSamples } from './capture.ts';
import { playerOf } from './player.ts';
import { parseDefault, parseSources, parseUsed } from './pulse-lists.ts';
import type { Recorder, Recording, RecordingHooks } from './recorder.ts';

/**
 * Without a latency the first block comes after 2 s; PipeWire would go on with another source, unless told otherwise
 * (measured with PulseAudio 16.1 and PipeWire 0.3.65).
 */
const PAREC = [
  '--raw',
  '--format=s16le',
  '--rate=16000',
  '--channels=1',
  '--latency-msec=20',
  '--client-name=Sconce',
  '--property=node.dont-reconnect=true',
] as const;

const list = (what: string): readonly string[] => ['--format=json', 'list', what];

/** How often, and at which pause, the source that is really used is looked up before it counts as another one. */
const TRIES = 10;
const TRY_MS: Milliseconds = 100;

/** What parec's end means. */
function failureOf({ isMissing, errors }: ProgramEnd): EarFailure {
  if (isMissing) return 'no-recorder';
  if (/No such entity|Entity killed/u.test(errors)) return 'no-device';
  return /Access denied|Permission denied/u.test(errors) ? 'refused' : 'ended';
}

type Place = { readonly isMuted: boolean } | EarFailure | null;

/** Where the server has put this process: on the named source, elsewhere, or unknown (null). */
async function placeOf(pid: number, name: string, env: ToolEnv, signal: AbortSignal): Promise<Place> {
  const [outputs, sources] = await Promise.all([
    runTool('pactl', list('source-outputs'), env, signal),
    runTool('pactl', list('sources'), env, signal),
  ]);
  const used = outputs.ok ? parseUsed(outputs.value, pid) : null;
  const chosen = sources.ok ? parseSources(sources.value, '')?.find((source) => source.name === name) : null;
  if (used === null || chosen === null) return null;
  if (chosen === undefined) return 'no-device';
  if (used === -1) return null;
  return used === chosen.index ? { isMuted: chosen.isMuted } : 'moved';
}

/** Records one source with parec, and ends as soon as the server moves it to another one. */
function record(name: string, env: ToolEnv, { onData, onSure, onMuted }: RecordingHooks): Recording {
  const over = new AbortController();
  let failure: EarFailure | null = null;
  let isSure = false;
  let isChecking = false;
  let isDue = false;

  const close = (): void => {
    over.abort();
    recorder.kill();
    events.kill();
  };
  const fail = (code: EarFailure): void => {
    if (over.signal.aborted) return;
    failure = code;
    close();
  };
  const place = async (): Promise<Place> => {
    for (let tries = 1; ; tries += 1) {
      // oxlint-disable-next-line no-await-in-loop -- one after another
      const found = await placeOf(recorder.pid, name, env, over.signal);
      // What has vanished ends by itself; what was never seen at all may be anywhere.
      if (found !== null || over.signal.aborted) return found;
      if (tries === TRIES) return isSure ? 'ended' : 'moved';
      // oxlint-disable-next-line no-await-in-loop -- as above
      await pause(TRY_MS, undefined, { signal: over.signal }).catch(() => {});
    }
  };
  const checkOnce = async (): Promise<void> => {
    const found = await place();
    if (over.signal.aborted || found === null) return;
    if (typeof found === 'string') return fail(found);
    onMuted(found.isMuted);
    if (!isSure) onSure();
    isSure = true;
  };
  // Never two at once; an event that comes meanwhile leads to one more.
  const check = async (): Promise<void> => {
    isDue = isChecking;
    if (isChecking) return;
    isChecking = true;
    await checkOnce();
    isChecking = false;
    if (isDue) await check();
  };

  let hasBegun = false;
  const recorder = runProgram('parec', [`--device=${name}`, ...PAREC], {
    env,
    onData: wholeSamples((pcm) => {
      if (!hasBegun) void check();
      hasBegun = true;
      onData(pcm);
    }),
  });
  const events = runProgram('pactl', ['subscribe'], {
    env,
    onData: (chunk) => {
      if (hasBegun && /on source(?:-output)? #/u.test(chunk.toString('latin1'))) void check();
    },
  });
  const ended = recorder.gone.then((end) => fail(failureOf(end)));
  // Without the events a move would go unnoticed.
  const unwatched = events.gone.then(({ isMissing }) => fail(isMissing ? 'no-recorder' : 'ended'));
  return { close, gone: Promise.all([ended, unwatched]).then(() => failure) };
}

/** PulseAudio, or PipeWire by its PulseAudio server. */
export const pulseRecorder = (env: ToolEnv): Recorder => ({
  system: 'pulse',
  list: async (signal) => {
    const [info, sources] = await Promise.all([
      runTool('pactl', ['--format=json', 'info'], env, signal),
      runTool('pactl', list('sources'), env, signal),
    ]);
    if (!sources.ok) return sources.reason === 'not-installed' ? 'no-recorder' : 'no-device';
    return parseSources(sources.value, (info.ok ? parseDefault(info.value) : null) ?? '') ?? 'no-device';
  },
  refusal: () => Promise.resolve(null),
  record: ({ name }, hooks) => record(name, env, hooks),
  play: playerOf(['paplay', 'aplay'], env),
});
