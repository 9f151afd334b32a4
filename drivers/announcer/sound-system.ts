import { runTool, type ToolEnv } from '#drivers/kit/run-tool.ts';
import { amixerMixer } from '#drivers/volume/amixer.ts';
import { findMixer } from '#drivers/volume/find.ts';
import { pactlMixer } from '#drivers/volume/pactl.ts';
import { wpctlMixer } from '#drivers/volume/wpctl.ts';
import type { Verdict } from '#machines/kit/verdict.ts';

import { type PlayerProgram, type PlayOutcome, runPlayer, type Sound, systemPlayers } from './player-program.ts';
import { type DuckNote, pulseaudioStreams, type DuckRules, type StreamDucker } from './pulseaudio-streams.ts';

export interface Loudspeaker {
  /** The players that answer, best first, and what is wrong with the sound system, null if nothing is. */
  readonly probe: (
    signal: AbortSignal,
  ) => Promise<{ readonly players: readonly string[]; readonly sound: Verdict | null }>;
  /** What is wrong with the sound system now, null if nothing is. */
  readonly sound: (signal: AbortSignal) => Promise<Verdict | null>;
  /**
   * Plays with the named player to the end, or until the signal is aborted, which stops the sound at once. Never
   * rejects.
   */
  readonly play: (player: string, sound: Sound, signal: AbortSignal) => Promise<PlayOutcome>;
  /** Makes other streams quieter and gives them back. */
  readonly ducker: (rules: DuckRules, note: DuckNote) => StreamDucker;
}

/** What is wrong with the sound system, by the routes that the volume uses; null if one answers. */
async function judgeSound(env: ToolEnv, signal: AbortSignal): Promise<Verdict | null> {
  const found = await findMixer([wpctlMixer(env), pactlMixer(env), amixerMixer(env)], signal);
  // A sound card works even without a tool that sets its volume.
  return 'verdict' in found && found.verdict.reason !== 'no-sound-tool' ? found.verdict : null;
}

/** Number of players' process ids that are kept: a player that has just ended may still have its stream. */
const PIDS_KEPT = 8;

/** This machine's sound system and its installed players. */
export function systemLoudspeaker(
  env: ToolEnv = process.env,
  players: readonly PlayerProgram[] = systemPlayers,
): Loudspeaker {
  const own: number[] = [];
  /** Players that have answered: one that is only slow is still installed, and a busy machine takes seconds. */
  const known = new Set<string>();
  const started = (pid: number): void => {
    own.push(pid);
    if (own.length > PIDS_KEPT) own.shift();
  };
  return {
    probe: async (signal) => {
      const probes = players.map(async ({ tool, probe: [program, ...args] }) => {
        const answered = await runTool(program, args, env, signal);
        if (answered.ok) known.add(tool);
        else if (answered.reason !== 'no-answer') known.delete(tool);
        return known.has(tool) ? [tool] : [];
      });
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
