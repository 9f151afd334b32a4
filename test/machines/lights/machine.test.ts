import { describe, expect, it } from 'vitest';
import { createActor, fromTransition, SimulatedClock } from 'xstate';

import { checking, type Verdict, working } from '#machines/kit/verdict.ts';
import type {
  LightAbility,
  LightContext,
  LightDriverCommand,
  LightEvent,
  LightOutput,
  LightRequest,
} from '#machines/lights/events.ts';
import { ANSWER_BOUND_MS, type LightInput, lightMachine } from '#machines/lights/machine.ts';

const red = { red: 255, green: 0, blue: 0 };
const white = { red: 255, green: 255, blue: 255 };
const colour: LightAbility = { colour: 'rgb', effects: true };
const verdict = working('here', 'Here.');

const found = (ability: LightAbility = colour): LightEvent => ({ type: 'light.found', ability, verdict });
const gone: Verdict = { ...verdict, state: 'not_here' };
const lost: LightEvent = { type: 'light.found', ability: null, verdict: gone };
const set = (request: LightRequest): LightEvent => ({ type: 'light.set', origin: 'test', ...request });
const seen = (level: number, rgb: LightOutput['rgb'] = red): LightEvent => ({
  type: 'light.observed',
  output: { level, rgb },
});
/** Stands for the generation of the newest command. */
const NEWEST = -1;
const written: LightEvent = { type: 'light.written', generation: NEWEST };
/** What the driver reports once a command is carried out. */
const done = (level: number, rgb?: LightOutput['rgb']): readonly LightEvent[] => [seen(level, rgb), written];
const refused: LightEvent = { type: 'light.refused', generation: NEWEST, code: 'EACCES' };

type Steps = readonly (LightEvent | readonly LightEvent[])[];

function run(plainOn: LightInput['plainOn'] = 'last') {
  const shown: LightDriverCommand[] = [];
  const light = fromTransition((state: null, event: { type: string }) => {
    // The machine sends nothing else to its lamp.
    if (event.type === 'light.show') shown.push(event as LightDriverCommand);
    return state;
  }, null);
  const silent = fromTransition((state: null) => state, null);
  const clock = new SimulatedClock();
  // The stand-in takes the commands of the driver whose place it holds.
  const actor = createActor(lightMachine.provide({ actors: { light: light as never, store: silent as never } }), {
    input: { plainOn },
    clock,
  }).start();
  return {
    shown: () => shown.map(({ output, effect }) => [output.level, effect] as const),
    tell: (...events: Steps): void => {
      for (const event of events.flat()) {
        // An answer is one to the newest command where it does not say otherwise.
        const isNewest = 'generation' in event && event.generation === NEWEST;
        actor.send(isNewest ? { ...event, generation: actor.getSnapshot().context.generation } : event);
      }
    },
    pass: (ms: number) => clock.increment(ms),
    facts: () => actor.getSnapshot().context,
    state: () => actor.getSnapshot().value,
  };
}

describe('the machine of a light', () => {
  it.each<[string, Steps, 'away' | 'here', Partial<LightContext>, readonly (readonly [number, string])[]]>([
    [
      'knows nothing before its device was found',
      [],
      'away',
      { verdict: checking, on: null, level: null, ability: null, fault: null },
      [],
    ],
    [
      'writes nothing because its device was found',
      [found(), seen(40)],
      'here',
      { verdict, on: true, level: 40, lastLevel: 40, rgb: red },
      [],
    ],
    [
      'stays unknown while a trigger of the kernel drives it',
      [found()],
      'here',
      { verdict, on: null, level: null },
      [],
    ],
    [
      'refuses what is asked before its device was found',
      [set({ on: true }), found()],
      'here',
      { fault: 'gone', on: null },
      [],
    ],
    [
      'is full and white where nothing was known',
      [found(), seen(0), set({ on: true }), done(255, white)],
      'here',
      { on: true, level: 255, rgb: white },
      [[255, 'none']],
    ],
    [
      'does not claim what was not read back',
      [found(), seen(0), set({ level: 80 })],
      'here',
      { on: false, level: null },
      [[80, 'none']],
    ],
    [
      'shows what was read back',
      [found(), set({ level: 80, rgb: red }), done(78)],
      'here',
      { on: true, level: 78, effect: 'none' },
      [[80, 'none']],
    ],
    [
      'keeps level and colour over a time in the dark',
      [found(), set({ level: 80, rgb: red }), done(80), set({ on: false }), done(0), set({ on: true })],
      'here',
      { rgb: red, lastLevel: 80 },
      [
        [80, 'none'],
        [0, 'none'],
        [80, 'none'],
      ],
    ],
    [
      'keeps an effect over another level',
      [found(), seen(200), set({ effect: 'pulse' }), done(200), set({ level: 9 })],
      'here',
      { effect: 'pulse' },
      [
        [200, 'pulse'],
        [9, 'pulse'],
      ],
    ],
    [
      'ends an effect with the light',
      [found(), seen(200), set({ effect: 'blink' }), done(200), set({ on: false }), done(0)],
      'here',
      { effect: 'none', on: false },
      [
        [200, 'blink'],
        [0, 'none'],
      ],
    ],
    [
      'an effect is over when somebody else sets the light',
      [found(), seen(200), set({ effect: 'blink' }), done(200), seen(17)],
      'here',
      { effect: 'none', level: 17 },
      [[200, 'blink']],
    ],
    [
      'says why a write was refused, and forgets it with the next',
      [found(), seen(10), set({ level: 80, effect: 'strobe' }), refused],
      'here',
      { fault: 'EACCES', effect: 'none', level: 10 },
      [[80, 'strobe']],
    ],
    [
      'after a refusal',
      [found(), set({ level: 80 }), refused, set({ level: 81, rgb: red }), done(81)],
      'here',
      { fault: null, level: 81 },
      [
        [80, 'none'],
        [81, 'none'],
      ],
    ],
    [
      'builds on what was asked last, before it was read back',
      [
        found(),
        seen(255),
        set({ level: 128 }),
        written,
        set({ effect: 'blink' }),
        written,
        set({ effect: 'none' }),
        written,
        set({ on: false }),
        written,
        set({ on: true }),
      ],
      'here',
      { lastLevel: 128 },
      [
        [128, 'none'],
        [128, 'blink'],
        [128, 'none'],
        [0, 'none'],
        [128, 'none'],
      ],
    ],
    [
      'is unknown and unavailable once its device is lost',
      [found(), seen(10), lost],
      'away',
      { verdict: gone, on: null, level: null, ability: colour, lastLevel: 10 },
      [],
    ],
    [
      'shows again what was asked for when it is back',
      [found(), set({ level: 80, rgb: red, effect: 'blink' }), done(80), lost, found()],
      'here',
      { effect: 'blink', rgb: red },
      [
        [80, 'blink'],
        [80, 'blink'],
      ],
    ],
    [
      'also where its loss was not seen',
      [found(), set({ level: 80, rgb: red }), done(80), found()],
      'here',
      { verdict },
      [
        [80, 'none'],
        [80, 'none'],
      ],
    ],
    [
      'stays as somebody else set it, also over a loss',
      [found(), set({ level: 80, rgb: red }), done(80), seen(12), lost, found(), seen(0)],
      'here',
      { on: false, lastLevel: 12 },
      [[80, 'none']],
    ],
    [
      'does not make up for what was asked of a lost device',
      [found(), seen(10), lost, set({ level: 80 }), found(), seen(0)],
      'here',
      { fault: 'gone', on: false },
      [],
    ],
    [
      'has no colour where it shows none',
      [found({ colour: 'level', effects: true }), set({ rgb: red }), done(255, null)],
      'here',
      { rgb: white, level: 255 },
      [[255, 'none']],
    ],
    [
      'has no effect where it runs none',
      [found({ colour: 'switch', effects: false }), set({ level: 3, effect: 'blink' }), done(255, null)],
      'here',
      { effect: 'none', level: 255 },
      [[255, 'none']],
    ],
  ])('%s', (_, events, state, facts, shown) => {
    const light = run();
    light.tell(...events);
    expect(light.state()).toEqual(state === 'away' ? 'away' : { here: expect.any(String) });
    expect(light.facts()).toMatchObject(facts);
    expect(light.shown()).toEqual(shown);
  });

  it('lights the buttons fully on a plain "on", however dim they were', () => {
    const light = run('full');
    light.tell(
      found({ colour: 'level', effects: false }),
      seen(20, null),
      set({ on: true }),
      done(255, null),
      set({ on: true, level: 30 }),
    );
    expect(light.shown()).toEqual([
      [255, 'none'],
      [30, 'none'],
    ]);
  });

  it('does nothing by itself as time passes', () => {
    const light = run();
    light.tell(found(), seen(200), set({ effect: 'strobe' }), done(200));
    light.pass(86_400_000);
    expect([light.shown(), light.facts().effect]).toEqual([[[200, 'strobe']], 'strobe']);
  });

  it('writes one at a time, and the newest of many requests', () => {
    const light = run();
    light.tell(found(), seen(0), set({ level: 128 }), set({ effect: 'blink' }), set({ on: false }), set({ level: 9 }));
    expect(light.shown()).toEqual([[128, 'none']]);
    light.tell(done(128));
    expect(light.shown()).toEqual([
      [128, 'none'],
      [9, 'none'],
    ]);
    light.tell(done(9));
    expect([light.state(), light.facts().level, light.facts().fault]).toEqual([{ here: 'idle' }, 9, null]);
  });

  it('keeps what was asked for since, whatever is read back of the write before it', () => {
    const light = run();
    light.tell(found(), set({ level: 80 }), set({ effect: 'blink' }), done(80));
    expect(light.facts()).toMatchObject({ level: 80, effect: 'blink' });
    light.tell(set({ on: false }), refused);
    expect([light.shown().at(-1), light.facts().fault]).toEqual([[0, 'none'], null]);
  });

  it('waits for an answer only so long, goes on, and takes the late one', () => {
    const light = run();
    light.tell(found(), set({ level: 80 }), set({ level: 81 }));
    light.pass(ANSWER_BOUND_MS);
    expect([light.shown().length, light.facts().fault]).toEqual([2, 'no-answer']);
    light.tell({ type: 'light.written', generation: 1 });
    expect(light.state()).toEqual({ here: 'writing' });
    light.pass(ANSWER_BOUND_MS);
    expect([light.state(), light.facts().fault]).toEqual([{ here: 'idle' }, 'no-answer']);
    light.tell(done(81));
    expect(light.facts()).toMatchObject({ level: 81, fault: null });
  });

  it('fails as a whole when its driver crashes', () => {
    const broken = fromTransition((state: null, event: { type: string }) => {
      if (event.type === 'light.show') throw new Error('broken');
      return state;
    }, null);
    // The stand-in takes the commands of the driver whose place it holds.
    const actor = createActor(lightMachine.provide({ actors: { light: broken as never } }), {
      input: { plainOn: 'last' },
    }).start();
    actor.send(found());
    actor.send(set({ on: true }));
    expect(actor.getSnapshot()).toMatchObject({
      value: 'failed',
      output: { ended: 'failed', reason: 'light-driver' },
    });
  });
});
