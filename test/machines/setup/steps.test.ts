import { describe, expect, it } from 'vitest';

import type { Answers, SetupContext, SetupFacts, Stage } from '#machines/setup/events.ts';
import { goesOn, progressOf } from '#machines/setup/progress.ts';
import { readRecord, recordSection } from '#machines/setup/record.ts';
import { rendererFact } from '#machines/setup/renderer-fact.ts';
import { isReached, stepsOf, wasSetUp } from '#machines/setup/steps.ts';
import { verdictOf, working } from '#machines/kit/verdict.ts';

/** A panel out of the box that has a screen and found nothing. */
const fresh: SetupFacts = {
  named: false,
  hasAddress: false,
  hasCredential: false,
  hasBroker: false,
  signIn: { phase: 'no-address', detail: 'No address.' },
  broker: { phase: 'discovering', detail: 'Looking.' },
  session: null,
  renderer: { state: 'waiting', detail: 'Waits.' },
  hasHomeDashboard: false,
  filters: false,
  foundEntity: null,
  isIdTaken: false,
  returnMin: 0,
};

const signedIn: Partial<SetupFacts> = {
  hasAddress: true,
  hasCredential: true,
  signIn: { phase: 'signed-in', detail: 'Signed in.' },
};
const connected: Partial<SetupFacts> = { hasBroker: true, broker: { phase: 'connected', detail: 'Connected.' } };
const showing: Partial<SetupFacts> = { renderer: { state: 'working', detail: 'Shown.' } };

const states = (change: Partial<SetupFacts>, answers: Answers = {}): Readonly<Record<string, string>> =>
  Object.fromEntries(stepsOf({ ...fresh, ...change }, answers).map(({ stage, status }) => [stage, status]));

it.each<['connected' | 'unpaired' | 'away', string]>([
  ['connected', 'done'],
  ['unpaired', 'needs_you'],
  ['away', 'needs_you'],
])('the integration that is %s is the broker’s step: %s', (state, status) => {
  const session = { state, detail: 'So it is.' };
  expect(stepsOf({ ...fresh, session }, {}).find(({ stage }) => stage === 'broker')).toMatchObject({
    status,
    detail: 'So it is.',
  });
});

describe('the steps of the setup', () => {
  it.each<[string, Partial<SetupFacts>, Answers, Partial<Record<Stage, string>>]>([
    [
      'a fresh panel',
      {},
      {},
      {
        identity: 'needs_you',
        home_assistant: 'needs_you',
        broker: 'needs_you',
        renderer: 'blocked',
        home_dashboard: 'blocked',
        entity_filter: 'blocked',
      },
    ],
    ['a name that was chosen', { named: true }, {}, { identity: 'done' }],
    ['a name whose id another panel uses', { named: true, isIdTaken: true }, {}, { identity: 'needs_you' }],
    ['an id of another panel that was accepted', { isIdTaken: true }, { identity: 'done' }, { identity: 'needs_you' }],
    ['a name that is fine as it is', {}, { identity: 'done' }, { identity: 'done' }],
    [
      'an address without a sign-in',
      { hasAddress: true, signIn: { phase: 'needed', detail: 'x' } },
      {},
      { home_assistant: 'needs_you' },
    ],
    ['a sign-in that is unknown yet', { hasAddress: true, signIn: null }, {}, { home_assistant: 'checking' }],
    [
      'a sign-in that was refused',
      { hasAddress: true, signIn: { phase: 'refused', detail: 'x' } },
      {},
      { home_assistant: 'needs_you' },
    ],
    [
      'signed in',
      signedIn,
      {},
      { home_assistant: 'done', renderer: 'checking', home_dashboard: 'needs_you', entity_filter: 'needs_you' },
    ],
    ['a broker that is tried', { broker: { phase: 'connecting', detail: 'x' } }, {}, { broker: 'checking' }],
    ['a broker that refuses', { broker: { phase: 'auth_failed', detail: 'x' } }, {}, { broker: 'needs_you' }],
    ['a broker that is away', { broker: { phase: 'unreachable', detail: 'x' } }, {}, { broker: 'needs_you' }],
    ['connected', connected, {}, { broker: 'done' }],
    ['a broker for later', {}, { broker: 'later' }, { broker: 'put_off' }],
    [
      'a broker for later that is tried all the same',
      { broker: { phase: 'connecting', detail: 'x' } },
      { broker: 'later' },
      { broker: 'put_off' },
    ],
    ['a broker for later that works', connected, { broker: 'later' }, { broker: 'done' }],
    [
      'an answer where no choice is left',
      {},
      { broker: 'done', home_assistant: 'done' },
      { broker: 'needs_you', home_assistant: 'needs_you' },
    ],
    [
      'no browser',
      { renderer: { state: 'needs_you', detail: 'x' } },
      {},
      { renderer: 'needs_you', home_dashboard: 'blocked' },
    ],
    [
      'no dashboard at all',
      { renderer: { state: 'absent', detail: 'x' } },
      {},
      { renderer: 'not_here', home_dashboard: 'not_here', entity_filter: 'not_here' },
    ],
    ['a dashboard that is shown', { ...signedIn, ...showing }, {}, { renderer: 'done' }],
    [
      'choices that were made',
      { ...signedIn, hasHomeDashboard: true, filters: true },
      {},
      { home_dashboard: 'done', entity_filter: 'done' },
    ],
    [
      'choices that are left as they are',
      signedIn,
      { home_dashboard: 'done', entity_filter: 'done' },
      { home_dashboard: 'done', entity_filter: 'done' },
    ],
    ['choices before the sign-in', {}, { home_dashboard: 'done' }, { home_dashboard: 'blocked' }],
  ])('%s', (_, facts, answers, expected) => {
    expect(states(facts, answers)).toMatchObject(expected);
  });

  const detailOf = (stage: Stage, change: Partial<SetupFacts>, answers: Answers = {}): string =>
    stepsOf({ ...fresh, ...change }, answers).find((step) => step.stage === stage)?.detail ?? '';

  it('promise a return to the dashboard only where there is one', () => {
    const home = { ...signedIn, ...showing, hasHomeDashboard: true };
    expect(detailOf('home_dashboard', home)).toBe('The panel shows the dashboard that you chose.');
    expect(detailOf('home_dashboard', { ...home, returnMin: 5 })).toMatch(
      /It returns there after 5 min without a touch/,
    );
    const standard = { ...home, hasHomeDashboard: false, returnMin: 30 };
    expect(detailOf('home_dashboard', standard, { home_dashboard: 'done' })).toMatch(/default .* after 30 min/);
    expect(detailOf('home_dashboard', { ...signedIn, ...showing })).not.toContain('return');
  });

  it('name the screen first where it is missing, also before the sign-in', () => {
    const dark: Partial<SetupFacts> = { renderer: { state: 'needs_you', detail: 'No display was found.' } };
    expect(states(dark)).toMatchObject({ renderer: 'needs_you', home_dashboard: 'blocked', entity_filter: 'blocked' });
    expect(detailOf('home_dashboard', dark)).toBe('Available once the dashboard has a screen.');
    expect(detailOf('home_dashboard', {})).toBe('Available after you sign in to Home Assistant.');
    expect(states({ ...dark, ...signedIn })).toMatchObject({ home_dashboard: 'needs_you' });
  });

  it('name no address and no identifier', () => {
    expect(
      JSON.stringify(
        stepsOf({ ...fresh, foundEntity: { entityId: 'light.secret_hall', deviceId: 'secret_hall' } }, {}),
      ),
    ).not.toContain('secret_hall');
  });
});

const contextOf = (
  change: Partial<SetupFacts>,
  answers: Answers = {},
  reachedAt: number | null = null,
): SetupContext => ({
  answers,
  reachedAt,
  steps: stepsOf({ ...fresh, ...change }, answers),
  foundEntity: null,
});

describe('the setup as a whole', () => {
  it.each<[string, SetupContext, ReturnType<typeof progressOf>]>([
    ['begins with the name', contextOf({}), { complete: false, putOff: false, next: 'identity', due: true }],
    [
      'can be put off',
      contextOf({}, { setup: 'later' }),
      { complete: false, putOff: true, next: 'identity', due: false },
    ],
    [
      'is complete without the choices',
      contextOf({ ...signedIn, ...connected, ...showing }),
      { complete: true, putOff: false, next: 'identity', due: false },
    ],
    [
      'needs no sign-in where nothing is shown',
      contextOf({ ...connected, renderer: { state: 'absent', detail: '' } }, { identity: 'done' }),
      { complete: true, putOff: false, next: 'home_assistant', due: false },
    ],
    [
      'is due nowhere once it was reached, whatever broke',
      contextOf({ broker: { phase: 'unreachable', detail: '' } }, {}, 5),
      { complete: true, putOff: false, next: 'identity', due: false },
    ],
    [
      'is not due while it only waits for the agent',
      contextOf({
        ...signedIn,
        broker: { phase: 'connecting', detail: '' },
        named: true,
        hasHomeDashboard: true,
        filters: true,
      }),
      { complete: false, putOff: false, next: null, due: false },
    ],
  ])('%s', (_, context, expected) => {
    expect(progressOf(context)).toEqual(expected);
  });

  it.each<[string, SetupContext, boolean]>([
    ['a choice is open', contextOf({ ...signedIn, ...connected, ...showing }), true],
    [
      'nothing is open but the sign-in itself',
      contextOf({ ...connected, named: true, renderer: { state: 'absent', detail: '' } }),
      false,
    ],
    ['the rest was put off', contextOf({ ...signedIn, ...connected, ...showing }, { setup: 'later' }), false],
    ['a step waits for the sign-in', contextOf({ named: true, ...connected, ...showing }), true],
  ])('whether it goes on after a sign-in where %s', (_, context, expected) => expect(goesOn(context)).toBe(expected));

  it('is not reached before anything is known', () => expect(isReached([])).toBe(false));

  it.each([
    [{ hasBroker: true }, true],
    [{ hasCredential: true }, true],
    [{ hasAddress: true, named: true }, false],
  ])('was there before where a panel of an earlier version had %j', (change, expected) => {
    expect(wasSetUp({ ...fresh, ...change })).toBe(expected);
  });
});

describe('the kept record', () => {
  it('comes back as it was kept', () => {
    const record = { answers: { broker: 'later', setup: 'done' }, reachedAt: 7 } as const;
    expect(readRecord(JSON.parse(JSON.stringify(recordSection(record))))).toEqual(record);
  });

  it.each([null, undefined, 5, {}, { version: 2, answers: {}, reached_at: null }])('is none in %j', (stored) => {
    expect(readRecord(stored)).toBeNull();
  });

  it('keeps when it was reached where an answer is not known', () => {
    expect(readRecord({ version: 1, answers: { moon: 'done' }, reached_at: 3 })).toEqual({ answers: {}, reachedAt: 3 });
  });
});

describe('what the renderer says', () => {
  it.each([
    ['off', verdictOf('off', 'x', 'd'), 'absent'],
    ['not-installed', verdictOf('needs_you', 'x', 'd'), 'needs_you'],
    ['waiting', verdictOf('off', 'not-signed-in', 'd'), 'waiting'],
    ['waiting', verdictOf('needs_you', 'x', 'd'), 'needs_you'],
    ['waiting', working('preparing', 'd'), 'checking'],
    ['loading', verdictOf('checking', 'x', 'd'), 'checking'],
    ['showing', working('shown', 'd'), 'working'],
    ['settings', working('own-pages', 'd'), 'working'],
  ] as const)('%s, %o is %s', (phase, verdict, state) => {
    expect(rendererFact({ phase, verdict })).toEqual({ state, detail: 'd' });
  });
});
