import { describe, expect, it } from 'vitest';

import { voiceRig, type VoiceRig } from './rig.ts';

describe('the check of the microphone', () => {
  const cut = { type: 'check.ended', check: 1, code: 'cut', health: 'ok', level: 0 } as const;

  it('lights the screen, and records and plays once the mark is shown', () => {
    const rig = voiceRig();
    expect(rig.check(false)).toBe(undefined);
    expect([rig.phase(), rig.told(), rig.facts().check]).toEqual(['idle', 'panel.light indication.hold', null]);
    expect([rig.check(), rig.trigger()]).toEqual(['checking', 'checking']);
    rig.confirm();
    expect([rig.replies.get('c1'), rig.told(), rig.facts().refusal]).toEqual(['accepted', 'ear.check', 'checking']);
    expect([rig.check(), rig.trigger()]).toEqual(['checking', 'checking']);
    rig.press();
    expect(rig.state()).toEqual({ checking: 'open' });
    rig.say({ type: 'check.recording', check: 1 }, { type: 'check.playing', check: 1 });
    expect(rig.facts().check?.phase).toBe('playing');
    rig.say({ type: 'check.ended', check: 0, code: 'cut', health: 'ok', level: 1 });
    rig.say({ type: 'check.ended', check: 1, code: null, health: 'ok', level: 40 });
    expect(rig.facts().check).toEqual({ check: 1, phase: 'passed', code: null, health: 'ok', level: 40 });
    const after = 'indication.release panel.rest';
    expect([rig.told(), rig.facts().refusal, rig.state()]).toEqual([after, null, { ready: 'idle' }]);
  });

  it.each<[string, (rig: VoiceRig) => void]>([
    ['refused', (rig) => rig.say({ type: 'indication.refused', reason: 'no-browser' })],
    ['not shown in 5 s', (rig) => rig.pass(5000)],
  ])('opens nothing where the mark is %s, and says so', (_, refuse) => {
    const rig = voiceRig();
    rig.check(false);
    rig.told();
    refuse(rig);
    expect([rig.replies.get('c1'), rig.told()]).toEqual(['indication', 'indication.release panel.rest']);
    expect([rig.facts().refusal, rig.facts().check, rig.state()]).toEqual([null, null, { ready: 'idle' }]);
  });

  it('opens nothing after it was cancelled, or voice was turned off', () => {
    const rig = voiceRig();
    rig.check(false);
    rig.told();
    rig.cancel();
    expect([rig.replies.get('c1'), rig.told()]).toEqual(['accepted', 'indication.release panel.rest']);
    expect(rig.facts().check).toMatchObject({ check: 1, phase: 'failed', code: 'cut' });
    rig.check(false);
    rig.told();
    rig.say({ type: 'voice.stop' });
    expect([rig.replies.get('c2'), rig.told()]).toEqual(['off', 'panel.rest indication.release']);
    expect(rig.actor.getSnapshot().status).toBe('done');
  });

  it('stops recording with a mark that is lost, and plays on without it', () => {
    const rig = voiceRig();
    rig.check();
    rig.told();
    rig.say({ type: 'indication.refused', reason: 'unconfirmed' });
    expect([rig.told(), rig.held.mark]).toEqual(['ear.end-check', true]);
    rig.say(cut);
    expect(rig.facts().check).toMatchObject({ phase: 'failed', code: 'indication-unconfirmed' });
    rig.check();
    rig.say({ type: 'check.playing', check: 2 });
    rig.told();
    rig.say({ type: 'indication.refused', reason: 'unconfirmed' });
    expect(rig.told()).toBe('');
  });

  it('needs neither Home Assistant nor a pipeline', () => {
    const rig = voiceRig();
    rig.say({ type: 'link.changed', link: 'unavailable' }, { type: 'pipelines.changed', listed: null });
    expect(rig.check()).toBe('accepted');
  });

  it('can be ended, and ends by itself', () => {
    const rig = voiceRig();
    rig.check();
    rig.told();
    rig.cancel();
    expect(rig.told()).toBe('ear.end-check');
    rig.say(cut);
    expect(rig.facts().check).toMatchObject({ phase: 'failed', code: 'cut' });
    rig.check();
    rig.told();
    rig.pass(15_000);
    expect([rig.told(), rig.state()]).toEqual(['ear.end-check', { checking: 'closing' }]);
    // Its recorder does not end: the mark stays until it does.
    rig.pass(2000);
    expect([rig.phase(), rig.facts().error, rig.held.mark]).toEqual(['error', 'not-closed', true]);
    expect([rig.check(), rig.trigger()]).toEqual(['checking', 'checking']);
    rig.say({ ...cut, check: 2 });
    expect([rig.phase(), rig.facts().error, rig.held.mark, rig.told()]).toEqual([
      'idle',
      null,
      false,
      'indication.release panel.rest',
    ]);
  });
});
