import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createActor, fromTransition, SimulatedClock } from 'xstate';

import { verdictOf, working } from '#machines/kit/verdict.ts';
import { heldShowing, releasedShowing, showingFor, WHITE } from '#machines/lights/decide.ts';
import type {
  LightAbility,
  LightContext,
  LightDriverCommand,
  LightEvent,
  LightOutput,
  LightRequest,
  LightStoreCommand,
} from '#machines/lights/events.ts';
import { lightMachine } from '#machines/lights/machine.ts';

const red = { red: 255, green: 0, blue: 0 };
const blue = { red: 0, green: 0, blue: 255 };
const colour: LightAbility = { colour: 'rgb', effects: true };
const verdict = working('here', 'Here.');

const found = (ability: LightAbility | null = colour): LightEvent => ({
  type: 'light.found',
  ability,
  verdict: ability === null ? verdictOf('not_here', 'gone', 'Gone.') : verdict,
});
const set = (request: LightRequest): LightEvent => ({ type: 'light.set', origin: 'test', ...request });
const seen = (output: LightOutput): LightEvent => ({ type: 'light.observed', output });
const hold: LightEvent = { type: 'light.hold', by: 'in-use' };
const release: LightEvent = { type: 'light.release', by: 'in-use' };

/** A light whose hardware does what it is told at once, unless it is made to lie or to refuse. */
function run(first: LightOutput | null = { level: 0, rgb: null }, ability = colour) {
  const commands: LightDriverCommand[] = [];
  const kept: LightStoreCommand['showing'][] = [];
  const store = fromTransition((state: null, event: { type: string }) => {
    // The machine sends nothing else to its store.
    if (event.type === 'light.keep') kept.push((event as LightStoreCommand).showing);
    return state;
  }, null);
  let shows = (output: LightOutput): LightOutput => output;
  let refuses = false;
  const driver = fromTransition((state: null, event: { type: string }) => {
    // The machine sends nothing else to its light.
    if (event.type === 'light.show') commands.push(event as LightDriverCommand);
    return state;
  }, null);
  const actor = createActor(lightMachine.provide({ actors: { light: driver as never, store: store as never } }), {
    input: { plainOn: 'last' },
    clock: new SimulatedClock(),
  }).start();
  let answered = 0;
  const answer = (): void => {
    for (let next = commands[answered]; next !== undefined; next = commands[answered]) {
      answered += 1;
      if (refuses) actor.send({ type: 'light.refused', generation: next.generation, code: 'EIO' });
      else {
        actor.send(seen(shows(next.output)));
        actor.send({ type: 'light.written', generation: next.generation });
      }
    }
  };
  const tell = (...events: readonly LightEvent[]): void => {
    for (const event of events) {
      actor.send(event);
      answer();
    }
  };
  if (first !== null) tell(found(ability), seen(first));
  return {
    tell,
    /** What its store holds. */
    kept: () => kept.at(-1) ?? null,
    send: (event: LightEvent) => actor.send(event),
    answer,
    lies: (how: typeof shows) => (shows = how),
    refuse: (does: boolean) => (refuses = does),
    outputs: () => commands.map(({ output, effect }) => [output.level, output.rgb, effect] as const),
    last: () => commands.at(-1),
    facts: (): LightContext => actor.getSnapshot().context,
  };
}

describe('a light that is held', () => {
  it.each<[LightAbility['colour'], LightOutput]>([
    ['rgb', { level: 255, rgb: red }],
    ['level', { level: 255, rgb: null }],
    ['switch', { level: 255, rgb: null }],
  ])('of colour %s is full, and says so once it was read back', (kind, output) => {
    const light = run({ level: 0, rgb: null }, { colour: kind, effects: true });
    light.send(hold);
    expect(light.last()).toMatchObject({ output, effect: 'none', exact: true });
    expect(light.facts()).toMatchObject({ heldBy: 'in-use', holdShown: false });
    light.answer();
    expect(light.facts()).toMatchObject({ heldBy: 'in-use', holdShown: true, on: true, level: 255, fault: null });
  });

  it('is not shown by what the hardware makes of it', () => {
    const light = run();
    light.lies(({ level }) => ({ level, rgb: blue }));
    light.tell(hold);
    expect(light.facts()).toMatchObject({ holdShown: false, rgb: blue });
  });

  it('is not shown where the device refuses it, and keeps the request for later', () => {
    const light = run();
    light.tell(set({ level: 20, rgb: blue }));
    light.refuse(true);
    light.tell(hold);
    expect(light.facts()).toMatchObject({ heldBy: 'in-use', holdShown: false, fault: 'EIO' });
    light.refuse(false);
    light.tell(release);
    expect(light.facts()).toMatchObject({ level: 20, rgb: blue, fault: null });
  });

  it('is held again after a change from outside', () => {
    const light = run();
    light.tell(hold);
    light.send(seen({ level: 0, rgb: null }));
    expect(light.facts()).toMatchObject({ holdShown: false, on: false });
    light.answer();
    expect([light.outputs().length, light.facts().holdShown]).toEqual([2, true]);
  });

  it('is held again when its device is back, and restored when it is back later', () => {
    const light = run();
    light.tell(set({ level: 20, rgb: blue }), hold, found(null));
    expect(light.facts()).toMatchObject({ heldBy: 'in-use', holdShown: false, on: null });
    light.tell(found());
    expect(light.facts().holdShown).toBe(true);
    light.tell(found(null), release, found());
    expect(light.outputs().at(-1)).toEqual([20, blue, 'none']);
    expect(light.facts()).toMatchObject({ heldBy: null, holdShown: false, level: 20 });
  });

  it('is held as soon as it is found', () => {
    const light = run();
    light.tell(found(null), hold);
    expect(light.outputs()).toEqual([]);
    light.tell(found());
    expect(light.facts().holdShown).toBe(true);
  });

  it('is held once, and a release without a hold is nothing', () => {
    const light = run({ level: 30, rgb: blue });
    light.tell(release);
    expect(light.outputs()).toEqual([]);
    light.tell(hold, hold, release);
    expect(light.outputs()).toEqual([
      [255, red, 'none'],
      [30, blue, 'none'],
    ]);
  });

  it.each<[string, LightOutput, readonly LightRequest[], readonly unknown[]]>([
    ['dark', { level: 0, rgb: null }, [], [0, WHITE, 'none']],
    ['as a person left it', { level: 40, rgb: blue }, [], [40, blue, 'none']],
    [
      'as it was asked, effect and all',
      { level: 0, rgb: null },
      [{ level: 50, effect: 'pulse' }],
      [50, WHITE, 'pulse'],
    ],
  ])('is afterwards %s', (_, first, requests, after) => {
    const light = run(first);
    light.tell(...requests.map(set), hold, release);
    expect(light.outputs().at(-1)).toEqual(after);
    expect(light.facts()).toMatchObject({ effect: after[2], on: after[0] !== 0 });
  });

  it('remembers its own level and colour, whatever was shown meanwhile', () => {
    const light = run();
    light.tell(set({ level: 50, rgb: blue }), set({ on: false }), hold, release);
    expect(light.facts()).toMatchObject({ on: false, lastLevel: 50, rgb: blue });
    light.send(hold);
    light.send(release);
    light.answer();
    light.tell(set({ on: true }));
    expect(light.outputs().at(-1)).toEqual([50, blue, 'none']);
  });

  const level = fc.integer({ min: 0, max: 255 });
  const rgb = fc.constantFrom(blue, WHITE, { red: 1, green: 200, blue: 3 });
  const request: fc.Arbitrary<LightRequest> = fc.record(
    { on: fc.boolean(), level, rgb, effect: fc.constantFrom('none', 'blink', 'pulse') },
    { requiredKeys: [] },
  );
  it('shows no request while it is held, and the last of them at the release', () => {
    fc.assert(
      fc.property(
        fc.array(request, { maxLength: 4 }),
        fc.array(request, { maxLength: 6 }),
        fc.constantFrom<LightOutput>({ level: 0, rgb: null }, { level: 90, rgb: blue }),
        (earlier, during, first) => {
          const held = run(first);
          const free = run(first);
          held.tell(...earlier.map(set), hold);
          free.tell(...earlier.map(set));
          for (const one of during) {
            held.tell(set(one));
            free.tell(set(one));
            expect(held.outputs().at(-1)).toEqual([255, red, 'none']);
            expect(held.facts().holdShown).toBe(true);
          }
          const count = held.outputs().length;
          held.tell(release);
          expect(held.outputs()).toHaveLength(count + 1);
          const { fault: _, ...shown } = free.facts();
          const keys = ['on', 'level', 'lastLevel', 'effect', 'rgb'] as const;
          const facts = held.facts();
          for (const key of keys) expect([key, facts[key]]).toEqual([key, shown[key]]);
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe('a light that a killed agent held', () => {
  const showing = { output: { level: 40, rgb: blue }, effect: 'pulse' } as const;
  const recalled: LightEvent = { type: 'light.recalled', showing };
  const left: LightOutput = { level: 255, rgb: red };

  it('is kept as it will be again, while it is held alone', () => {
    const light = run({ level: 40, rgb: blue });
    expect(light.kept()).toBeNull();
    light.tell(hold);
    expect(light.kept()).toEqual({ output: { level: 40, rgb: blue }, effect: 'none' });
    light.tell(set({ level: 7, effect: 'blink' }));
    expect(light.kept()).toEqual({ output: { level: 7, rgb: blue }, effect: 'blink' });
    light.tell(release);
    expect(light.kept()).toBeNull();
  });

  it.each<[string, readonly LightEvent[]]>([
    ['before it was found', [recalled, found(), seen(left)]],
    ['before it was read', [found(), recalled, seen(left)]],
    ['after it was read', [found(), seen(left), recalled]],
  ])('is put back where the store answers %s', (_, events) => {
    const light = run(null);
    light.tell(...events);
    expect(light.outputs()).toEqual([[40, blue, 'pulse']]);
    expect(light.facts()).toMatchObject({ on: true, level: 40, rgb: blue, effect: 'pulse', heldBy: null });
    expect(light.kept()).toBeNull();
  });

  it.each<[string, readonly LightEvent[]]>([
    ['changed since', [recalled, found(), seen({ level: 9, rgb: blue })]],
    ['dark, as after a power cut', [found(), seen({ level: 0, rgb: null }), recalled]],
    ['never held', [found(), seen(left), { type: 'light.recalled', showing: null }]],
  ])('is left alone where it was %s', (_, events) => {
    const light = run(null);
    light.tell(...events, found(null), found(), seen(left));
    expect([light.outputs(), light.kept()]).toEqual([[], null]);
  });

  it('shows what is asked for meanwhile', () => {
    const light = run(null);
    light.tell(recalled, found(), set({ level: 3, rgb: blue }));
    expect(light.outputs()).toEqual([[3, blue, 'none']]);
    expect(light.kept()).toBeNull();
  });

  it.each<[string, readonly LightEvent[]]>([
    ['before the store answers', [found(), hold, recalled]],
    ['once it was read', [found(), seen(left), hold, recalled]],
    ['before it was read', [recalled, found(), hold]],
  ])('is put back after another hold that begins %s', (_, events) => {
    const light = run(null);
    light.tell(...events);
    expect(light.kept()).toEqual(showing);
    light.tell(release);
    expect(light.outputs().at(-1)).toEqual([40, blue, 'pulse']);
    expect(light.kept()).toBeNull();
  });
});

describe('what a released light shows', () => {
  const before = { on: true, level: 9, lastLevel: 9, rgb: blue, effect: 'none' } as const;
  it.each([
    [
      'the last request',
      before,
      showingFor({ ...before, ability: colour, wanted: null, plainOn: 'last' }, { on: false }),
      0,
    ],
    ['what it showed', before, null, 9],
    ['nothing if that is unknown', { ...before, on: null, level: null }, null, 0],
  ])('is %s', (_, facts, wanted, shown) => {
    expect(releasedShowing(facts, wanted, 'rgb').output.level).toBe(shown);
    expect(heldShowing(colour).output.rgb).toEqual(red);
  });
});
