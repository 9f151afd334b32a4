import { describe, expect, it } from 'vitest';

import { history } from '#machines/voice/history.ts';
import { voice } from '#machines/voice/index.ts';
import { earFailures, triggerRefusals, type VoiceContext } from '#machines/voice/events.ts';
import { rows } from '#machines/voice/entities.ts';
import { closedVoice } from '#machines/voice/off.ts';
import { VoiceStatus, voiceStatus } from '#machines/voice/status.ts';
import { faultWords, voiceWords } from '#machines/voice/words.ts';
import { sources, voiceRig } from './rig.ts';

const microphone = { scan: null, user: null, isVoiceOn: true, permission: 'needed', earFailure: null } as const;

describe('voice in the status document', () => {
  it('is a turn with its stages, without a name of anything', () => {
    const rig = voiceRig();
    rig.speak();
    rig.decided();
    rig.ended();
    rig.pass(300);
    const shown = voiceStatus(rig.actor.getSnapshot(), { ...microphone, permission: 'allowed' });
    expect(VoiceStatus().parse(shown)).toEqual(shown);
    expect(shown).toMatchObject({
      state: 'idle',
      refusal: null,
      fault: null,
      turn: null,
      microphone: { kind: 'microphone', system: 'pulse', level: -1 },
      has_device: true,
      last: { source: 'screen', outcome: 'done', times: { speech_ended: 1000, answered: null } },
      turns: 1,
      action: 'none',
    });
    for (const name of ['mic"', 'Microphone"', 'home"', 'Home"', 'device"'])
      expect(JSON.stringify(shown)).not.toContain(`"${name}`);
  });

  it('says why it is off, and why it fails', () => {
    const off = { value: 'off', context: closedVoice };
    expect(voiceStatus(off, undefined)).toMatchObject({ state: 'off', refusal: 'off', summary: 'Voice is off.' });
    expect(voiceStatus(off, microphone)).toMatchObject({ state: 'off', refusal: 'not-allowed' });
    expect(voiceStatus(off, { ...microphone, scan: { found: 'none', detail: 'not_enumerated' } })).toMatchObject({
      refusal: 'no-microphone',
      summary: 'There is no microphone that can be used.',
    });
    const rig = voiceRig();
    rig.check();
    expect(voiceStatus(rig.actor.getSnapshot(), undefined).summary).toBe('The microphone is being checked.');
    rig.say({ type: 'check.ended', check: 1, code: null, health: 'ok', level: 9 });
    rig.say({ ...sources, failure: 'refused' });
    expect(voiceStatus(rig.actor.getSnapshot(), undefined)).toMatchObject({
      state: 'error',
      refusal: 'microphone-refused',
      fault: 'refused',
      summary: 'The system refuses the microphone.',
    });
  });

  it('has a sentence and a step for each reason', () => {
    const none = triggerRefusals.filter(
      (reason) => !['off', 'busy', 'checking'].includes(reason) && faultWords(reason) === faultWords('made-up'),
    );
    expect(none).toEqual([]);
    expect(earFailures.filter((code) => faultWords(code) === faultWords('made-up'))).toEqual([]);
    expect(faultWords('stt-stream-failed')).not.toEqual(faultWords('tts-failed'));
    expect(voiceWords('error', null, 'constructor')).toEqual(faultWords('made-up'));
    expect(voiceWords('listening', 'busy', null).action).toBe('none');
  });
});

describe('the state in Home Assistant', () => {
  it('is one of the six phases', () => {
    const [row] = rows;
    if (row?.entityKind !== 'sensor') throw new Error('the row is gone');
    expect(row.options).toEqual(['off', 'idle', 'listening', 'processing', 'responding', 'error']);
    expect(row.read({ value: 'off', context: closedVoice })).toBe('off');
    expect(row.read({ value: { turn: 'listening' }, context: closedVoice })).toBe('listening');
  });
});

describe('the history of voice', () => {
  const [row] = history;
  const after = (before: VoiceContext | null, now: VoiceContext): readonly string[] => {
    if (row === undefined) throw new Error('the row is gone');
    const seen = before === null ? null : row.selector(before, 'ready');
    return row.historyEvents(seen, row.selector(now, 'ready'), 5).map(({ code }) => code);
  };

  it('counts turns, and names what failed', () => {
    const rig = voiceRig();
    const first = rig.facts();
    expect(after(null, first)).toEqual([]);
    rig.press();
    rig.cancel();
    rig.closed();
    const cancelled = rig.facts();
    expect(after(first, cancelled)).toEqual(['asked']);
    expect(after(cancelled, cancelled)).toEqual([]);
    rig.press();
    rig.failed('intent-failed');
    rig.closed();
    expect(after(cancelled, rig.facts())).toEqual(['intent-failed']);
    expect(after(first, { ...first, earFailure: 'no-device' })).toEqual(['no-device']);
  });
});

describe('the setting of pipelines', () => {
  it.each([
    ['{}', true],
    ['{"press":"01m8"}', true],
    ['[]', false],
    ['{"press":1}', false],
    ['no json', false],
  ])('%s', (text, isGood) => {
    const [rule] = voice.settingRules;
    expect(Object.keys(rule.judge({ voice_pipelines: text }))).toEqual(isGood ? [] : ['voice_pipelines']);
  });
});
