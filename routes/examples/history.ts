import type { z } from 'zod';
import type { History } from '#routes/history.ts';
import type { Given } from '#routes/kit/answer.ts';

/** The screen that was switched off after a start. */
export const historyExample: Given<z.input<ReturnType<typeof History>>> = {
  entries: [
    { at: 1_795_352_460_000, kind: 'screen', by: 'http', code: 'off', times: 1 },
    { at: 1_795_352_177_000, kind: 'agent', by: null, code: 'first-start', times: 1 },
  ],
};
