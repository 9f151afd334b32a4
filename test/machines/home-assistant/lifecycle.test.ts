import { describe, expect, it } from 'vitest';

import {
  type Lifecycle,
  lifecycleAfter,
  type LifecycleSign,
  type LifecycleState,
} from '#machines/home-assistant/lifecycle.ts';

const at = (state: LifecycleState, source: Lifecycle['source'] = null): Lifecycle => ({ state, source });
const answered = (running: 'starting' | 'running' | 'stopping'): LifecycleSign => ({ type: 'answered', running });

/** What is known, the sign, what is known then to an account that hears events, and to one that does not. */
const rows: readonly (readonly [Lifecycle | null, LifecycleSign, Lifecycle | null, Lifecycle | null])[] = [
  [null, answered('running'), at('normal'), at('normal')],
  [null, answered('starting'), at('starting', 'socket'), at('starting')],
  [null, { type: 'lost' }, at('connection_lost'), at('connection_lost')],
  [null, { type: 'offline' }, null, at('shutting_down', 'mqtt')],
  [null, { type: 'online' }, null, at('normal')],
  [null, { type: 'settled' }, null, null],

  [at('normal'), { type: 'stopping' }, at('shutting_down', 'socket'), at('shutting_down', 'socket')],
  [at('normal'), { type: 'lost' }, at('connection_lost'), at('connection_lost')],
  [at('normal'), { type: 'started' }, at('normal'), at('normal')],
  [at('normal'), answered('running'), at('normal'), at('normal')],
  [at('normal'), answered('stopping'), at('shutting_down', 'socket'), at('shutting_down')],
  // A reload of its MQTT integration sends a birth without a will before it.
  [at('normal'), { type: 'online' }, at('normal'), at('normal')],
  [at('normal'), { type: 'offline' }, at('normal'), at('shutting_down', 'mqtt')],
  [at('normal'), { type: 'settled' }, at('normal'), at('normal')],

  // What was announced is no loss.
  [at('shutting_down', 'socket'), { type: 'lost' }, at('shutting_down', 'socket'), at('shutting_down', 'socket')],
  [at('shutting_down', 'socket'), { type: 'offline' }, at('shutting_down', 'socket'), at('shutting_down', 'socket')],
  [at('shutting_down', 'socket'), answered('stopping'), at('shutting_down', 'socket'), at('shutting_down', 'socket')],
  [at('shutting_down', 'socket'), answered('starting'), at('starting', 'socket'), at('starting')],
  [at('shutting_down', 'socket'), answered('running'), at('back_online', 'socket'), at('back_online')],
  [at('shutting_down', 'mqtt'), { type: 'lost' }, at('shutting_down', 'mqtt'), at('shutting_down', 'mqtt')],
  [at('shutting_down', 'mqtt'), { type: 'offline' }, at('shutting_down', 'mqtt'), at('shutting_down', 'mqtt')],
  // What it only answered when it was asked carries no source: the broker's word does.
  [at('shutting_down'), { type: 'offline' }, at('shutting_down'), at('shutting_down', 'mqtt')],
  [at('shutting_down', 'mqtt'), { type: 'online' }, at('shutting_down', 'mqtt'), at('back_online', 'mqtt')],

  [at('connection_lost'), { type: 'offline' }, at('connection_lost'), at('shutting_down', 'mqtt')],
  [at('connection_lost'), { type: 'online' }, at('connection_lost'), at('back_online', 'mqtt')],
  [at('connection_lost'), answered('starting'), at('starting', 'socket'), at('starting')],
  [at('connection_lost'), answered('running'), at('back_online', 'socket'), at('back_online')],

  [at('starting', 'socket'), { type: 'started' }, at('back_online', 'socket'), at('back_online', 'socket')],
  [at('starting'), answered('starting'), at('starting'), at('starting')],
  [at('starting'), answered('running'), at('back_online', 'socket'), at('back_online')],
  [at('starting'), { type: 'lost' }, at('connection_lost'), at('connection_lost')],

  [at('back_online', 'socket'), { type: 'settled' }, at('normal'), at('normal')],
  [at('back_online', 'socket'), answered('running'), at('back_online', 'socket'), at('back_online', 'socket')],
  [at('back_online', 'socket'), { type: 'stopping' }, at('shutting_down', 'socket'), at('shutting_down', 'socket')],
  [at('back_online', 'socket'), { type: 'lost' }, at('connection_lost'), at('connection_lost')],
  [at('back_online', 'mqtt'), { type: 'online' }, at('back_online', 'mqtt'), at('back_online', 'mqtt')],
];

const named = ({ type, ...rest }: LifecycleSign): string => [type, ...Object.values(rest)].join(' ');

describe('what is said of Home Assistant', () => {
  it.each(rows.map((row) => [row[0]?.state ?? 'nothing', named(row[1]), row] as const))(
    'after %s, %s',
    (_, __, [before, sign, hearing, deaf]) => {
      expect(lifecycleAfter(before, sign, true)).toEqual(hearing);
      expect(lifecycleAfter(before, sign, false)).toEqual(deaf);
    },
  );
});
