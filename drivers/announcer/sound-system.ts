import { runTool, type ToolEnv } from '#drivers/kit/run-tool.ts';
import { amixerMixer } from '#drivers/volume/amixer.ts';
import { findMixer } from '#drivers/volume/find.ts';
import { pactlMixer } from '#drivers/volume/pactl.ts';
import { wpctlMixer } from '#drivers/volume/wpctl.ts';
import type { Verdict } from '#machines/kit/verdict.ts';

import { type PlayerProgram, type PlayOutcome, runPlayer, type Sound, systemPlayers } from './player-program.ts';
import { type DuckNote, pulseaudioStreams, type DuckRules, type StreamDucker } from './pulseaudio-streams.ts';

/** What plays sounds on this panel. */
export interface Loudspeaker {
  /** The players that answer, best first, and what is wrong with the sound system; null where nothing is. */
  readonly probe: (
    signal: AbortSignal,
  ) => Promise<{ readonly players: readonly string[]; readonly sound: Verdict | null }>;
  /** What is wrong with the sound system now; null where nothing is. */
  readonly sound: (signal: AbortSignal) => Promise<Verdict | null>;
  /**
   * Plays with the named player until its end or until the signal is aborted, which ends the sound at once; never
   * rejects.
   */
  readonly play: (player: string, sound: Sound, signal: AbortSignal) => Promise<PlayOutcome>;
  /** Makes other streams quieter and gives them back. */
  readonly ducker: (rules: DuckRules, note: DuckNote) => StreamDucker;
}

/** What is missing of the sound system, by the routes that the volume uses; null where it answers. */
async function judgeSound(env: ToolEnv, signal: AbortSignal): Promise<Verdict | null> {
  const found = await findMixer([wpctlMixer(env), pactlMixer(env), amixerMixer(env)], signal);
  // A card without a tool that sets its volume can be heard all the same.
  return 'verdict' in found && found.verdict.reason !== 'no-sound-tool' ? found.verdict : null;
}

/** How many process ids of players are kept: one that was ended just now may still have its stream. */
const PIDS_KEPT = 8;

/** This machine's sound system and whichever of the players are installed. */
export function systemLoudspeaker(
  env: ToolEnv = process.env,
  players: readonly PlayerProgram[] = systemPlayers,
): Loudspeaker {
  const own: number[] = [];
  const started = (pid: number): void => {
    own.push(pid);
    if (own.length > PIDS_KEPT) own.shift();
  };
  return {
    probe: async (signal) => {
      const probes = players.map(async ({ tool, probe: [program, ...args] }) =>
        (await runTool(program, args, env, signal)).ok ? [tool] : [],
      );
      const [answered, sound] = await Promise.all([Promise.all(probes), judgeSound(env, signal)]);
      return { players: answered.flat(), sound };
    },
    sound: (signal) => judgeSound(env, signal),
    play: (name, sound, signal) => {
      const player = players.find(({ tool }) => tool === name);
      return player === undefined
        ? Promise.resolve('not-playable')
        : runPlayer(player, sound, { env, started, signal });
    },
    ducker: (rules, note) => pulseaudioStreams(rules, env, note, (pid) => own.includes(pid)),
  };
}
