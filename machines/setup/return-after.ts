/** The idle return that the setup chooses with the home dashboard, in minutes; by its own default there is none. */
const RETURN_MIN = 5;

/**
 * The minutes after which the panel returns to a home dashboard that is chosen now, where `saved` are in force. Only
 * the first setup chooses: a panel that was set up before keeps what it has.
 */
export const returnAfter = (saved: number, isComplete: boolean): number =>
  saved === 0 && !isComplete ? RETURN_MIN : saved;
