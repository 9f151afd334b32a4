import type { z } from 'zod';
import type { Logs } from '#routes/logs.ts';
import type { Given } from '#routes/kit/answer.ts';

/** An agent that was killed and started again. */
export const logsExample: { readonly text: string; readonly json: Given<z.input<ReturnType<typeof Logs>>> } = {
  text: [
    '2026-11-23T02:55:12.005Z warn  The broker does not answer. phase=unreachable failure=ECONNREFUSED',
    '2026-11-23T02:56:17.718Z ----- Sconce started here: the run before was killed.',
    '2026-11-23T02:56:17.902Z info  The agent is ready. profile=simulated port=8888',
    '',
  ].join('\n'),
  json: {
    position: 'bab2f93b-2',
    entries: [
      { kind: 'started', at: 1_795_352_177_718, before: 'killed' },
      {
        kind: 'line',
        at: 1_795_352_177_902,
        level: 'info',
        part: '',
        text: 'The agent is ready.',
        facts: 'profile=simulated port=8888',
      },
    ],
  },
};
