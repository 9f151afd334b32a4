import { describe, expect, it } from 'vitest';

import type { StatusDocument } from '#machines/status.ts';
import { isPending, setupParts } from '#ui/parts/setup-steps.tsx';
import { Obstacle } from '#ui/parts/setup-obstacle.tsx';
import { SignInFacts } from '#ui/parts/sign-in.tsx';

import { drawnRenderer, fixtureStatus } from './fixture.ts';
import { markupOf } from './markup.ts';

type Setup = NonNullable<StatusDocument['setup']>;
type Steps = Setup['steps'];

const step = (stage: Steps[number]['stage'], status: Steps[number]['status'] = 'done'): Steps[number] => ({
  stage,
  status,
  blocking: false,
  detail: 'd',
});
const withSteps = (steps: Steps, more: Partial<Setup> = {}): StatusDocument => ({
  ...fixtureStatus,
  setup: { complete: true, put_off: false, due: false, next: null, seen: false, steps, ...more },
});
const draw = (part: string, status: StatusDocument): string =>
  markupOf(setupParts[part]?.draw({ status, now: status.taken_at }) ?? <></>);
const done = [step('identity'), step('home_assistant'), step('broker')];

describe('the end of the setup', () => {
  const finish = (status: StatusDocument): string => draw('setup-finish', status) + draw('setup-go', status);

  it.each<[string, Steps, string[]]>([
    [
      'for the dashboard',
      [...done, step('home_dashboard', 'needs_you'), step('entity_filter', 'needs_you')],
      ['Home Assistant has this panel.', '2 steps are left for its dashboard.', 'data-go="home_dashboard"'],
    ],
    [
      'for more than it',
      [step('identity', 'needs_you'), ...done.slice(1)],
      ['Home Assistant has this panel.', '1 step is left.', 'href="#step-identity"'],
    ],
    ['with a broker that broke', [step('broker', 'needs_you')], ['1 step is left.', 'data-go="broker"']],
  ])('says what is left %s', (_, steps, words) => {
    const markup = finish(withSteps(steps));
    for (const word of words) expect(markup).toContain(word);
    expect(markup).not.toContain('This panel is set up');
    expect(markup.includes('Home Assistant has this panel')).toBe(words.length === 3);
  });

  it.each<[string, StatusDocument]>([
    ['is done', withSteps(done)],
    ['that is here is done', withSteps([...done, step('renderer', 'not_here')])],
  ])('says that the panel is set up where all %s', (_, status) => {
    expect(finish(status)).toContain('This panel is set up');
    expect(finish(status)).toContain('href="/configure"');
  });

  it.each<[string, StatusDocument, string]>([
    ['a step that was put off', withSteps([...done, step('home_dashboard', 'put_off')]), 'home_dashboard'],
    [
      'what was put off as a whole',
      withSteps([...done, step('home_dashboard', 'needs_you')], { put_off: true }),
      'home_dashboard',
    ],
    [
      'the step that another one waits for',
      withSteps([step('identity'), step('home_assistant', 'put_off'), step('renderer', 'blocked')], {
        complete: false,
      }),
      'home_assistant',
    ],
  ])('leads back to %s, and does not say that the panel is set up', (_, status, stage) => {
    expect(finish(status)).toContain(`data-go="${stage}"`);
    expect(finish(status)).toContain('Continue with ');
    expect(finish(status)).not.toContain('This panel is set up');
  });

  it('is left to one line until every step was done or put off', () => {
    const due = [step('identity', 'needs_you'), step('broker', 'needs_you')];
    expect(isPending(withSteps(due, { complete: false }))).toBe(true);
    expect(isPending(withSteps(due, { complete: false, put_off: true }))).toBe(false);
    expect(isPending(withSteps(due))).toBe(true);
    expect(isPending(withSteps([...done, step('renderer', 'checking')]))).toBe(false);
    expect(isPending(withSteps(done))).toBe(false);
    expect(isPending(withSteps([step('home_assistant', 'put_off')], { complete: false }))).toBe(false);
  });
});

it('says that the rest can wait where all of it was put off, and offers no reset while nothing was done', () => {
  const due = [step('identity', 'needs_you'), step('home_assistant', 'needs_you'), step('renderer', 'blocked')];
  const later = withSteps(due, { complete: false, put_off: true, next: 'identity' });
  expect(draw('setup-finish', later)).toContain('The rest can wait');
  expect(draw('setup-progress', later)).toContain('0 of 3 steps done, 3 for later');
  for (const { stage } of due) expect(draw(`setup-mark-${stage}`, later)).toContain('>later<');
  expect(draw('setup-again', later)).not.toContain('/setup/reset');
  expect(draw('setup-again', withSteps(done))).toContain('href="/setup/reset"');
});

it('offers the reset only once the panel is set up, and not at the end', () => {
  expect(draw('setup-again', withSteps(done, { complete: false }))).not.toContain('/setup/reset');
  expect(draw('setup-finish', withSteps(done)) + draw('setup-go', withSteps(done))).not.toContain('/setup/reset');
});

it.each([
  ['no-display', 'No display was found'],
  ['browser-not-installed', 'There is no browser yet'],
  ['not-signed-in', ''],
])('names above the steps what keeps every dashboard from the screen: %s', (reason, words) => {
  const rows = fixtureStatus.capabilities.slice(0, 1).map((row) => ({ ...row, id: 'dashboard', reason }));
  const markup = markupOf(<Obstacle status={{ capabilities: rows }} />);
  expect(markup.includes('data-go="renderer"')).toBe(words !== '');
  expect(markup).toContain(words);
});

it('says that the dashboard is on the screen once it is drawn there, and not before', () => {
  const renderer = drawnRenderer;
  const at = (rendered: boolean): string =>
    draw('setup-finish', {
      ...withSteps(done),
      renderer: renderer && { ...renderer, restarts: [], rendered, place: 'dashboard' },
    });
  expect(at(true)).toContain('Your dashboard is on the screen.');
  expect(at(false)).not.toContain('on the screen');
});

describe('the word beside a step', () => {
  const due = [step('identity', 'needs_you'), step('home_assistant', 'needs_you'), step('home_dashboard', 'blocked')];
  const status: StatusDocument = {
    ...withSteps(due, { complete: false, next: 'identity' }),
    sign_in: null,
    mqtt: null,
  };
  const mark = (stage: string, shown = status): string => draw(`setup-mark-${stage}`, shown);

  it('is calm until something failed, and only one step is due', () => {
    expect(mark('identity')).toContain('>now<');
    expect(mark('identity')).not.toContain('i-alert');
    expect(mark('home_assistant')).toContain('>to do<');
    expect(mark('home_dashboard')).toContain('>waiting<');
  });

  it('calls for a person where the broker failed, also where the rest was put off', () => {
    const failed = withSteps([step('identity', 'needs_you'), step('broker', 'needs_you')], {
      next: 'identity',
      put_off: true,
    });
    const mqtt = fixtureStatus.mqtt && { ...fixtureStatus.mqtt, phase: 'unreachable' as const };
    expect(mark('broker', { ...failed, mqtt })).toContain('>needs you<');
    expect(mark('broker', { ...failed, mqtt })).toContain('i-alert');
  });

  it('of one that waits comes with the way to the sign-in', () => {
    expect(draw('setup-home_dashboard', status)).toMatch(/data-go="home_assistant"[^>]*>Sign in first</);
    expect(draw('setup-home_assistant', status)).not.toContain('Sign in first');
  });

  it('of one that waits leads to the screen where that is missing', () => {
    const dark = withSteps([...due, step('renderer', 'needs_you')], { complete: false });
    expect(draw('setup-home_dashboard', dark)).toMatch(/data-go="renderer"[^>]*>Look at the screen first</);
  });
});

it.each([
  ['not_here', true, 'A simulated panel draws no dashboard'],
  ['not_here', false, 'This panel shows no dashboard'],
  ['done', true, ''],
] as const)('says why there are fewer steps: a dashboard that is %s, simulated %s', (status, simulated, words) => {
  const shown = withSteps([...done, step('renderer', status)]);
  const { panel } = shown;
  const markup = draw('setup-finish', { ...shown, panel: { ...panel, profile: { ...panel.profile, simulated } } });
  expect(markup.includes('nothing to choose')).toBe(words !== '');
  expect(markup).toContain(words);
});

it('counts what was put off apart from what is done', () => {
  const markup = draw('setup-progress', withSteps([...done.slice(1), step('renderer', 'put_off')]));
  expect(markup).toContain('2 of 3 steps done, 1 for later');
  expect(draw('setup-progress', withSteps(done))).toContain('3 of 3 steps done<');
});

describe('an address at which the panel finds no Home Assistant', () => {
  const at = (reachable: boolean | null): string =>
    markupOf(
      <SignInFacts
        status={{
          ...fixtureStatus,
          sign_in: fixtureStatus.sign_in && { ...fixtureStatus.sign_in, phase: 'needed', reachable },
        }}
      />,
    );

  it('is corrected first, and signing in stays a second way', () => {
    expect(at(false)).toMatch(/class="button primary" href="\/configure\/home-assistant#field-ha_url"/);
    expect(at(false)).toMatch(/<a href="\/sign-in">Sign in</);
  });

  it('is not spoken of otherwise', () => {
    for (const reachable of [true, null]) {
      expect(at(reachable)).not.toContain('Fix the address');
      expect(at(reachable)).toMatch(/class="button primary" href="\/sign-in"/);
    }
  });
});
