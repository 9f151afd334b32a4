import { type Verdict, working } from '../kit/verdict.ts';

const noPlayer: Verdict = {
  state: 'needs_you',
  reason: 'no-player',
  detail: 'Announcements cannot be heard: none of mpv, ffplay and gst-launch-1.0 is installed to play them.',
  missing: 'A program that plays sound.',
  fix: { command: 'sudo apt install mpv', effect: 'Installs mpv, with which Sconce plays announcements.' },
};

/**
 * The verdict on playing announcements, from the players that answered and the fault of the sound system (null for
 * none).
 */
export function judgePlayers(players: readonly string[], sound: Verdict | null): Verdict {
  const [first] = players;
  if (first === undefined) return noPlayer;
  if (first === 'simulated')
    return working(
      'announcements-simulated',
      'Announcements are fetched and checked; a simulated panel makes no sound.',
    );
  if (sound !== null) return { ...sound, detail: `Announcements cannot be heard. ${sound.detail}` };
  return working('player-found', `Announcements are played with ${first === 'gst-launch-1.0' ? 'GStreamer' : first}.`);
}
