/**
 * How a sign-in with the password that was handed over ended without one; it is not tried again before the next start.
 */
export const passwordEnds = [
  // Home Assistant does not know this user with this password.
  'password-refused',
  // It asks for a second factor, which only a person has.
  'password-second-factor',
  // It said no in another way, or something that is not understood.
  'password-rejected',
  // It got the password several times and never answered.
  'password-unanswered',
  // The address of Home Assistant is not the one that it is for.
  'password-stale',
  // The sign-in could not be saved.
  'password-not-kept',
] as const;

/** One of them. */
export type PasswordEnd = (typeof passwordEnds)[number];

/** Where the sign-in with the password that was handed over stands. */
export const passwordStates = [
  // None was handed over, or it is no longer needed.
  'none',
  // It waits for an address of Home Assistant.
  'held',
  'trying',
  // Home Assistant was not reached; it is tried again by itself.
  'unreachable',
  ...passwordEnds,
] as const;

/** One of them. */
export type PasswordState = (typeof passwordStates)[number];

/**
 * How often Home Assistant may get a password without answering: each time may count as a failed login there, and the
 * example in its documentation bans an address after 5 of them.
 */
const PASSWORD_SENDS = 3;

/** Whether the password may go to Home Assistant once more, after it got it `sends` times and did not answer. */
export const maySendAgain = (sends: number): boolean => sends < PASSWORD_SENDS;
