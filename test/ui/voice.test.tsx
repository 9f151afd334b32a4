import { load } from 'js-yaml';
import { expect, test } from 'vitest';
import type { StatusDocument } from '#machines/status.ts';
import { earFailures, triggerRefusals } from '#machines/voice/events.ts';
import { voiceStatus } from '#machines/voice/status.ts';
import { allowedMicrophone, doneTurn, readyVoice, stateIn } from '#test/fakes/voice.ts';
import { assistCard, VoicePage } from '#ui/pages/voice-page.tsx';
import { SimulatorView } from '#ui/parts/simulator-view.tsx';
import { voiceCard } from '#ui/parts/voice-card.tsx';
import { codeWords, voiceStep, voiceWord } from '#ui/parts/voice-facts.ts';
import { VoiceView } from '#ui/parts/voice-view.tsx';
import { fixtureNow, fixturePanel, fixtureStatus } from './fixture.ts';
import { markupOf } from './markup.ts';
import { voiceProps } from './voice-fixture.ts';

type Voice = NonNullable<StatusDocument['voice']>;

const draw = (...facts: Parameters<typeof voiceProps>): string => markupOf(<VoiceView {...voiceProps(...facts)} />);
const words = (markup: string): string =>
  markup
    .replace(/<option.*?<\/option>/g, ' ')
    .replace(/<[^>]*>/g, ' ')
    .replace(/&gt;/g, '>')
    .replace(/\s+/g, ' ')
    .trim();
const status = (voice: Partial<Voice>, inUse: StatusDocument['in_use'] = fixtureStatus.in_use): StatusDocument => ({
  ...fixtureStatus,
  in_use: inUse,
  voice: {
    ...voiceStatus({ value: stateIn('idle'), context: readyVoice }, allowedMicrophone),
    ...voice,
  },
});

test('a panel without a microphone says so on the page, has no card, and no control', () => {
  const page = markupOf(<VoicePage status={fixtureStatus} voice={null} />);
  expect(words(page)).toContain('This panel has no microphone.');
  expect(page).not.toContain('sconce-voice');
  expect(markupOf(voiceCard.draw({ status: fixtureStatus, now: fixtureNow }))).toBe('');
  expect(voiceCard.stateOf(fixtureStatus)).toBe('absent');
});

test('every code that ends a turn has words', () => {
  const codes = [
    ...earFailures,
    ...triggerRefusals.filter((one) => !['off', 'busy', 'checking', 'not-allowed'].includes(one)),
    'microphone-muted',
    'no-answer',
    'unknown',
    'timeout',
    'duplicate_wake_up_detected',
    'stt-no-text-recognized',
    'intent-busy',
    'cloud-auth-failed',
    'tts-failed',
    'reply-no-player',
    'reply-source-unreachable',
  ];
  expect(codes.filter((code) => codeWords(code) === code)).toEqual([]);
  expect(codeWords('made-up')).toBe('made-up');
});

test('turned on, it never says that it is off', () => {
  const notYet = draw({ phase: 'off', microphone: { permission: 'needed' } });
  expect(words(notYet)).toContain('Voice cannot listen yet.');
  expect(words(notYet)).not.toContain('Voice is off.');
  const none = { permission: 'needed', scan: { found: 'none', detail: 'not_enumerated' } } as const;
  const markup = draw({ phase: 'off', microphone: none });
  expect(words(markup)).toContain('There is no microphone. Plug one in');
  expect(markup).not.toContain('data-voice="ask"');
});

test('ready, it says how to begin, and has no step', () => {
  const markup = draw();
  expect(words(markup)).toContain('Ready. Press the button on the screen, and speak.');
  expect(markup).not.toContain('class="step"');
  expect(markup).toContain('data-voice="test"');
  expect(markup).not.toContain('data-voice="cancel"');
});

const off = { phase: 'off' as const };
const denied = (permission: 'needed' | 'denied' | 'asking' | 'no-place') => ({ ...off, microphone: { permission } });
const noSource = (earFailure: 'no-recorder' | 'source-unknown' | 'no-echo-cancelled' | 'no-device') => ({
  voice: { refusal: 'no-microphone' as const, earFailure, chosen: null, sources: [] },
});

test.each([
  ['off', { ...off, microphone: { isVoiceOn: false } }, 'data-voice="on"'],
  ['needed', denied('needed'), 'data-voice="ask"'],
  ['denied', denied('denied'), 'data-voice="ask"'],
  ['asking', denied('asking'), 'Answer it there.'],
  ['no-place', denied('no-place'), '>sconce microphone allow</code>'],
  ['signed-out', { voice: { refusal: 'signed-out' } }, 'href="/sign-in"'],
  ['no-recorder', noSource('no-recorder'), '>sudo apt install pulseaudio-utils</code>'],
  ['source-unknown', noSource('source-unknown'), 'is gone'],
  ['no-echo-cancelled', noSource('no-echo-cancelled'), 'href="/configure/voice#field-voice_audio_source"'],
  ['no-microphone', noSource('no-device'), 'Plug one in'],
  ['microphone-refused', { voice: { refusal: 'microphone-refused' } }, 'href="/#capability-microphone"'],
  ['no-pipeline', { voice: { refusal: 'no-pipeline' } }, 'Settings &gt; Voice assistants'],
] satisfies [string, Parameters<typeof voiceProps>[0], string][])(
  'one step is said with what carries it out: %s',
  (step, facts, means) => {
    const markup = draw(facts);
    expect(voiceStep(voiceProps(facts).microphone)).toBe(step);
    expect(markup.match(/class="step"/g)).toHaveLength(1);
    expect(/<div class="step">[\s\S]*?<\/section>/.exec(markup)?.[0]).toContain(means);
    expect(markup).not.toContain('data-voice="test"');
  },
);

test.each(triggerRefusals)('the reason %s has words, and a state', (refusal) => {
  const { microphone } = voiceProps({ voice: { refusal } });
  expect(words(draw({ voice: { refusal } }))).not.toMatch(/voice\.\w/);
  const isRunning = refusal === 'busy' || refusal === 'checking';
  expect(voiceWord(microphone) === 'working').toBe(isRunning);
});

test('the command that grants access is that of the verdict', () => {
  const verdict = {
    ...(fixtureStatus.capabilities[2] as NonNullable<(typeof fixtureStatus.capabilities)[number]>),
    id: 'microphone',
    fix: { command: 'sudo usermod -aG audio sconce', effect: 'Lets it record.' },
  };
  const props = voiceProps({ voice: { refusal: 'microphone-refused' } });
  expect(markupOf(<VoiceView {...props} verdict={verdict} />)).toContain('>sudo usermod -aG audio sconce</code>');
});

test('a pipeline without speech-to-text cannot be chosen, and the chosen one is not replaced in silence', () => {
  const deaf = draw({ voice: { refusal: 'pipeline-deaf' }, values: { voice_pipelines: '{"press":"p-text"}' } });
  expect(words(deaf)).toContain(
    '“Typed only” has no speech-to-text. In Home Assistant open Settings > Voice assistants',
  );
  expect(deaf).toMatch(/value="p-text" checked/);
  const usual = draw();
  expect(usual).toMatch(/value="" checked/);
  const radio = (id: string): string => new RegExp(`<input[^>]*value="${id}"[^>]*>`).exec(usual)?.[0] ?? '';
  expect(radio('p-cloud')).toContain('data-voice-set="press"');
  expect(radio('p-text')).not.toContain('data-voice-set');
  const gone = draw({ values: { voice_pipelines: '{"press":"p-gone"}' } });
  expect(words(gone)).toContain('The one that you chose is gone. The preferred one answers.');
  expect(gone).toMatch(/value="" checked/);
});

test('while it listens it shows the level and can be cancelled', () => {
  const markup = draw({ phase: 'listening', voice: { level: 57.4, refusal: 'busy' } });
  expect(words(markup)).toContain('Listening.');
  expect(words(markup)).toContain('Level 57 %');
  expect(markup).toContain('data-voice="cancel"');
  for (const verb of ['test', 'check']) expect(markup).not.toContain(`data-voice="${verb}"`);
});

test.each([
  [{ phase: 'recording', code: null }, 'Say something at the panel.', true],
  [{ phase: 'playing', code: null }, 'Playing what it heard', true],
  [{ phase: 'passed', code: null }, 'loudest at 72 %', false],
  [{ phase: 'failed', code: 'busy' }, 'another program uses the microphone', false],
  [{ phase: 'failed', code: 'no-such-code' }, 'no-such-code', false],
] as const)('a check says its phase: %j', (check, said, isRunning) => {
  const markup = draw({ voice: { check: { check: 1, health: 'ok', level: 72, ...check } } });
  expect(words(markup)).toContain(said);
  expect(markup.includes('data-voice="check"')).toBe(!isRunning);
  expect(markup.includes('data-voice="cancel"')).toBe(isRunning);
});

test('the stages of the last turn are listed with their times, and only those that came', () => {
  const said = words(draw({ voice: { last: { ...doneTurn, at: fixtureNow - 60_000 } } }));
  expect(said).toContain('The last turn, 1 min ago : done');
  expect(said).toContain('End of speech 2.30 s Turned into text 2.65 s');
  const times = { ...doneTurn.times, answered: null, sounded: null };
  const quiet = { ...doneTurn, times, code: 'stt-no-text-recognized' };
  const cut = words(draw({ voice: { last: quiet } }));
  expect(cut).toContain('ended: nothing was understood');
  expect(cut).not.toContain('First sound');
  expect(words(draw({ voice: { last: { ...quiet, outcome: 'failed', code: 'odd' } } }))).toContain('failed: odd');
});

test('a microphone that was chosen and is gone stays in the list', () => {
  const markup = draw({ values: { voice_source: 'old_one', voice_mic_gain_db: -6 } });
  expect(markup).toMatch(/<option value="old_one" selected[^>]*>old_one \(gone\)/);
  expect(words(markup)).toContain('−6 dB');
  const muted = { ...readyVoice.sources.at(0), isMuted: true } as (typeof readyVoice.sources)[number];
  expect(draw({ voice: { sources: [muted] } })).toContain('USB microphone (muted)');
});

test('the card for a dashboard is YAML that begins a turn', () => {
  expect(load(assistCard)).toMatchObject({
    type: 'button',
    tap_action: { action: 'assist', pipeline_id: 'preferred', start_listening: true },
  });
  const page = markupOf(<VoicePage status={status({})} voice={voiceProps()} />);
  expect(page).toContain('start_listening: true');
});

test.each([
  [{ state: 'off', refusal: 'not-allowed' }, 'on', false],
  [{ state: 'idle' }, 'on', false],
  [{ state: 'responding' }, 'on', true],
] as const)('the card of the first page: %j', (voice, state, canCancel) => {
  const given = status(voice);
  const markup = markupOf(voiceCard.draw({ status: given, now: fixtureNow }));
  expect(voiceCard.stateOf(given)).toBe(state);
  expect(markup).toContain('data-voice="off"');
  expect(markup.includes('data-voice="cancel"')).toBe(canCancel);
  expect(words(markup)).toContain('Voice is ready, and the microphone is closed.');
});

test('the first page has no card while voice is off', () => {
  const closed = status({ state: 'off', refusal: 'off' });
  expect([voiceCard.stateOf(closed), markupOf(voiceCard.draw({ status: closed, now: fixtureNow }))]).toEqual([
    'absent',
    '',
  ]);
});

test.each([
  [['microphone'], 'is-microphone', 'width="26"', 'The amber square'],
  [['camera'], '', 'width="26"', 'The red square'],
  [['camera', 'microphone'], '', 'width="52"', 'The wide red mark'],
] as const)('on the simulated panel the mark shows what is in use: %j', (holders, name, width, said) => {
  const given = status({ state: 'processing' }, { shown: 'overlay', holders: [...holders], refusal: null });
  const markup = markupOf(<SimulatorView status={given} panel={fixturePanel} now={fixtureNow} />);
  const mark = /<rect class="glass-mark[^>]*>/.exec(markup)?.[0] ?? '';
  expect(mark.includes('is-microphone')).toBe(name !== '');
  expect(mark).toContain(width);
  expect(markup).toContain(said);
  expect(markup).toContain('glass-tint is-processing');
  expect(markup).toContain('it works out the answer');
});

test('the simulated panel has a card of its microphone, and no tint at rest', () => {
  const plain = markupOf(<SimulatorView status={status({})} panel={fixturePanel} now={fixtureNow} />);
  expect(plain).not.toContain('glass-tint');
  const microphone = { ...fixturePanel.microphone, muted: true };
  const panel = { ...fixturePanel, microphone };
  const markup = markupOf(<SimulatorView status={status({})} panel={panel} now={fixtureNow} />);
  expect(markup).toContain('sconce-say');
  expect(/<button[^>]*data-of-part="muted"[^>]*>/.exec(markup)?.[0]).toMatch(/aria-checked="true".*data-value="0"/);
});
