import type { Grab, InputCounts } from '#machines/input/events.ts';
import { type Verdict, working } from '#machines/kit/verdict.ts';

const some = (count: number, one: string, many: string): string[] =>
  count === 0 ? [] : [count === 1 ? one : `${count} ${many}`];

const firstTouch: Readonly<Record<NonNullable<Grab['refused']>, string>> = {
  busy: '',
  unsupported: ' The touch that lights the screen also reaches the page: this build cannot hold it back.',
  failed: ' The touch that lights the screen also reaches the page: the kernel refused to hold it back.',
};

const inputTaken: Verdict = {
  state: 'needs_you',
  reason: 'input-taken',
  detail:
    'Another program holds a touch screen or a key device of this machine for itself, so its input does not reach Sconce and touching it does not light the dark screen.',
  missing: 'A device that no other program keeps for itself.',
  fix: {
    command: 'sudo fuser -v /dev/input/event*',
    effect:
      'Lists the programs that have input devices open; it changes nothing. End or reconfigure the one that is not your desktop.',
  },
};

/**
 * The verdict while devices are read. `refused` is why the waking touch cannot be kept from the page, `keyboards` the
 * number of devices with letter keys.
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
      : 'Of a device with letter keys Sconce notices only that it is used, never which key, and reads no buttons.';
  return working(
    'input-read',
    `A touch or a key press lights the dark screen at once, even while Home Assistant is unreachable. Listening to ${listened}.${typed}${passes}`,
  );
}

export const noInput: Verdict = {
  state: 'not_here',
  reason: 'no-input-device',
  detail: 'This machine shows no touch screen, key or button. One that is plugged in later is used within seconds.',
  missing: 'A touch screen, a key or a button that the kernel knows.',
  fix: null,
};

/**
 * The verdict if input devices may not be read. `user` is the name the agent runs under; null inserts the user who
 * pastes the command.
 */
export const inputNotReadable = (user: string | null): Verdict => ({
  state: 'needs_you',
  reason: 'input-not-readable',
  detail:
    'There is a touch screen or a key here, but this user may not read it, so touching it does not light the dark screen.',
  missing: 'The right to read the input devices.',
  fix: {
    command: `sudo usermod -aG input ${user ?? '"$USER"'}`,
    effect:
      'Lets the user of Sconce see touches and key presses on this machine. Restart the panel for it to take effect.',
  },
});
