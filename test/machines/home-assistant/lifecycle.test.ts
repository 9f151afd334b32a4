import { describe, expect, it } from 'vitest';

import {
  type Lifecycle,
  lifecycleAfter,
  type LifecycleSign,
  type LifecycleState,
  signOfEnd,
} from '#machines/home-assistant/lifecycle.ts';

const at = (state: LifecycleState, source: Lifecycle['source'] = null, awaits?: Lifecycle['awaits']): Lifecycle => ({
  state,
  source,
  ...(awaits !== undefined && { awaits }),
});
const answered = (running: 'starting' | 'running' | 'stopping'): LifecycleSign => ({ type: 'answered', running });
const gone = at('shutting_down', 'mqtt');
/** Both halves of an orderly shutdown came. */
const stopped: Lifecycle = { ...gone, orderly: true };

/** The state before, the sign, and the state after it for an account that receives events and for one that does not. */
const rows: readonly (readonly [Lifecycle | null, LifecycleSign, Lifecycle | null, Lifecycle | null])[] = [
  // Nothing is known until it has answered.
  [null, answered('running'), at('normal'), at('normal')],
  [null, answered('starting'), at('starting'), at('starting')],
  [null, answered('stopping'), at('shutting_down'), at('shutting_down')],
  [null, { type: 'offline' }, null, null],
  [null, { type: 'online' }, null, null],
  [null, { type: 'started' }, null, null],
  [null, { type: 'unconfirmed' }, null, null],
  [null, { type: 'settled' }, null, null],
  // A connection was live, though what it said of itself was not asked yet.
  [null, { type: 'lost' }, at('connection_lost'), at('connection_lost')],
  [null, { type: 'closed' }, at('connection_lost', null, 'notice'), at('connection_lost', null, 'notice')],

  [at('normal'), { type: 'stopping' }, at('shutting_down', 'socket'), at('shutting_down', 'socket')],
  [at('normal'), { type: 'starting' }, at('starting', 'socket'), at('starting', 'socket')],
  [at('normal'), { type: 'lost' }, at('connection_lost'), at('connection_lost')],
  [at('normal'), { type: 'started' }, at('normal'), at('normal')],
  [at('normal'), answered('running'), at('normal'), at('normal')],
  [at('normal'), answered('stopping'), at('shutting_down'), at('shutting_down')],
  // A reload of its MQTT integration sends a birth without a will before it.
  [at('normal'), { type: 'online' }, at('normal'), at('normal')],
  [at('normal'), { type: 'offline' }, at('normal', null, 'close'), gone],
  [at('normal'), { type: 'settled' }, at('normal'), at('normal')],
  [at('normal'), { type: 'unconfirmed' }, at('normal'), at('normal')],

  // An orderly close and the broker's notice are one shutdown, in either order.
  [at('normal'), { type: 'closed' }, at('normal', null, 'notice'), at('normal', null, 'notice')],
  [at('starting'), { type: 'closed' }, at('starting', null, 'notice'), at('starting', null, 'notice')],
  [at('normal', null, 'notice'), { type: 'offline' }, stopped, stopped],
  [at('normal', null, 'notice'), { type: 'online' }, at('normal', null, 'notice'), at('normal', null, 'notice')],
  [at('normal', null, 'notice'), answered('running'), at('normal'), at('normal')],
  [at('normal', null, 'notice'), answered('starting'), at('starting'), at('starting')],
  [at('back_online', null, 'notice'), { type: 'settled' }, at('normal', null, 'notice'), at('normal', null, 'notice')],
  [at('normal', null, 'close'), { type: 'closed' }, stopped, stopped],
  [at('normal', null, 'close'), { type: 'online' }, at('normal'), at('normal', null, 'close')],
  [at('normal', null, 'close'), { type: 'unconfirmed' }, at('normal'), at('normal')],
  // The will of one that was killed comes with the end of its connections, which is no orderly one.
  [at('normal', null, 'close'), { type: 'lost' }, at('connection_lost'), at('connection_lost')],
  [
    at('normal', null, 'notice'),
    { type: 'unconfirmed' },
    at('connection_lost', null, 'notice'),
    at('connection_lost', null, 'notice'),
  ],
  // A notice that comes late still corrects it.
  [at('connection_lost', null, 'notice'), { type: 'offline' }, stopped, stopped],
  [
    at('connection_lost', null, 'notice'),
    { type: 'unconfirmed' },
    at('connection_lost', null, 'notice'),
    at('connection_lost', null, 'notice'),
  ],
  [at('connection_lost', null, 'notice'), answered('running'), at('back_online'), at('back_online')],

  // What was announced is no loss.
  [at('shutting_down', 'socket'), { type: 'lost' }, at('shutting_down', 'socket'), at('shutting_down', 'socket')],
  [at('shutting_down', 'socket'), { type: 'closed' }, at('shutting_down', 'socket'), at('shutting_down', 'socket')],
  [at('shutting_down', 'socket'), { type: 'offline' }, at('shutting_down', 'socket'), at('shutting_down', 'socket')],
  [at('shutting_down', 'socket'), answered('stopping'), at('shutting_down', 'socket'), at('shutting_down', 'socket')],
  // An answer is no event: it carries no source.
  [at('shutting_down', 'socket'), answered('starting'), at('starting'), at('starting')],
  [at('shutting_down', 'socket'), answered('running'), at('back_online'), at('back_online')],
  [gone, { type: 'lost' }, gone, gone],
  [gone, { type: 'closed' }, stopped, stopped],
  [stopped, { type: 'closed' }, stopped, stopped],
  [stopped, { type: 'lost' }, stopped, stopped],
  [stopped, { type: 'offline' }, stopped, stopped],
  [stopped, answered('running'), at('back_online'), at('back_online')],
  [gone, { type: 'offline' }, gone, gone],
  [gone, { type: 'stopping' }, at('shutting_down', 'socket'), at('shutting_down', 'socket')],
  [at('shutting_down'), { type: 'offline' }, at('shutting_down'), gone],
  [gone, { type: 'online' }, gone, at('back_online', 'mqtt')],

  [at('connection_lost'), { type: 'offline' }, at('connection_lost'), gone],
  [at('connection_lost'), { type: 'online' }, at('connection_lost'), at('back_online', 'mqtt')],
  [at('connection_lost'), answered('starting'), at('starting'), at('starting')],
  [at('connection_lost'), answered('running'), at('back_online'), at('back_online')],

  [at('starting'), { type: 'starting' }, at('starting', 'socket'), at('starting', 'socket')],
  [at('starting', 'socket'), { type: 'started' }, at('back_online', 'socket'), at('back_online', 'socket')],
  [at('starting', 'socket'), answered('starting'), at('starting', 'socket'), at('starting', 'socket')],
  [at('starting'), answered('starting'), at('starting'), at('starting')],
  [at('starting'), answered('running'), at('back_online'), at('back_online')],
  [at('starting'), { type: 'lost' }, at('connection_lost'), at('connection_lost')],

  [at('back_online', 'socket'), { type: 'settled' }, at('normal'), at('normal')],
  [at('back_online', 'socket'), answered('running'), at('back_online', 'socket'), at('back_online', 'socket')],
  [at('back_online', 'socket'), { type: 'stopping' }, at('shutting_down', 'socket'), at('shutting_down', 'socket')],
  [at('back_online', 'socket'), { type: 'lost' }, at('connection_lost'), at('connection_lost')],
  [at('back_online', 'mqtt'), { type: 'online' }, at('back_online', 'mqtt'), at('back_online', 'mqtt')],
];

const named = ({ type, ...rest }: LifecycleSign): string => [type, ...Object.values(rest)].join(' ');

describe('what is said of Home Assistant', () => {
  it.each(rows.map((row) => [Object.values(row[0] ?? { state: 'nothing' }).join(' '), named(row[1]), row] as const))(
    'after %s, %s',
    (_, __, [before, sign, hearing, deaf]) => {
      expect(lifecycleAfter(before, sign, true)).toEqual(hearing);
      expect(lifecycleAfter(before, sign, false)).toEqual(deaf);
    },
  );
});

describe('the end of a live connection', () => {
  it.each([
    ['closed-in-order', 'closed'],
    ['closed', 'lost'],
    ['ECONNRESET', 'lost'],
    ['no-answer', 'lost'],
  ])('with %s is %s', (code, type) => expect(signOfEnd(code)).toEqual({ type }));
});
