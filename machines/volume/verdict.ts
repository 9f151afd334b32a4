import { type Verdict, working } from '../kit/verdict.ts';

/** The verdict on a sound route that was found by reading it. */
export const foundVerdict = (route: string): Verdict =>
  route === 'simulated'
    ? working('sound-simulated', 'The volume is that of the simulated panel; nothing can be heard.')
    : working('sound-found', `The volume of the music stream is read and set with ${route}.`);

/** The verdict on a sound route that disappeared while in use. */
export const lostVerdict: Verdict = {
  state: 'not_here',
  reason: 'sound-lost',
  detail: 'The sound system has stopped answering. Sconce looks for it every ten seconds.',
  missing: 'The sound system.',
  fix: null,
};
