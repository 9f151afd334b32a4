import { describe, expect, it } from 'vitest';

import { voicePhaseOf } from '#machines/kit/voice-phase.ts';
import { choosePipeline, wantedPipeline } from '#machines/voice/choose-pipeline.ts';
import { earFailures, type Pipelines } from '#machines/voice/events.ts';
import { judgeMicrophone, type TriggerFacts } from '#machines/voice/judge-trigger.ts';
import { pipelineHue } from '#machines/voice/pipeline-hue.ts';

const pipeline = (id: string, hears = true) => ({ id, name: id, hears, speaks: true });
const house: Pipelines = {
  pipelines: [pipeline('home'), pipeline('deaf', false), pipeline('radio')],
  preferred: 'home',
};

describe('the pipeline of a turn', () => {
  it.each<[string | null, Readonly<Record<string, string>>, string | null]>([
    [null, {}, null],
    [null, { press: '' }, null],
    [null, { press: 'radio' }, 'radio'],
    ['home', { press: 'radio' }, 'home'],
    ['preferred', { press: 'radio' }, null],
    ['last_used', { press: 'radio' }, 'radio'],
    ['', { press: 'radio' }, 'radio'],
    [null, { okay_nabu: 'radio' }, null],
  ])('asked for as %s with %o is %s', (asked, settings, wanted) => {
    expect(wantedPipeline(asked, settings)).toBe(wanted);
  });

  const chosen = (id: string | null) => ({ ok: true, id });
  const refused = (reason: string) => ({ ok: false, reason });
  it.each<[what: string, wanted: string | null, listed: Pipelines | null, result: object]>([
    ['the preferred one', null, house, chosen('home')],
    ['one of its own', 'radio', house, chosen('radio')],
    ['a deleted one falls back to the preferred one', 'gone', house, chosen('home')],
    ['one that cannot hear is not replaced', 'deaf', house, refused('pipeline-deaf')],
    ['nor is a preferred one', null, { ...house, preferred: 'deaf' }, refused('pipeline-deaf')],
    ['none at all', null, { pipelines: [], preferred: null }, refused('no-pipeline')],
    ['the list is not known yet', null, null, chosen(null)],
    ['the same, with one of its own', 'radio', null, chosen('radio')],
    ['a preferred one that is not listed', null, { ...house, preferred: 'gone' }, chosen(null)],
  ])('%s', (_, wanted, listed, result) => {
    expect(choosePipeline(wanted, listed)).toEqual(result);
  });

  it('has a colour of its own, the same everywhere', () => {
    expect(pipelineHue('01m8')).toBe(pipelineHue('01m8'));
    const hues = ['home', 'radio', 'deaf', '01m8', null].map((id) => pipelineHue(id));
    expect(new Set(hues).size).toBe(5);
    expect(hues.every((hue) => Number.isInteger(hue) && hue >= 0 && hue < 360)).toBe(true);
  });
});

describe('the microphone of a turn', () => {
  const ready: TriggerFacts = {
    isBusy: false,
    isChecking: false,
    isParked: false,
    earFailure: null,
    sources: [{ name: 'mic', title: 'Microphone', kind: 'microphone', isDefault: true, isMuted: true }],
    chosen: null,
    link: 'unavailable',
    listed: null,
    pipelines: {},
  };

  it.each<[Partial<TriggerFacts>, string | null]>([
    [{}, null],
    [{ chosen: 'mic' }, 'microphone-muted'],
    [{ chosen: 'mic', earFailure: 'refused' }, 'microphone-refused'],
    [{ isParked: true, earFailure: 'refused' }, 'parked'],
    [{ isBusy: true, isParked: true }, 'busy'],
    [{ isBusy: true, isChecking: true }, 'checking'],
  ])('%o is %s', (change, refusal) => {
    expect(judgeMicrophone({ ...ready, ...change })).toBe(refusal);
  });

  it('has a refusal for each failure', () => {
    const refusals = earFailures.map((earFailure) => judgeMicrophone({ ...ready, earFailure }));
    expect(new Set(refusals)).toEqual(new Set(['no-microphone', 'microphone-refused']));
  });
});

describe('the phase of a state', () => {
  it.each([
    ['off', 'off'],
    ['stopping', 'off'],
    [{ checking: 'showing' }, 'idle'],
    [{ checking: 'open' }, 'idle'],
    [{ checking: 'closing' }, 'idle'],
    ['stuck', 'error'],
    ['ending', 'processing'],
    [{ ready: 'error' }, 'error'],
    [{ turn: 'listening' }, 'listening'],
    [{ turn: { processing: 'pausing' } }, 'processing'],
    [{ turn: { responding: 'playing' } }, 'responding'],
    [{ turn: 'constructor' }, 'off'],
    [{}, 'off'],
  ] as const)('%o is %s', (state, phase) => {
    expect(voicePhaseOf(state)).toBe(phase);
  });
});
