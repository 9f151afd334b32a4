import type { Grab, InputCounts } from '#machines/input/events.ts';
import { type Verdict, working } from '#machines/kit/verdict.ts';

const some = (count: number, one: string, many: string): string[] =>
  count === 0 ? [] : [count === 1 ? one : `${count} ${many}`];

const firstTouch: Readonly<Record<NonNullable<Grab['refused']>, string>> = {
  busy: '',
  unsupported: ' The touch that lights the screen also reaches the page: this build cannot keep it back.',
  failed: ' The touch that lights the screen also reaches the page: the kernel would not keep it back.',
};

/** What is said where another program holds a device for itself. */
const inputTaken: Verdict = {
  state: 'needs_you',
  reason: 'input-taken',
  detail:
    'Another program holds a touch screen or a key device of this machine for itself, so nothing of it reaches Sconce and touching it lights no dark screen.',
  missing: 'A device that no other program keeps for itself.',
  fix: {
    command: 'sudo fuser -v /dev/input/event*',
    effect:
      'Lists the programs that have input devices open; it changes nothing. End or set up anew the one that is not your desktop.',
  },
};

/**
 * What is said where devices are listened to; `refused` is why a touch cannot be kept from the page while the screen is
 * dark, `keyboards` how many of the devices with keys have letters.
 */
export function listeningVerdict(counts: InputCounts, refused: Grab['refused'] = null, keyboards = 0): Verdict {
  if (refused === 'busy') return inputTaken;
  const parts = [
    ...some(counts.touch, 'one touch screen', 'touch screens'),
    ...some(counts.key, 'one device with keys', 'devices with keys'),
    ...some(counts.pointer, 'one mouse', 'mice'),
  ];
  const passes = refused !== null && counts.touch > 0 ? firstTouch[refused] : '';
  const listened = parts.join(' and ');
  const typed =
    keyboards === 0
      ? ''
      : ' Of a device with letter keys only that it is used is taken, never which key, and no button.';
  return working(
    'input-read',
    `A touch or a key press lights the dark screen at once, even while Home Assistant is unreachable. Listening to ${listened}.${typed}${passes}`,
  );
}

/** What is said where the machine shows no touch screen, key or button. */
export const noInput: Verdict = {
  state: 'not_here',
  reason: 'no-input-device',
  detail: 'This machine shows no touch screen, key or button. One that is plugged in later is used within seconds.',
  missing: 'A touch screen, a key or a button that the kernel knows.',
  fix: null,
};

/**
 * What is said where input devices are there and may not be read; `user` is who the agent runs as, null for whoever
 * pastes the command.
 */
export const inputNotReadable = (user: string | null): Verdict => ({
  state: 'needs_you',
  reason: 'input-not-readable',
  detail:
    'There is a touch screen or a key here, and this user may not listen to it, so touching does not light the dark screen.',
  missing: 'The right to read the input devices.',
  fix: {
    command: `sudo usermod -aG input ${user ?? '"$USER"'}`,
    effect: 'Lets the user of Sconce see touches and key presses on this machine. Restart the panel for it to count.',
  },
});
