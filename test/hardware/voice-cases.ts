import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';

import type { StatusDocument } from '#machines/status.ts';
import { tone } from '#test/drivers/voice/hearing.ts';
import type { AssistRun } from '#test/fakes/assist-server.ts';

import { get, post, save, status, untilStatus } from './agent-process.ts';
import { isHeld, loopback, loopbackIs, otherRecorder, playTone, type Running } from './devices/microphone-rig.ts';
import { type GuestCase, NotHere, turn, until } from './guest-case.ts';
import { allowMicrophone } from './panel/agent.ts';
import { type GuestHome, startHome } from './panel/home.ts';
import type { SharedPanel } from './panel/panel.ts';

type Voice = NonNullable<StatusDocument['voice']>;

/** Pause between two questions to the agent. */
const ASK_MS = 250;
/** A recorder that an emulated processor starts too slowly has stalled; after three failures it would rest. */
const TRIES = 3;
/** More than a case takes. */
const TONE_MS = 300_000;

const soundOf = ({ frames }: AssistRun): Buffer => Buffer.concat(frames);

async function voiceNow(): Promise<Voice> {
  const { voice } = await status();
  if (voice === null) throw new Error('the panel has no voice');
  return voice;
}

const untilVoice = (what: string, check: (voice: Voice) => boolean): Promise<void> =>
  untilStatus(what, ({ voice }) => voice !== null && check(voice)).catch(async (error: unknown) => {
    throw new Error(`${String(error)}: ${JSON.stringify(await voiceNow())}`);
  });
const isReady = ({ state, refusal }: Voice): boolean => state !== 'off' && refusal === null;

async function trigger(): Promise<void> {
  await untilVoice('voice', isReady);
  assert.match(await post('/api/v1/voice/test', {}), /"accepted":true/);
}

/** Begins a turn, and waits until the tone has reached Home Assistant. */
async function heardTurn(home: GuestHome): Promise<AssistRun> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const begun = home.runs.length;
    const { failures } = await voiceNow();
    await trigger();
    let run: AssistRun | undefined;
    let failure: string | null = null;
    await until('the tone at Home Assistant', async () => {
      run = home.runs[begun];
      if (run !== undefined && soundOf(run).includes(tone(200))) return true;
      await turn(ASK_MS);
      const now = await voiceNow();
      failure = now.failures > failures ? (now.last?.fault ?? 'unknown') : null;
      return failure !== null;
    });
    if (failure === null && run !== undefined) return run;
    assert.equal(failure, 'stalled');
  }
  throw new Error(`the recorder was too slow ${TRIES} times`);
}

/**
 * Turns of voice on the shared panel, without a sound server. Voice is on in these cases only: what it does would slow
 * down all others.
 */
export function voiceCases({ use: panel }: SharedPanel): readonly GuestCase[] {
  let made: GuestHome | undefined;
  let player: Running | undefined;
  const house = async (): Promise<GuestHome> => {
    const missing = [loopback, '/usr/bin/arecord'].find((file) => !existsSync(file));
    if (missing !== undefined) throw new NotHere(`no ${missing}`);
    await panel();
    if (made !== undefined) return made;
    made = await startHome();
    await allowMicrophone();
    await save({ ha_url: made.origin, ha_token: 'a-token', voice_enabled: 'true' });
    await untilVoice('voice', isReady);
    return made;
  };

  const busy = async (): Promise<string> => {
    await house();
    const other = await otherRecorder();
    try {
      for (let tries = 0, fault: string | null = 'stalled'; fault === 'stalled' && tries < TRIES; tries += 1) {
        await trigger();
        await untilVoice('the turn to fail', ({ state }) => state === 'error');
        ({ fault } = await voiceNow());
      }
      const { summary, action } = await voiceNow();
      assert.equal(summary, 'Another program uses the microphone.');
      return action;
    } finally {
      await other.end();
    }
  };
  const carried = async (): Promise<string> => {
    const home = await house();
    player = playTone(TONE_MS);
    const run = await heardTurn(home);
    run.emit('stt-vad-start', { timestamp: 1050 });
    run.emit('stt-vad-end', { timestamp: 1390 });
    await until('the microphone to be closed', async () => !(await isHeld()));
    run.emit('stt-end', { stt_output: { text: 'the tone' } });
    run.emit('intent-end', {
      processed_locally: true,
      intent_output: {
        response: { speech: {}, response_type: 'action_done' },
        conversation_id: 'c1',
        continue_conversation: false,
      },
    });
    run.end();
    await untilVoice('the end of the turn', ({ last, state }) => last?.outcome === 'done' && state === 'idle');
    // Nothing was sent after the speech.
    assert.deepEqual(home.errors, []);
    const { last, microphone } = await voiceNow();
    assert.equal(microphone.system, 'alsa');
    return `${soundOf(run).length} bytes, the microphone open after ${last?.times.opened?.toFixed(0)} ms`;
  };
  const unbound = async (): Promise<string> => {
    const run = await heardTurn(await house());
    try {
      await loopbackIs('unbind');
      await untilVoice('the end of the turn', ({ last, state }) => last?.fault === 'no-device' && state === 'error');
      await until('the end of the run', async () => run.isOver());
    } finally {
      await loopbackIs('bind');
    }
    return (await voiceNow()).summary;
  };
  const off = async (): Promise<string> => {
    const home = await house();
    try {
      // Otherwise it looks for the microphone every 10 s.
      await get('/api/v1/status?refresh=1');
      await trigger();
      await until('the microphone to be open', isHeld);
      await save({ voice_enabled: 'false', ha_url: '' });
      await untilVoice('voice to be off', ({ state }) => state === 'off');
      assert.equal(await isHeld(), false);
      return 'open, then closed';
    } finally {
      await player?.end();
      await home.stop();
    }
  };
  const cases: readonly GuestCase[] = [
    { title: 'a turn finds the microphone that another program uses busy', run: busy },
    { title: 'a turn carries what arecord hears to Home Assistant', run: carried },
    { title: 'a turn whose microphone is unbound fails', run: unbound },
    { title: 'a turn opens the microphone again, and closes it when voice is turned off', run: off },
  ];
  // What the microphone's own cases have without an agent; the first turn alone takes an emulated processor 23 s.
  return cases.map((one) => ({ ...one, onlyInAll: true }));
}
