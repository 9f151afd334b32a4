import { assign } from 'xstate';

import { backoffDelay } from '../kit/backoff.ts';
import { crashed, outcomeOf, stopped, type WorkerOutcome } from '../kit/outcome.ts';
import { placeholder } from '../kit/placeholder.ts';
import { setup } from '../kit/setup.ts';
import { withEvent } from '../kit/with-event.ts';
import type { HttpContext, HttpEvent, HttpFact } from './events.ts';

/** Pause before the port is retried: short, because a restarted agent often only waits for its predecessor. */
const RETRY = { firstMs: 250, capMs: 5000, jitter: 0 };

/** Keeps the web server listening; retries a port that is taken or forbidden. */
export const httpMachine = setup({
  types: {
    // Type carriers of the library's own design; their values are never read.
    context: {} as HttpContext,
    events: {} as HttpEvent,
    input: {} as { readonly port: number },
    output: {} as WorkerOutcome,
  },
  actors: {
    listener: placeholder<HttpEvent, { readonly port: number }, HttpFact>(),
  },
  actions: {
    noteListening: assign((_, { port, family }: Extract<HttpEvent, { type: 'http.listening' }>) => ({
      port,
      family,
      failure: null,
      attempt: 0,
    })),
    noteFailure: assign(({ context }, { code }: { readonly code: string }) => ({
      port: -1,
      family: null,
      failure: code,
      attempt: context.attempt + 1,
    })),
  },
  delays: { retry: ({ context }) => backoffDelay(RETRY, context.attempt, 0) },
}).createMachine({
  id: 'http',
  context: ({ input }) => ({ port: -1, wantedPort: input.port, family: null, failure: null, attempt: 0 }),
  initial: 'serving',
  on: { 'http.stop': '.stopped' },
  states: {
    serving: {
      initial: 'starting',
      invoke: {
        id: 'listener',
        src: 'listener',
        input: ({ context }) => ({ port: context.wantedPort }),
        onError: 'failed',
      },
      on: {
        'http.taken': { target: 'waiting', actions: withEvent('noteFailure') },
        'http.lost': { target: 'waiting', actions: withEvent('noteFailure') },
      },
      states: {
        starting: { on: { 'http.listening': { target: 'listening', actions: withEvent('noteListening') } } },
        listening: {},
      },
    },
    waiting: { after: { retry: 'serving' } },
    stopped: { type: 'final', output: stopped },
    failed: { type: 'final', output: crashed('http-listener') },
  },
  output: outcomeOf,
});
