import { expect, it } from 'vitest';

import { evaluated } from './evaluated.ts';

interface Ran {
  readonly said: readonly string[];
  readonly results: readonly string[];
  readonly niceness: Readonly<Record<string, number>>;
}

/** Runs steps; in a body `until` waits for a condition, `reached` for a mark that another body set. */
function ran(steps: Readonly<Record<string, string>>, bodies: Readonly<Record<string, string>>): Ran {
  const functions = Object.entries(bodies).map(([name, body]) => `${name}: async (at) => { ${body} }`);
  const expression = `(async () => {
    const said = [], marks = new Set(), niceness = {};
    const until = async (check) => {
      while (!check()) await new Promise(setImmediate);
    };
    const reached = (mark) => until(() => marks.has(mark));
    const bodies = { ${functions.join(', ')} };
    const steps = ${JSON.stringify(Object.entries(steps).map(([name, lane]) => ({ name, lane })))};
    const run = async (step, at) => {
      niceness[step.name] = at.niceness;
      await bodies[step.name](at);
      return step.name + ' ran';
    };
    const results = await runLanes(steps, run, (text) => void said.push(text.trim()));
    return { said, results, niceness };
  })()`;
  // The shape stands right above.
  return evaluated(expression) as Ran;
}

it('shows the output of each step in one piece, and runs what must be alone at the end', () => {
  const { said, results, niceness } = ran(
    { lint: 'front', unit: 'front', guest: 'beside', timed: 'alone' },
    {
      lint: "at.say('l1'); await reached('guest'); at.say('l2');",
      unit: "at.say('u1'); at.say('u2');",
      guest: "at.say('g1'); marks.add('guest'); at.say('g2');",
      timed: "at.say('t');",
    },
  );
  expect(said).toEqual(['== lint', 'l1', 'l2', '== guest', 'g1', 'g2', '== unit', 'u1', 'u2', '== timed', 't']);
  expect(results).toEqual(['lint ran', 'unit ran', 'guest ran', 'timed ran']);
  expect(niceness).toEqual({ lint: 0, unit: 0, guest: 5, timed: 0 });
});

it('shows the lane beside as it comes once the front is done', () => {
  const { said } = ran(
    { lint: 'front', guest: 'beside', install: 'beside' },
    {
      lint: "at.say('l1'); await reached('half'); at.say('l2');",
      guest: "at.say('g1'); marks.add('half'); await until(() => said.includes('g1')); at.say('g2');",
      install: "at.say('i');",
    },
  );
  expect(said).toEqual(['== lint', 'l1', 'l2', '== guest', 'g1', 'g2', '== install', 'i']);
});

it('runs the lane beside at full speed where nothing is in front', () => {
  const { niceness, said } = ran({ guest: 'beside' }, { guest: "at.say('g');" });
  expect({ niceness, said }).toEqual({ niceness: { guest: 0 }, said: ['== guest', 'g'] });
});

it('lets the lane beside take the last steps of the front, and the guest run beside both', () => {
  const { said, results, niceness } = ran(
    { real: 'front', browser: 'front', platform: 'front', lint: 'beside', guest: 'guest', timed: 'alone' },
    {
      real: "await reached('platform');",
      browser: "at.say('b'); await reached('guest');",
      platform: "at.say('p1'); marks.add('platform'); await until(() => said.includes('== browser')); at.say('p2');",
      lint: "at.say('l');",
      guest: "await until(() => said.includes('b')); at.say('g'); marks.add('guest');",
      timed: "at.say('t');",
    },
  );
  expect(results).toEqual(['real ran', 'browser ran', 'platform ran', 'lint ran', 'guest ran', 'timed ran']);
  expect(niceness).toEqual({ real: 0, browser: 0, platform: 0, lint: 5, guest: 0, timed: 0 });
  expect(said.slice(0, 5)).toEqual(['== real', '== lint', 'l', '== browser', 'b']);
  expect(said.slice(5, -2).toSorted()).toEqual(['== guest', '== platform', 'g', 'p1', 'p2']);
  for (const [first, second] of [
    ['== platform', 'p1'],
    ['p1', 'p2'],
    ['== guest', 'g'],
  ] as const)
    expect(said.indexOf(second)).toBe(said.indexOf(first) + 1);
});
