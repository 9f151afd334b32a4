import { describe, expect, it } from 'vitest';

import { options, sources, voiceRig, type VoiceRig } from './rig.ts';

/** Nothing of a turn is left: the microphone is closed, the mark is off, and other sound is as loud as before. */
const free = { ear: 0, mark: false, duck: false };

/** Answers the running turn, and ends it in order. */
function answer(rig: VoiceRig, continues = false): void {
  rig.understood();
  rig.decided(continues);
  rig.answered();
  rig.playing();
  rig.ended();
  rig.played();
}

describe('a turn', () => {
  it('begins everything at once, and lets no sound leave before the mark is confirmed', () => {
    const rig = voiceRig();
    rig.press();
    expect(rig.told()).toBe('panel.light reply.duck indication.hold ear.open assist.begin');
    expect(rig.commands.find(({ type }) => type === 'assist.begin')).toEqual({
      type: 'assist.begin',
      turn: 1,
      pipelineId: 'home',
      deviceId: 'device',
      conversationId: null,
    });
    expect(rig.phase()).toBe('listening');
    rig.confirm();
    expect(rig.told()).toBe('ear.release');
    rig.confirm();
    expect(rig.told()).toBe('');
  });

  it('goes through its phases, and measures its stages', () => {
    const rig = voiceRig();
    rig.pass(500);
    rig.press();
    rig.pass(100);
    rig.confirm();
    rig.opened();
    rig.pass(100);
    rig.started();
    rig.pass(1000);
    rig.told();
    rig.speechEnded();
    expect([rig.phase(), rig.told(), rig.held.mark]).toEqual(['processing', 'ear.close', true]);
    rig.closed();
    expect(rig.told()).toBe('indication.release');
    rig.pass(100);
    rig.understood();
    rig.decided();
    rig.pass(100);
    rig.answered();
    expect([rig.phase(), rig.told()]).toEqual(['responding', 'reply.play']);
    rig.ended();
    rig.pass(200);
    rig.playing();
    rig.pass(2000);
    rig.played();
    expect([rig.phase(), rig.told()]).toEqual(['responding', '']);
    rig.pass(300);
    expect([rig.phase(), rig.told()]).toEqual(['idle', 'reply.unduck panel.rest']);
    expect(rig.held).toEqual(free);
    const times = {
      opened: 100,
      started: 200,
      speechEnded: 1200,
      understood: 1300,
      decided: 1300,
      answered: 1400,
      sounded: 1600,
      ended: 3600,
    };
    expect(rig.facts().last).toEqual({
      turn: 1,
      source: 'screen',
      outcome: 'done',
      code: null,
      times,
      at: 1_004_100,
    });
    expect(rig.facts()).toMatchObject({ turns: 1, failures: 0, times: null, source: null, round: 0, level: -1 });
  });

  it('shows each phase on the screen once', () => {
    const rig = voiceRig();
    const from = rig.views.length;
    rig.speak();
    answer(rig);
    rig.pass(300);
    expect(rig.views.slice(from).map(({ phase }) => phase)).toEqual(['listening', 'processing', 'responding', 'idle']);
    expect(rig.views.slice(from).every(({ button, assist, words }) => button && assist && !words)).toBe(true);
  });

  it('answers a test at once, and refuses another while it runs', () => {
    const rig = voiceRig();
    expect(rig.trigger()).toBe('accepted');
    expect([rig.facts().source, rig.facts().refusal]).toEqual(['test', 'busy']);
    expect([rig.trigger(), rig.check()]).toEqual(['busy', 'busy']);
    expect(rig.facts().turn).toBe(1);
  });

  it('asks for the pipeline that a card names', () => {
    const rig = voiceRig();
    rig.say({ type: 'overlay.asked', pipelineId: 'home', isTouched: true, at: 0 });
    expect(rig.facts()).toMatchObject({ source: 'dashboard', pipelineId: 'home' });
  });

  it('begins nothing where a script of the dashboard asks without a touch, and says so', () => {
    const rig = voiceRig();
    const ask = (): void => rig.say({ type: 'overlay.asked', pipelineId: 'home', isTouched: false, at: 0 });
    ask();
    expect([rig.phase(), rig.facts().error, rig.facts().turn, rig.told()]).toEqual(['error', 'untouched', 0, '']);
    expect(rig.views.at(-1)?.notice).toMatch(/the screen was not touched\. Touch the Assist button/);
    // What is missing anyway is said instead.
    rig.say({ type: 'link.changed', link: 'signed-out' });
    ask();
    expect(rig.facts().error).toBe('signed-out');
    rig.say({ type: 'link.changed', link: 'live' });
    rig.press();
    ask();
    expect([rig.phase(), rig.facts().error]).toEqual(['listening', null]);
  });

  it('says on the screen why a press begins nothing', () => {
    const rig = voiceRig();
    rig.say({ type: 'overlay.asked', pipelineId: 'deaf', isTouched: true, at: 0 });
    expect([rig.phase(), rig.facts().error, rig.told()]).toEqual(['error', 'pipeline-deaf', '']);
    rig.press();
    expect([rig.phase(), rig.facts().error]).toEqual(['listening', null]);
  });

  it.each([
    ['signed-out', (rig: VoiceRig) => rig.say({ type: 'link.changed', link: 'signed-out' })],
    ['unavailable', (rig: VoiceRig) => rig.say({ type: 'link.changed', link: 'unavailable' })],
    [
      'no-pipeline',
      (rig: VoiceRig) => rig.say({ type: 'pipelines.changed', listed: { pipelines: [], preferred: null } }),
    ],
    ['no-microphone', (rig: VoiceRig) => rig.say({ ...sources, failure: 'no-device', chosen: null, sources: [] })],
    ['microphone-refused', (rig: VoiceRig) => rig.say({ ...sources, failure: 'refused' })],
    [
      'microphone-muted',
      (rig: VoiceRig) =>
        rig.say({ ...sources, sources: sources.sources.map((source) => ({ ...source, isMuted: true })) }),
    ],
  ] as const)('refuses with %s', (reason, make) => {
    const rig = voiceRig();
    make(rig);
    expect(rig.facts().refusal).toBe(reason);
    expect([rig.trigger(), rig.told(), rig.facts().turn]).toEqual([reason, '', 0]);
  });

  it('stops in order, and refuses what comes then', () => {
    const rig = voiceRig();
    rig.press();
    rig.told();
    rig.say({ type: 'voice.stop' });
    expect(rig.told()).toBe('ear.close assist.cancel reply.unduck panel.rest');
    expect([rig.phase(), rig.trigger()]).toEqual(['off', 'off']);
    rig.closed();
    expect(rig.actor.getSnapshot()).toMatchObject({ status: 'done', output: { ended: 'stopped' } });
    expect(rig.held).toEqual(free);
  });

  it('stops at once while nothing runs, and without an answer of the ear', () => {
    const quiet = voiceRig();
    quiet.say({ type: 'voice.stop' });
    expect(quiet.actor.getSnapshot().status).toBe('done');
    const rig = voiceRig();
    rig.press();
    rig.say({ type: 'voice.stop' }, { type: 'voice.stop' });
    rig.pass(1400);
    expect(rig.actor.getSnapshot().status).toBe('active');
    rig.pass(100);
    // The mark is left to its driver, which releases it once the microphone is closed.
    expect([rig.actor.getSnapshot().status, rig.held.mark]).toEqual(['done', true]);
  });

  it.each(['ear', 'assist', 'reply', 'indication', 'panel', 'overlay', 'surroundings'] as const)(
    'fails with its driver: %s',
    (name) => {
      const rig = voiceRig();
      rig.press();
      rig.crash(name);
      expect(rig.actor.getSnapshot()).toMatchObject({
        status: 'done',
        output: { ended: 'failed', reason: `voice-${name}` },
      });
    },
  );
});

describe('a press', () => {
  it('is a tap up to 0.4 s: the sentence ends the speech', () => {
    const rig = voiceRig();
    rig.press();
    rig.pass(400);
    rig.release();
    expect([rig.phase(), rig.told()]).not.toContain('ear.finish');
    expect(rig.phase()).toBe('listening');
  });

  it('that is held ends the speech with its release', () => {
    const rig = voiceRig();
    rig.press();
    rig.confirm();
    rig.opened();
    rig.pass(900);
    rig.told();
    rig.release();
    expect([rig.phase(), rig.told()]).toEqual(['processing', 'ear.finish']);
    // What was heard is still being sent: the mark stays.
    rig.closed();
    expect(rig.told()).toBe('');
    rig.speechEnded();
    expect(rig.told()).toBe('ear.close indication.release');
  });

  it('that is held until before the mark is confirmed loses nothing', () => {
    const rig = voiceRig();
    rig.press();
    rig.pass(900);
    rig.release();
    rig.closed();
    rig.told();
    rig.confirm();
    expect(rig.told()).toBe('ear.release');
  });

  it('that is held and then not shown by the mark is forgotten', () => {
    const rig = voiceRig();
    rig.press();
    rig.pass(900);
    rig.release();
    rig.closed();
    rig.told();
    rig.say({ type: 'indication.refused', reason: 'unconfirmed' });
    expect(rig.told()).toBe('ear.close assist.cancel reply.unduck panel.rest indication.release');
    expect([rig.phase(), rig.outcome()]).toEqual(['error', 'failed indication-unconfirmed']);
  });

  it('of the button of the panel does the same, and its release is not that of the screen', () => {
    const rig = voiceRig();
    rig.say({ type: 'button.pressed', at: 0 });
    rig.pass(900);
    rig.release();
    expect(rig.phase()).toBe('listening');
    rig.say({ type: 'button.released', at: 900 });
    expect(rig.phase()).toBe('processing');
  });

  it('during a turn cancels it, whatever it is doing', () => {
    const rig = voiceRig();
    rig.press();
    rig.release();
    rig.told();
    rig.press();
    expect(rig.told()).toBe('ear.close assist.cancel reply.unduck panel.rest');
    // The microphone is still open: the mark stays, and nothing else may begin.
    expect([rig.phase(), rig.trigger(), rig.held.mark]).toEqual(['processing', 'busy', true]);
    rig.closed();
    expect([rig.phase(), rig.outcome(), rig.held]).toEqual(['idle', 'cancelled null', free]);
    rig.speak();
    rig.answered();
    rig.press();
    expect([rig.phase(), rig.outcome()]).toEqual(['idle', 'cancelled null']);
    expect(rig.told()).toContain('reply.stop');
  });
});

describe('bounds', () => {
  it('end the speech 15 s after the first samples', () => {
    const rig = voiceRig();
    rig.press();
    rig.confirm();
    rig.pass(2000);
    rig.opened();
    rig.pass(14_900);
    expect(rig.phase()).toBe('listening');
    rig.told();
    rig.pass(100);
    expect([rig.phase(), rig.told()]).toEqual(['processing', 'ear.finish']);
  });

  it('end the turn after 120 s', () => {
    const rig = voiceRig();
    rig.speak();
    rig.pass(118_900);
    expect(rig.phase()).toBe('processing');
    rig.pass(100);
    expect([rig.phase(), rig.facts().error, rig.outcome()]).toEqual(['error', 'timeout', 'failed timeout']);
    expect(rig.held).toEqual(free);
  });

  it('do not wait for a microphone that never delivers', () => {
    const rig = voiceRig();
    rig.press();
    rig.confirm();
    rig.pass(5000);
    expect(rig.outcome()).toBe('failed stalled');
  });

  it('do not wait for a mark that is never shown', () => {
    const rig = voiceRig();
    rig.press();
    rig.opened();
    rig.pass(5000);
    expect(rig.outcome()).toBe('failed indication');
    expect(rig.commands.some(({ type }) => type === 'ear.release')).toBe(false);
  });

  it('do not hide a microphone that is never closed: the mark stays, and nothing else opens it', () => {
    const rig = voiceRig();
    rig.press();
    rig.cancel();
    rig.pass(1900);
    expect(rig.phase()).toBe('processing');
    rig.pass(100);
    rig.told();
    expect([rig.phase(), rig.facts().error, rig.held.mark]).toEqual(['error', 'not-closed', true]);
    rig.press();
    expect([rig.trigger(), rig.check(), rig.told()]).toEqual(['busy', 'busy', '']);
    expect(rig.views.at(-1)?.notice).toMatch(/could not be closed, so its mark stays/);
    rig.pass(600_000);
    expect(rig.held.mark).toBe(true);
    rig.closed(1);
    expect([rig.phase(), rig.facts().error, rig.held.mark]).toEqual(['idle', null, false]);
    rig.press();
    expect(rig.phase()).toBe('listening');
  });
});

describe('a conversation', () => {
  it('goes on 0.3 s after the end of the player, without a chime, with the same pipeline', () => {
    const rig = voiceRig();
    rig.speak();
    answer(rig, true);
    rig.told();
    rig.commands.length = 0;
    rig.pass(200);
    expect(rig.phase()).toBe('responding');
    rig.pass(100);
    expect([rig.phase(), rig.told()]).toEqual(['listening', 'indication.hold ear.open assist.begin']);
    expect(rig.commands.find(({ type }) => type === 'ear.open')).toMatchObject({ turn: 2, chime: false });
    expect(rig.commands.find(({ type }) => type === 'assist.begin')).toMatchObject({
      turn: 2,
      pipelineId: 'home',
      conversationId: 'talk',
    });
    expect(rig.facts()).toMatchObject({ round: 2, source: 'follow-up', turns: 2 });
  });

  it('has five follow-ups at most', () => {
    const rig = voiceRig();
    rig.speak();
    for (let round = 1; round < 6; round += 1) {
      answer(rig, true);
      rig.pass(300);
      expect([rig.phase(), rig.facts().round]).toEqual(['listening', round + 1]);
      rig.confirm();
      rig.speechEnded();
      rig.closed();
    }
    answer(rig, true);
    rig.pass(300);
    expect([rig.phase(), rig.facts().turns, rig.facts().last?.turn]).toEqual(['idle', 6, 6]);
    expect(rig.held).toEqual(free);
  });

  it('begins afresh with the next press', () => {
    const rig = voiceRig();
    rig.speak();
    answer(rig);
    rig.pass(300);
    rig.commands.length = 0;
    rig.press();
    expect(rig.commands.find(({ type }) => type === 'assist.begin')).toMatchObject({ conversationId: null });
  });
});

describe('settings', () => {
  const later = { ...options, choice: { ...options.choice, gainDb: 6 }, showsWords: true };

  it('that change take effect at once, and the sources are judged by them', () => {
    const rig = voiceRig();
    rig.say(later);
    expect(rig.commands).toContainEqual({ type: 'ear.probe', choice: later.choice });
    expect(rig.views.at(-1)).toMatchObject({ words: true, phase: 'idle' });
  });

  it('and pipelines that change during a turn wait for its end', () => {
    const rig = voiceRig();
    rig.press();
    rig.say(later, { type: 'pipelines.changed', listed: null });
    expect([rig.facts().options.showsWords, rig.facts().listed?.preferred]).toEqual([false, 'home']);
    rig.told();
    rig.cancel();
    rig.closed();
    expect([rig.facts().options.showsWords, rig.facts().listed]).toEqual([true, null]);
    expect(rig.told()).toContain('ear.probe');
    expect(rig.views.at(-1)).toMatchObject({ words: true, phase: 'idle' });
  });
});

describe('the microphone', () => {
  it('is an error while there is none, and looked for every 10 s', () => {
    const rig = voiceRig();
    rig.say({ ...sources, failure: 'no-device', chosen: null, sources: [] });
    expect([rig.phase(), rig.facts().error]).toEqual(['error', 'no-device']);
    rig.told();
    rig.pass(10_000);
    expect(rig.told()).toBe('ear.probe');
    // One look that is never answered is not the last.
    rig.pass(10_000);
    expect(rig.told()).toBe('ear.probe');
    rig.say(sources);
    expect([rig.phase(), rig.facts().error]).toEqual(['idle', null]);
    rig.pass(60_000);
    expect(rig.told()).toBe('');
  });

  it('rests for 5 minutes after three failures in a row, or until somebody checks again', () => {
    const rig = voiceRig();
    const fail = (): void => {
      rig.press();
      rig.fact({ type: 'ear.failed', code: 'busy' });
      rig.closed();
    };
    fail();
    fail();
    expect([rig.phase(), rig.facts().error, rig.facts().refusal]).toEqual(['error', 'busy', null]);
    fail();
    expect([rig.phase(), rig.facts().refusal, rig.trigger()]).toEqual(['error', 'parked', 'parked']);
    rig.pass(299_900);
    expect(rig.facts().refusal).toBe('parked');
    rig.told();
    rig.pass(100);
    expect([rig.facts().refusal, rig.told()]).toEqual([null, 'ear.probe']);
    fail();
    fail();
    fail();
    expect(rig.facts().refusal).toBe('parked');
    rig.say({ type: 'voice.probe' });
    expect(rig.facts().refusal).toBe(null);
  });

  it('that worked meanwhile starts the count again', () => {
    const rig = voiceRig();
    for (let at = 0; at < 4; at += 1) {
      rig.press();
      rig.fact({ type: 'ear.failed', code: 'moved' });
      rig.closed();
      rig.speak();
      rig.cancel();
    }
    expect(rig.facts()).toMatchObject({ refusal: null, failures: 4 });
  });

  it('keeps what was measured, and forgets the level once it is closed', () => {
    const rig = voiceRig();
    rig.press();
    rig.say({ type: 'ear.measured', health: 'clipping', level: 99, at: 5 });
    expect(rig.facts()).toMatchObject({ health: 'clipping', level: 99 });
    rig.cancel();
    rig.closed();
    expect(rig.facts()).toMatchObject({ health: 'clipping', level: -1 });
  });
});

describe('a press that begins nothing', () => {
  it('is explained on the screen for 6 s, again at each press', () => {
    const rig = voiceRig();
    rig.say({ type: 'link.changed', link: 'unavailable' });
    rig.press();
    expect(rig.views.at(-1)?.notice).toMatch(/^Home Assistant could not be reached\./);
    rig.pass(5_000);
    rig.press();
    rig.pass(5_900);
    expect(rig.views.at(-1)?.notice).not.toBe(null);
    rig.pass(100);
    expect(rig.views.at(-1)).toMatchObject({ phase: 'error', notice: null });
    rig.press();
    rig.say({ type: 'link.changed', link: 'live' });
    rig.press();
    expect(rig.views.at(-1)).toMatchObject({ phase: 'listening', notice: null });
  });

  it('of a button lights a dark screen for it', () => {
    const rig = voiceRig();
    rig.say({ type: 'link.changed', link: 'signed-out' }, { type: 'button.pressed', at: 0 });
    expect(rig.told()).toBe('panel.light panel.rest');
  });

  it('is explained during a check, which goes on', () => {
    const rig = voiceRig();
    rig.check();
    rig.press();
    expect([rig.state(), rig.views.at(-1)?.notice]).toEqual([
      { checking: 'open' },
      'The microphone is being checked. Wait a few seconds.',
    ]);
    expect(rig.facts().error).toBe(null);
  });

  it('names the cause as the microphone does, and the newest one', () => {
    const rig = voiceRig();
    const none = { ...sources, chosen: null, sources: [] };
    rig.say({ ...none, failure: 'no-device' });
    rig.press();
    expect(rig.facts().error).toBe('no-device');
    rig.say({ ...none, failure: 'no-recorder' });
    expect(rig.facts().error).toBe('no-recorder');
    expect(rig.views.at(-1)?.notice).toContain('no microphone');
    rig.say(sources);
    expect([rig.phase(), rig.facts().error]).toEqual(['idle', null]);
  });
});

describe('the rest of the microphone', () => {
  const failing = (code: 'busy' | 'backlog') => {
    const rig = voiceRig();
    for (let turn = 0; turn < 3; turn += 1) {
      rig.press();
      rig.fact({ type: 'ear.failed', code });
      rig.closed();
    }
    return rig;
  };

  it('is ended by a check that hears something', () => {
    const rig = failing('busy');
    expect([rig.facts().refusal, rig.check()]).toEqual(['parked', 'accepted']);
    rig.say({ type: 'check.ended', check: 1, code: 'busy', health: 'ok', level: 0 });
    expect([rig.facts().refusal, rig.check()]).toEqual(['parked', 'accepted']);
    rig.say({ type: 'check.ended', check: 2, code: null, health: 'ok', level: 40 });
    expect(rig.facts().refusal).toBe(null);
    rig.pass(300_000);
    expect(rig.facts().isParked).toBe(false);
  });

  it('does not begin because the network was slow', () => {
    expect(failing('backlog').facts()).toMatchObject({ refusal: null, failures: 3, error: 'backlog' });
  });
});
