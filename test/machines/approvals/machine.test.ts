import { matchesState } from 'xstate';
import { describe, expect, it } from 'vitest';

import { UNTOUCHED_MS } from '#machines/approvals/attention.ts';
import { VALID_MS } from '#machines/approvals/requests.ts';

import { approvalsRig, settle } from './rig.ts';

type Rig = ReturnType<typeof approvalsRig>;
const isAsking = ({ value }: Rig): boolean => matchesState({ running: { screen: 'asking' } }, value());
const types = (commands: readonly { readonly type: string }[]): readonly string[] => commands.map(({ type }) => type);
const RESULT_MS = 3000;

describe('in Relaxed mode', () => {
  it('lets everything through without a tab, a timer or a look', () => {
    const rig = approvalsRig({ mode: 'relaxed' });
    expect(rig.request()).toEqual({ status: 'open' });
    expect([rig.context().requests.list, rig.commands.question, rig.looks()]).toEqual([[], [], 0]);
    expect([types(rig.commands.surroundings), rig.commands.control]).toEqual([[], []]);
  });

  it('asks for an operation of every mode, and the approval carries it out', async () => {
    const rig = approvalsRig({ mode: 'relaxed' });
    const effect = { do: 'settings', patch: { camera_enabled: true } } as const;
    expect(rig.request({ operation: 'CAMERA_ENABLE', effect })).toMatchObject({ status: 'pending' });
    rig.approve();
    await settle();
    expect(rig.effects).toEqual([effect]);
    expect(rig.context().standing).toEqual({ pending: 0, approved: 0 });
    expect(rig.codes()).toEqual(['asked', 'approved']);
  });

  it('asks for an operation of every mode without an effect, and lets the identical request through once', () => {
    const rig = approvalsRig({ mode: 'relaxed' });
    expect(rig.request({ operation: 'IDENTITY_REPLACE' })).toMatchObject({ status: 'pending' });
    rig.approve();
    expect([rig.effects, rig.context().standing]).toEqual([[], { pending: 0, approved: 1 }]);
    expect(rig.request({ operation: 'IDENTITY_REPLACE' })).toEqual({ status: 'open' });
    expect(rig.request({ operation: 'IDENTITY_REPLACE' })).toMatchObject({ status: 'pending' });
    expect(rig.codes()).toEqual(['asked', 'approved', 'used', 'asked']);
  });

  it('says that an effect failed', async () => {
    const rig = approvalsRig({ mode: 'relaxed', carryOut: async () => ({ failure: 'The disk is full.' }) });
    rig.request({ operation: 'CAMERA_ENABLE', effect: { do: 'settings', patch: {} } });
    rig.approve();
    await settle();
    expect(rig.codes()).toEqual(['asked', 'approved', 'failed']);
    expect(rig.commands.question.at(-1)).toMatchObject({
      type: 'question.result',
      result: { outcome: 'failed', message: 'The disk is full.' },
    });
  });

  it('says that an effect broke, and goes on', async () => {
    const rig = approvalsRig({ mode: 'relaxed', carryOut: () => Promise.reject(new Error('broken')) });
    rig.request({ operation: 'CAMERA_ENABLE', effect: { do: 'settings', patch: {} } });
    rig.approve();
    await settle();
    expect(rig.codes()).toContain('failed');
    rig.step(RESULT_MS);
    expect(isAsking(rig)).toBe(false);
  });

  it('refuses an operation of every mode where it cannot ask', () => {
    const rig = approvalsRig({ mode: 'relaxed', place: { kind: 'none', reason: 'headless' } });
    expect(rig.request({ operation: 'CAMERA_ENABLE' })).toEqual({ status: 'no-place', reason: 'headless' });
  });
});

describe('in Hardened mode', () => {
  it('asks, is approved by a held press, and lets the identical request through once', () => {
    const rig = approvalsRig();
    expect(rig.request()).toMatchObject({ status: 'pending', id: 'id1', place: { kind: 'screen' } });
    expect(rig.commands.question.at(-1)).toMatchObject({
      type: 'question.show',
      question: { id: 'id1', title: 'Play a sound', who: '192.0.2.1', position: 1, of: 1, canIgnore: true },
    });
    rig.approve();
    expect(rig.context().standing).toEqual({ pending: 0, approved: 1 });
    expect(rig.request()).toEqual({ status: 'open' });
    expect(rig.request()).toMatchObject({ status: 'pending' });
    expect(rig.codes()).toEqual(['asked', 'approved', 'used', 'asked']);
  });

  it.each([
    ['too early', (rig: Rig) => rig.hold()],
    [
      'on a question that was hidden',
      (rig: Rig) => {
        rig.step(5000);
        rig.send({ type: 'question.seen', id: 'id1', visible: false, at: rig.at() });
        rig.hold();
      },
    ],
    [
      'too short',
      (rig: Rig) => {
        rig.see();
        rig.step(2000);
        rig.send({ type: 'question.pressed', id: 'id1', at: rig.at() });
        rig.step(300);
        rig.send({ type: 'question.answered', id: 'id1', answer: 'hold', at: rig.at() });
      },
    ],
    [
      'let go in between',
      (rig: Rig) => {
        rig.see();
        rig.step(2000);
        rig.send({ type: 'question.pressed', id: 'id1', at: rig.at() });
        rig.send({ type: 'question.released', id: 'id1', at: rig.at() });
        rig.step(1000);
        rig.send({ type: 'question.answered', id: 'id1', answer: 'hold', at: rig.at() });
      },
    ],
    [
      'begun on a dark screen',
      (rig: Rig) => {
        rig.see();
        rig.step(2000);
        rig.send({ type: 'screens.changed', lit: false, at: rig.at() });
        rig.hold();
      },
    ],
  ])('does not take a press that was %s', (_, press) => {
    const rig = approvalsRig();
    rig.request();
    rig.see();
    press(rig);
    expect(rig.context().standing).toEqual({ pending: 1, approved: 0 });
  });

  it('says that a press came too early, and takes the next one', () => {
    const rig = approvalsRig();
    rig.request();
    rig.see();
    rig.hold();
    expect(rig.commands.question.at(-1)).toMatchObject({ result: { outcome: 'too-early' } });
    rig.step(RESULT_MS);
    expect(rig.commands.question.at(-1)).toMatchObject({ type: 'question.show', question: { id: 'id1' } });
    rig.hold();
    expect(rig.context().standing).toEqual({ pending: 0, approved: 1 });
  });

  it('does not say that a request was approved which was denied elsewhere during the last look', () => {
    let denies = false;
    const rig = approvalsRig({
      findings: () => {
        if (denies) rig.actor.send({ type: 'control.denied', id: 'id1' });
        return [];
      },
    });
    rig.request();
    rig.see();
    rig.step(1000);
    denies = true;
    rig.hold();
    expect(rig.codes()).toEqual(['asked', 'denied']);
    expect(types(rig.commands.question)).not.toContain('question.result');
    expect(isAsking(rig)).toBe(false);
  });

  it('does not take the answer to another question, or one from the network at a real panel', () => {
    const rig = approvalsRig();
    rig.request();
    rig.see();
    rig.step(1000);
    rig.hold('id9');
    rig.send({ type: 'approval.answer', id: 'id1', answer: 'hold', at: rig.at() });
    expect(rig.context().standing).toEqual({ pending: 1, approved: 0 });
  });

  it('shows the next question once one is decided; each must be read anew', () => {
    const rig = approvalsRig();
    rig.request({ digest: 'a' });
    rig.request({ digest: 'b' });
    expect(rig.commands.question.at(-1)).toMatchObject({ question: { id: 'id1', of: 2 } });
    rig.approve();
    rig.step(RESULT_MS);
    expect(rig.shown()).toBe('id2');
    rig.hold();
    expect(rig.context().standing).toEqual({ pending: 1, approved: 1 });
  });

  it('forgets what is denied, and what the ignored device asked for', () => {
    const rig = approvalsRig();
    rig.request({ digest: 'a' });
    rig.request({ digest: 'b', peer: '192.0.2.2' });
    rig.request({ digest: 'c', peer: '192.0.2.2' });
    rig.press('deny');
    rig.step(RESULT_MS);
    expect(rig.shown()).toBe('id2');
    rig.press('ignore');
    rig.step(RESULT_MS);
    expect([isAsking(rig), rig.context().standing.pending]).toEqual([false, 0]);
    expect(rig.request({ digest: 'd', peer: '192.0.2.2' })).toEqual({ status: 'ignored' });
    expect(types(rig.commands.question).at(-1)).toBe('question.hide');
  });

  it('lets a request expire after ten minutes, approved or not', () => {
    const rig = approvalsRig();
    rig.request();
    rig.approve();
    rig.step(VALID_MS);
    expect(rig.context().requests.list).toEqual([]);
    expect(rig.request()).toMatchObject({ status: 'pending' });
    expect(rig.codes()).toContain('expired');
  });

  it('answers a part of the panel', () => {
    const rig = approvalsRig({ mode: 'relaxed' });
    const ask = (requestId: string): void =>
      rig.send({
        type: 'approval.ask',
        requestId,
        request: { candidate: `c-${requestId}`, operation: 'PANEL_RESET', what: '', code: '4711', at: rig.at() },
      });
    ask('yes');
    expect(rig.commands.question.at(-1)).toMatchObject({
      question: { code: '4711', who: 'This panel', canIgnore: false },
    });
    rig.approve();
    rig.step(RESULT_MS);
    ask('no');
    rig.press('deny');
    rig.step(RESULT_MS);
    ask('late');
    rig.step(VALID_MS);
    expect(rig.replies).toEqual([
      { requestId: 'yes', outcome: 'approved' },
      { requestId: 'no', outcome: 'denied' },
      { requestId: 'late', outcome: 'expired' },
    ]);
  });

  it('lets only the peer that asked look at its request', () => {
    const rig = approvalsRig();
    rig.request();
    const look = (requestId: string, peer: string): void =>
      rig.send({ type: 'approval.look', requestId, id: 'id1', peer, at: rig.at() });
    look('own', '192.0.2.1');
    look('other', '192.0.2.2');
    expect(rig.replies.slice(-2)).toEqual([
      { requestId: 'own', outcome: 'pending' },
      { requestId: 'other', outcome: null },
    ]);
  });
});

describe('the screen', () => {
  it('is lit with a sound, and dark again if nobody touches the question', () => {
    const rig = approvalsRig({ lit: false });
    rig.request();
    expect(types(rig.commands.surroundings)).toEqual(['attention.draw']);
    rig.step(UNTOUCHED_MS);
    expect(types(rig.commands.surroundings)).toEqual(['attention.draw', 'screens.darken']);
    expect([isAsking(rig), rig.context().standing.pending]).toEqual([false, 1]);
  });

  it('stays as it was if it was lit, and waits on while it is touched', () => {
    const rig = approvalsRig();
    rig.request();
    rig.step(50_000);
    rig.send({ type: 'question.touched', at: rig.at() });
    rig.step(50_000);
    expect(isAsking(rig)).toBe(true);
    rig.step(10_000);
    expect([isAsking(rig), types(rig.commands.surroundings)]).toEqual([false, ['attention.draw']]);
  });

  it('is not lit twice within a minute', () => {
    const rig = approvalsRig({ lit: false });
    rig.request({ digest: 'a' });
    rig.press('deny');
    rig.step(RESULT_MS);
    rig.request({ digest: 'b' });
    expect([isAsking(rig), types(rig.commands.surroundings)]).toEqual([true, ['attention.draw']]);
  });

  it('is left in peace after three untouched questions, until a person wants to see what waits', () => {
    const rig = approvalsRig();
    for (const digest of ['a', 'b', 'c']) {
      rig.request({ digest });
      rig.step(UNTOUCHED_MS);
    }
    expect(rig.context()).toMatchObject({ silent: true, shown: null });
    rig.request({ digest: 'd', peer: '192.0.2.2' });
    expect([isAsking(rig), rig.context().standing.pending]).toEqual([false, 4]);
    rig.send({ type: 'questions.wanted', at: rig.at() });
    expect([rig.shown(), rig.context().silent]).toEqual(['id1', false]);
  });

  it('shows the question again with a new browser', () => {
    const rig = approvalsRig();
    rig.request();
    rig.send({ type: 'question.lost', at: rig.at() });
    expect(isAsking(rig)).toBe(false);
    rig.send({ type: 'place.changed', place: { kind: 'none', reason: 'no-browser' } });
    expect(rig.commands.control.at(-1)).toMatchObject({ place: { kind: 'none', reason: 'no-browser' } });
    rig.step(10_000);
    expect(isAsking(rig)).toBe(false);
    rig.send({ type: 'place.changed', place: { kind: 'screen' } });
    expect(rig.shown()).toBe('id1');
  });

  it('opens a tab that was lost again after a pause', () => {
    const rig = approvalsRig();
    rig.request();
    const shows = (): number => types(rig.commands.question).filter((type) => type === 'question.show').length;
    const before = shows();
    rig.send({ type: 'question.lost', at: rig.at() });
    rig.step(4999);
    expect(shows()).toBe(before);
    rig.step(1);
    expect(shows()).toBeGreaterThan(before);
  });

  it('asks the simulated panel’s page instead of a tab', () => {
    const rig = approvalsRig({ place: { kind: 'simulator' } });
    rig.request();
    expect([rig.shown(), types(rig.commands.question)]).toEqual(['id1', []]);
    rig.send({ type: 'approval.answer', id: 'id1', answer: 'hold', at: rig.at() });
    expect(rig.context().standing).toEqual({ pending: 0, approved: 1 });
  });

  it('moves the question from that page to the tab once there is a browser, and away when it is gone', () => {
    const rig = approvalsRig({ place: { kind: 'simulator' } });
    rig.request();
    rig.send({ type: 'place.changed', place: { kind: 'screen' } });
    expect([rig.shown(), types(rig.commands.question)]).toEqual(['id1', ['question.show']]);
    rig.send({ type: 'place.changed', place: { kind: 'none', reason: 'no-browser' } });
    expect(isAsking(rig)).toBe(false);
  });
});

describe('what bars approving', () => {
  it('is looked at each minute in Hardened mode, and before an approval', () => {
    let findings: readonly { code: 'vnc'; port: number }[] = [];
    const rig = approvalsRig({ findings: () => findings });
    const before = rig.looks();
    rig.step(60_000);
    expect(rig.looks()).toBe(before + 1);
    rig.request();
    findings = [{ code: 'vnc', port: 5900 }];
    rig.approve();
    expect(rig.context()).toMatchObject({ standing: { pending: 1, approved: 0 }, exposure: findings });
    expect(rig.commands.question.at(-1)).toMatchObject({ question: { barred: [{ code: 'vnc' }] } });
    findings = [];
    rig.hold();
    expect(rig.context().standing).toEqual({ pending: 0, approved: 1 });
  });

  it('counts as found if nothing answers', () => {
    const rig = approvalsRig();
    rig.request();
    rig.see();
    rig.step(1000);
    rig.actor.send({ type: 'question.pressed', id: 'id1', at: rig.at() });
    rig.clock.increment(1000);
    rig.actor.send({ type: 'question.answered', id: 'id1', answer: 'hold', at: rig.at() });
    rig.clock.increment(10_000);
    expect(rig.context()).toMatchObject({ standing: { pending: 1 }, exposure: [{ code: 'unreadable' }] });
  });
});

describe('the mode', () => {
  const wish = (rig: Rig, mode: 'hardened' | 'relaxed'): void => rig.send({ type: 'mode.wanted', mode, at: rig.at() });

  it('is entered by a held press at the panel', () => {
    const rig = approvalsRig({ mode: 'relaxed' });
    wish(rig, 'hardened');
    expect(rig.commands.question.at(-1)).toMatchObject({ question: { kind: 'enter-hardened' } });
    rig.approve();
    expect([rig.context().mode, rig.writes]).toEqual(['hardened', [{ type: 'mode.write', mode: 'hardened' }]]);
    expect(rig.codes()).toEqual(['hardened']);
    expect(rig.commands.control.at(-1)).toMatchObject({ type: 'control.serve', mode: 'hardened' });
  });

  it('is not entered while something operates the panel remotely', () => {
    const rig = approvalsRig({ mode: 'relaxed', findings: () => [{ code: 'adb-listener', port: 5555 }] });
    wish(rig, 'hardened');
    rig.approve();
    expect([rig.context().mode, rig.writes, rig.codes()]).toEqual(['relaxed', [], ['switch-refused']]);
    expect(rig.context().barred).toMatchObject([{ code: 'adb-listener' }]);
    rig.press('deny');
    rig.step(RESULT_MS);
    expect([isAsking(rig), rig.context().barred]).toEqual([false, []]);
  });

  it('stays what it was if the disk refuses', () => {
    const rig = approvalsRig({ mode: 'relaxed', written: () => null });
    wish(rig, 'hardened');
    rig.approve();
    expect([rig.context().mode, rig.codes()]).toEqual(['relaxed', ['switch-refused']]);
    expect(rig.commands.question.at(-1)).toMatchObject({ result: { outcome: 'failed' } });
  });

  it('is left by a held press, which forgets what waits', () => {
    const rig = approvalsRig();
    rig.request();
    rig.approve();
    rig.step(RESULT_MS);
    wish(rig, 'relaxed');
    expect(rig.commands.question.at(-1)).toMatchObject({ question: { kind: 'leave-hardened' } });
    rig.approve();
    expect(rig.context()).toMatchObject({ mode: 'relaxed', standing: { pending: 0, approved: 0 }, exposure: null });
    expect(rig.request()).toEqual({ status: 'open' });
  });

  it('is left from the command line, which never approves', () => {
    const rig = approvalsRig({ place: { kind: 'none', reason: 'no-browser' } });
    expect(rig.request()).toMatchObject({ status: 'pending', place: { kind: 'none' } });
    rig.send({ type: 'control.denied', id: 'id1' });
    expect(rig.context().standing.pending).toBe(0);
    rig.send({ type: 'control.relaxed' });
    expect([rig.context().mode, types(rig.commands.control).at(-1)]).toEqual(['relaxed', 'control.close']);
  });

  it('asks nothing for the mode that is in force', () => {
    const rig = approvalsRig();
    wish(rig, 'hardened');
    expect(isAsking(rig)).toBe(false);
  });
});

it.each(['modeFile', 'question', 'surroundings', 'exposure', 'control'] as const)('ends if its %s crashes', (name) => {
  const rig = approvalsRig();
  rig.crash[name].crash();
  expect(rig.actor.getSnapshot().output).toMatchObject({ ended: 'failed' });
});
