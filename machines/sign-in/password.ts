/**
 * Why a sign-in with a password failed for good; it is not tried again before the next start.
 */
export const passwordEnds = [
  // Home Assistant does not know this user with this password.
  'password-refused',
  // It asks for a second factor, which only a person can enter.
  'password-second-factor',
  // It refused in another way, or its answer is not understood.
  'password-rejected',
  // It received the password several times and never answered.
  'password-unanswered',
  // The password is for another Home Assistant than the one set.
  'password-stale',
  // The sign-in could not be saved.
  'password-not-kept',
] as const;

export type PasswordEnd = (typeof passwordEnds)[number];

/** The states of a sign-in with a password. */
export const passwordStates = [
  // None was handed over, or it is no longer needed.
  'none',
  // It waits for an address of Home Assistant.
  'held',
  'trying',
  // Home Assistant was not reached; there will be another try.
  'unreachable',
  ...passwordEnds,
] as const;

export type PasswordState = (typeof passwordStates)[number];

/**
 * How often Home Assistant may receive a password without answering: each time may count as a failed login there, and
 * the example in its documentation bans an address after 5 of them.
 */
const PASSWORD_SENDS = 3;

/** True if the password may be sent again after `sends` times without an answer. */
export const maySendAgain = (sends: number): boolean => sends < PASSWORD_SENDS;
