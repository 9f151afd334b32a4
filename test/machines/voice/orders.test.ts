import { describe, expect, it } from 'vitest';

import { voiceRig, type VoiceRig } from './rig.ts';

/** What happens in a turn, by a word of the table. */
const steps = {
  press: (rig) => rig.press(),
  confirm: (rig) => rig.confirm(),
  refuse: (rig) => rig.say({ type: 'indication.refused', reason: 'dark-without-led' }),
  open: (rig) => rig.opened(),
  start: (rig) => rig.started(),
  silence: (rig) => rig.speechEnded(),
  close: (rig) => rig.closed(),
  text: (rig) => rig.understood(),
  decide: (rig) => rig.decided(),
  'ask-back': (rig) => rig.decided(true),
  answer: (rig) => rig.answered(),
  end: (rig) => rig.ended(),
  timeout: (rig) => rig.failed('timeout'),
  'no-text': (rig) => rig.failed('stt-no-text-recognized'),
  duplicate: (rig) => rig.failed('duplicate_wake_up_detected'),
  'intent-failed': (rig) => rig.failed('intent-failed'),
  'not-found': (rig) => rig.failed('pipeline-not-found'),
  'tts-failed': (rig) => rig.failed('tts-failed'),
  backlog: (rig) => rig.failed('backlog'),
  lost: (rig) => rig.say({ type: 'link.changed', link: 'unavailable' }),
  'signed-out': (rig) => rig.say({ type: 'link.changed', link: 'signed-out' }),
  gone: (rig) => rig.fact({ type: 'ear.failed', code: 'no-device' }),
  behind: (rig) => rig.fact({ type: 'ear.failed', code: 'backlog' }),
  mute: (rig) => rig.say({ type: 'ear.measured', health: 'muted', level: 0, at: rig.clock.now() }),
  sound: (rig) => rig.playing(),
  played: (rig) => rig.played(),
  replaced: (rig) => rig.played('replaced'),
  unplayed: (rig) => rig.played('source-unreachable'),
  taken: (rig) => rig.say({ type: 'lane.taken', at: rig.clock.now() }),
  cancel: (rig) => rig.cancel(),
  dismiss: (rig) => rig.say({ type: 'overlay.dismissed', at: rig.clock.now() }),
  wait: (rig) => rig.pass(300),
} as const satisfies Readonly<Record<string, (rig: VoiceRig) => void>>;

const isStep = (word: string): word is keyof typeof steps => Object.hasOwn(steps, word);

function play(rig: VoiceRig, order: string): void {
  for (const word of order.split(' ')) {
    if (!isStep(word)) throw new Error(`there is no step ${word}`);
    steps[word](rig);
  }
}

const free = { ear: 0, mark: false, duck: false };
const asked = 'press confirm open start silence close text';

describe('orders of events', () => {
  it.each<[what: string, order: string, outcome: string, phase: string]>([
    ['all in order', `${asked} decide answer end sound played wait`, 'done null', 'idle'],
    ['the player ends before the run', `${asked} decide answer sound played end wait`, 'done null', 'idle'],
    ['a streamed answer, before the decision', `${asked} answer sound decide played end wait`, 'done null', 'idle'],
    [
      'the mark after the start',
      'press start open confirm silence close decide answer played end wait',
      'done null',
      'idle',
    ],
    [
      'no word but the end of the text',
      'press confirm open text close decide answer end played wait',
      'done null',
      'idle',
    ],
    [
      'the microphone closes late',
      'press confirm open silence text decide answer end played wait close',
      'done null',
      'idle',
    ],
    ['an empty answer', `${asked} decide end wait`, 'done null', 'idle'],
    ['an empty answer that asks back', `${asked} ask-back end wait`, 'done null', 'idle'],
    ['an answer without speech', `${asked} decide answer end sound played wait`, 'done null', 'idle'],
    ['the end of the run, then its error', `${asked} end timeout`, 'failed timeout', 'error'],
    ['the same after a decision', `${asked} decide end timeout`, 'failed timeout', 'error'],
    ['the same after the answer began', `${asked} decide answer sound end timeout`, 'failed timeout', 'error'],
    ['an end without a decision', `${asked} end wait`, 'failed no-answer', 'error'],
    ['an end before anything', 'press end close wait', 'failed no-answer', 'error'],
    ['nothing was said', 'press confirm open start silence close no-text end', 'done stt-no-text-recognized', 'idle'],
    ['another panel answers', 'press confirm open duplicate close end', 'done duplicate_wake_up_detected', 'idle'],
    ['an error before the start', 'press not-found close', 'failed pipeline-not-found', 'error'],
    ['an error after the decision', `${asked} decide tts-failed end`, 'failed tts-failed', 'error'],
    ['no decision', `${asked} intent-failed end`, 'failed intent-failed', 'error'],
    ['the connection is behind', 'press confirm open backlog close', 'failed backlog', 'error'],
    ['the link is lost while it listens', 'press confirm open start lost close', 'failed unavailable', 'error'],
    ['the link is lost while it is processed', `${asked} lost`, 'failed unavailable', 'error'],
    ['the link is lost once the answer is there', `${asked} decide answer end lost played wait`, 'done null', 'idle'],
    ['signed out', 'press signed-out close', 'failed signed-out', 'error'],
    ['the microphone is gone', 'press confirm open start gone close', 'failed no-device', 'error'],
    ['gone before it opened', 'press gone close', 'failed no-device', 'error'],
    ['gone once it is not needed', 'press confirm open silence gone close decide end wait', 'done null', 'idle'],
    ['the microphone ends by itself', 'press confirm open close', 'failed ended', 'error'],
    ['sound is not sent', 'press confirm open behind close', 'failed backlog', 'error'],
    ['muted', 'press confirm open mute close', 'failed microphone-muted', 'error'],
    ['muted afterwards', `${asked} mute decide end wait`, 'done null', 'idle'],
    ['the mark is refused', 'press open refuse close', 'failed indication-dark-without-led', 'error'],
    ['the mark is lost', 'press confirm open start refuse close', 'failed indication-dark-without-led', 'error'],
    ['the mark is lost once it is not needed', `${asked} refuse decide end wait`, 'done null', 'idle'],
    ['an announcement while it listens', 'press confirm open taken close', 'cancelled replaced', 'idle'],
    ['an announcement while it is processed', `${asked} taken`, 'cancelled replaced', 'idle'],
    ['an announcement during the answer', `${asked} decide answer sound taken replaced`, 'cancelled replaced', 'idle'],
    ['the same, told the other way round', `${asked} decide answer sound replaced taken`, 'cancelled replaced', 'idle'],
    [
      'an announcement right after the answer',
      `${asked} ask-back answer end played taken`,
      'cancelled replaced',
      'idle',
    ],
    ['an answer that cannot be played', `${asked} decide answer end unplayed`, 'failed source-unreachable', 'error'],
    ['cancelled at once', 'press cancel close', 'cancelled null', 'idle'],
    ['cancelled while it listens', 'press confirm open start cancel close', 'cancelled null', 'idle'],
    ['cancelled while it is processed', `${asked} cancel`, 'cancelled null', 'idle'],
    ['cancelled during the answer', `${asked} decide answer sound cancel`, 'cancelled null', 'idle'],
    ['cancelled right after it', `${asked} decide answer end played cancel`, 'cancelled null', 'idle'],
    ['the edge is touched', 'press dismiss close', 'cancelled null', 'idle'],
  ])('%s', (_, order, outcome, phase) => {
    const rig = voiceRig();
    play(rig, order);
    expect([rig.outcome(), rig.phase(), rig.held]).toEqual([outcome, phase, free]);
    const code = outcome.split(' ')[1];
    expect(rig.facts().error).toBe(phase === 'error' ? code : null);
    expect(rig.facts()).toMatchObject({ turns: 1, failures: phase === 'error' ? 1 : 0, times: null });
    // What began is ended exactly once, and what came late of this turn changes nothing.
    const counted = (type: string): number => rig.commands.filter((command) => command.type === type).length;
    expect([counted('ear.open'), counted('reply.unduck'), counted('panel.rest')]).toEqual([1, 1, 1]);
    expect(counted('indication.release')).toBe(1);
    const before = rig.actor.getSnapshot().context;
    play(rig, 'silence decide answer played end close timeout');
    expect([rig.facts().last, rig.phase(), rig.facts().turn]).toEqual([before.last, phase, 1]);
  });

  it('tells Home Assistant to end only what it has not ended', () => {
    const ends = (order: string): boolean => {
      const rig = voiceRig();
      play(rig, order);
      return rig.told().includes('assist.cancel');
    };
    expect(ends(`${asked} cancel`)).toBe(true);
    expect(ends(`${asked} decide answer end cancel`)).toBe(false);
  });

  it('sends nothing after the end of the speech', () => {
    const rig = voiceRig();
    play(rig, 'press open start silence confirm');
    expect(rig.told()).not.toContain('ear.release');
    expect(rig.told()).not.toContain('ear.finish');
  });

  it('takes nothing of an earlier turn for one of its own', () => {
    const rig = voiceRig();
    play(rig, 'press cancel close press confirm open start');
    rig.fact({ type: 'assist.speech-ended' }, 1);
    rig.fact({ type: 'assist.answered', url: 'http://home/old.mp3' }, 1);
    rig.fact({ type: 'assist.failed', code: 'timeout' }, 1);
    rig.fact({ type: 'ear.failed', code: 'moved' }, 1);
    rig.say({ type: 'reply.ended', turn: 1, code: 'replaced', at: 0 });
    expect([rig.phase(), rig.facts().turn, rig.facts().error]).toEqual(['listening', 2, null]);
  });
});
