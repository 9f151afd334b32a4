import { assign, createActor, setup as setupOfXState, StateMachine } from 'xstate';
import { beforeEach, describe, expect, it } from 'vitest';

import { setup } from '#machines/kit/setup.ts';

let built = 0;
beforeEach(() => {
  built = 0;
});

function bell(library: typeof setupOfXState) {
  const config = {
    id: 'bell',
    context: { rings: 0 },
    initial: 'idle',
    states: {
      // Read once for each machine that is built.
      get idle() {
        built += 1;
        return { on: { ring: { actions: 'count' } } } as const;
      },
    },
  } as const;
  return library({
    types: { context: {} as { rings: number }, events: {} as { type: 'ring' } },
    actions: { count: assign({ rings: ({ context }) => context.rings + 1 }) },
  }).createMachine(config);
}

describe('setup', () => {
  it('builds nothing before a machine is used', () => {
    bell(setupOfXState);
    expect(built).toBeGreaterThan(0);
    built = 0;
    bell(setup);
    expect(built).toBe(0);
  });

  it('builds only the machine that was provided', () => {
    bell(setupOfXState);
    const once = built;
    built = 0;
    const provided = bell(setup).provide({ actions: { count: assign({ rings: 7 }) } });
    expect(built).toBe(once);
    const actor = createActor(provided).start();
    actor.send({ type: 'ring' });
    expect(actor.getSnapshot().context).toEqual({ rings: 7 });
    expect(built).toBe(once);
  });

  it('keeps what is not provided', () => {
    const actor = createActor(bell(setup).provide({})).start();
    actor.send({ type: 'ring' });
    expect(actor.getSnapshot().context).toEqual({ rings: 1 });
  });

  it('makes machines like those of the library', () => {
    const machine = bell(setup);
    expect(machine).toBeInstanceOf(StateMachine);
    const actor = createActor(machine).start();
    actor.send({ type: 'ring' });
    expect(actor.getSnapshot().matches('idle')).toBe(true);
    expect(actor.getSnapshot().context).toEqual({ rings: 1 });
    expect(Object.keys(machine.implementations.actions)).toEqual(['count']);
    expect('root' in machine).toBe(true);
  });
});
