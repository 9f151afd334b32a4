import type { NoPlaceReason, Place } from './events.ts';

/** Why this panel cannot ask a person, and what to do about it, one or two sentences. */
const words: Readonly<Record<NoPlaceReason, string>> = {
  starting: 'The panel’s browser is starting. Try again in a minute.',
  'no-renderer': 'Sconce was started with --renderer none, so it has no screen to ask on.',
  headless: 'Its browser draws off-screen (--renderer headless), so it has no screen to ask on.',
  'foreign-browser': 'Firefox shows the dashboard, and Sconce can ask only in its built-in browser.',
  android: 'Sconce cannot ask on the screen of an Android panel yet.',
  'no-browser': 'The panel’s browser does not run, so it has no screen to ask on. The page "/" says what is missing.',
};

/** Why no question can be shown at this place; null if one can. */
export const noPlaceWords = (place: Place): string | null => (place.kind === 'none' ? words[place.reason] : null);
