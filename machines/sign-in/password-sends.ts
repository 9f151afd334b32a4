/**
 * How often Home Assistant may get a password without answering: each time may count as a failed login there, and the
 * example in its documentation bans an address after 5 of them.
 */
const PASSWORD_SENDS = 3;

/** Whether the password may go to Home Assistant once more, after it got it `sends` times and did not answer. */
export const maySendAgain = (sends: number): boolean => sends < PASSWORD_SENDS;
