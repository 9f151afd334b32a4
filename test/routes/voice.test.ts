import { describe, expect, test } from 'vitest';
import type { AskOutcome } from '#actors/kit/registry.ts';
import { httpStatusOf } from '#machines/problems.ts';
import type { VoicePhase } from '#machines/kit/voice-phase.ts';
import { triggerRefusals, type VoiceContext } from '#machines/voice/events.ts';
import { closedVoice } from '#machines/voice/off.ts';
import { createApp } from '#routes/app.ts';
import { Problem } from '#routes/kit/problem.ts';
import { fakeDeps, settledFacts } from '#test/fakes/route-deps.ts';
import { allowedMicrophone, doneTurn, readyVoice, stateIn } from '#test/fakes/voice.ts';

interface Panel {
  readonly voice?: Partial<VoiceContext>;
  readonly phase?: VoicePhase;
  /** `off`: the settings keep it off; `absent`: the profile has no microphone. */
  readonly part?: 'runs' | 'restarts' | 'off' | 'absent';
  readonly microphone?: Partial<typeof allowedMicrophone>;
  readonly values?: Readonly<Record<string, string | number | boolean>>;
  readonly answer?: AskOutcome<unknown>;
}

function panelWith({ voice, phase = 'idle', part = 'runs', microphone, values, answer }: Panel = {}) {
  const { settings, ...others } = settledFacts() as { readonly settings: { readonly values: object } };
  const given = { ...settings.values, ...values };
  const isVoiceOn = part !== 'off';
  const deps = fakeDeps({}, { ...others, settings: { ...settings, values: given } });
  const { registry } = deps;
  for (const id of ['voice', 'microphone']) registry.put(id, undefined);
  const restricted = {
    ...registry,
    off: (id: string) => (part === 'off' && id === 'voice' ? { value: 'off', context: closedVoice } : undefined),
    ids: () => (part === 'absent' ? registry.ids() : [...registry.ids(), 'voice']),
  };
  if (part !== 'absent') registry.put('microphone', { ...allowedMicrophone, isVoiceOn, ...microphone });
  if (part === 'runs') registry.put('voice', { ...readyVoice, ...voice }, stateIn(phase));
  registry.answer = () => answer ?? { ok: true, value: { status: 'accepted', turn: 4 } };
  // The names of parts are narrower in the registry's type than in the fake.
  const app = createApp({ ...deps, registry: restricted as unknown as typeof registry });
  return {
    told: registry.told,
    isActive: (path: string) => app.isActiveGet(path, ''),
    ask: async (method: 'GET' | 'POST', path: string) => {
      const response = await app.fetch(new Request(`http://panel.invalid/api/v1/voice/${path}`, { method }), {});
      const body = (await response.json()) as Readonly<Record<string, unknown>>;
      if (response.status >= 400) Problem().parse(body);
      return { status: response.status, body };
    },
  };
}

const refused = (reason: (typeof triggerRefusals)[number]) =>
  ({ ok: true, value: { status: 'refused', reason } }) as const;
const every = [
  ['GET', 'pipelines'],
  ['GET', 'test'],
  ['POST', 'test'],
  ['GET', 'microphone'],
  ['POST', 'microphone'],
  ['POST', 'cancel'],
  ['POST', 'permission'],
] as const;

test.each(every)('%s %s: a panel whose profile has no microphone answers 404', async (method, path) => {
  const { ask, told } = panelWith({ part: 'absent' });
  const { status, body } = await ask(method, path);
  expect([status, body['error']]).toEqual([404, 'microphone-absent']);
  expect(told).toEqual([]);
});

test.each(every)('%s %s: 503 restarting while its part restarts', async (method, path) => {
  const answer = { ok: false, reason: 'absent' } as const;
  const { status, body } = await panelWith({ part: 'restarts', answer }).ask(method, path);
  expect([status, body['error']]).toEqual([503, 'restarting']);
});

describe('GET /api/v1/voice/pipelines', () => {
  test('lists them, with the preferred one and the one of a press', async () => {
    const { status, body } = await panelWith().ask('GET', 'pipelines');
    expect([status, body]).toEqual([200, { ...readyVoice.listed, press: null }]);
    for (const [text, press] of [
      ['{"press":"p-cloud"}', 'p-cloud'],
      ['{"press":""}', null],
      ['{"press":7}', null],
      ['[]', null],
      ['null', null],
      ['{', null],
    ] as const) {
      // oxlint-disable-next-line no-await-in-loop -- one panel after another
      const asked = await panelWith({ values: { voice_pipelines: text } }).ask('GET', 'pipelines');
      expect([text, asked.body['press']]).toEqual([text, press]);
    }
  });

  test.each([
    [{ part: 'off' }, 'not-configured', 'off'],
    [{ part: 'off', microphone: { permission: 'needed', isVoiceOn: true } }, 'not-configured', 'not-allowed'],
    [{ voice: { listed: null, link: 'signed-out' } }, 'not-configured', 'signed-out'],
    [{ voice: { listed: null, link: 'unavailable' } }, 'unavailable', 'unavailable'],
    [{ voice: { listed: null, link: 'live' } }, 'unavailable', 'unavailable'],
  ] satisfies [Panel, string, string][])('says why it knows none: %j', async (panel, error, reason) => {
    const { status, body } = await panelWith(panel).ask('GET', 'pipelines');
    expect([status, body['error'], body['reason']]).toEqual([503, error, reason]);
  });
});

describe.each(['GET', 'POST'] as const)('%s /api/v1/voice/test', (method) => {
  test('begins a turn', async () => {
    const { ask, told } = panelWith();
    expect(await ask(method, 'test')).toEqual({ status: 202, body: { accepted: true } });
    expect(told).toEqual([
      { id: 'voice', event: { type: 'voice.trigger', source: 'test', pipelineId: null, at: expect.any(Number) } },
    ]);
  });

  test.each(triggerRefusals)('refuses with its reason: %s', async (reason) => {
    const { status, body } = await panelWith({ answer: refused(reason) }).ask(method, 'test');
    expect([status, body['reason'], body['error']]).toEqual([
      ['off', 'busy', 'checking'].includes(reason) ? 409 : 503,
      reason,
      `voice-${reason}`,
    ]);
    expect(httpStatusOf[`voice-${reason}`]).toBe(status);
  });

  test('says why it does not run', async () => {
    const answer = { ok: false, reason: 'absent' } as const;
    const off = await panelWith({ part: 'off', answer }).ask(method, 'test');
    expect([off.status, off.body['reason']]).toEqual([409, 'off']);
    const microphone = { permission: 'denied', isVoiceOn: true } as const;
    const denied = await panelWith({ part: 'off', answer, microphone }).ask(method, 'test');
    expect([denied.status, denied.body['reason']]).toEqual([503, 'not-allowed']);
    const slow = await panelWith({ answer: { ok: false, reason: 'timeout' } }).ask(method, 'test');
    expect([slow.status, slow.body['error']]).toEqual([503, 'restarting']);
  });
});

test('the GET that begins a turn is active, and the others are not', () => {
  const { isActive } = panelWith();
  expect(['test', 'pipelines', 'microphone'].map((path) => isActive(`/api/v1/voice/${path}`))).toEqual([
    true,
    false,
    false,
  ]);
});

describe('/api/v1/voice/microphone', () => {
  test('tells its state, the sources, the level and the last check and turn', async () => {
    const check = { check: 2, phase: 'playing', code: null, health: 'ok', level: 61 } as const;
    const voice = { level: 34, check, last: doneTurn } as const;
    const values = { voice_source: 'alsa_input.usb', voice_mic_gain_db: 6 };
    const { speechEnded, ...times } = doneTurn.times;
    const { status, body } = await panelWith({ voice, phase: 'listening', values }).ask('GET', 'microphone');
    expect([status, body]).toEqual([
      200,
      {
        state: 'listening',
        enabled: true,
        permission: 'allowed',
        refusal: null,
        fault: null,
        health: 'ok',
        level: 34,
        system: 'pulse',
        sources: [
          { name: 'alsa_input.usb', title: 'USB microphone', kind: 'microphone', default: true, muted: false },
          { name: 'echo_cancelled', title: 'Echo-cancelled', kind: 'echo-cancelled', default: false, muted: false },
        ],
        chosen: 'echo_cancelled',
        failure: null,
        choice: { audio_source: 'voice_recognition', source: 'alsa_input.usb', gain_db: 6 },
        check,
        last: { ...doneTurn, times: { ...times, speech_ended: speechEnded } },
      },
    ]);
  });

  test('is told while voice is off, and while the microphone is not allowed', async () => {
    const off = await panelWith({ part: 'off' }).ask('GET', 'microphone');
    expect(off).toMatchObject({ status: 200, body: { state: 'off', enabled: false, refusal: 'off', level: -1 } });
    const microphone = { permission: 'asking', isVoiceOn: true } as const;
    const asking = await panelWith({ part: 'off', microphone }).ask('GET', 'microphone');
    expect(asking.body).toMatchObject({ enabled: true, permission: 'asking', refusal: 'not-allowed' });
  });

  test('begins a check, which is in no answer', async () => {
    const { ask, told } = panelWith({ answer: { ok: true, value: { status: 'accepted', check: 1 } } });
    expect(await ask('POST', 'microphone')).toEqual({ status: 202, body: { accepted: true } });
    expect(told).toEqual([{ id: 'voice', event: { type: 'voice.check', at: expect.any(Number) } }]);
    const { status, body } = await panelWith({ answer: refused('busy') }).ask('POST', 'microphone');
    expect([status, body['reason']]).toEqual([409, 'busy']);
  });

  test.each([
    ['indication-no-browser', /browser does not run.*--renderer none/],
    ['indication-unconfirmed', /could not be shown that the microphone is in use\. Light the screen/],
  ])('says why it cannot be shown: %s', async (code, words) => {
    const answer = { ok: true, value: { status: 'refused', reason: 'indication', code } } as const;
    const { status, body } = await panelWith({ answer }).ask('POST', 'microphone');
    expect([status, body]).toMatchObject([
      503,
      { error: 'voice-indication', reason: code, message: expect.stringMatching(words) },
    ]);
  });
});

test('POST /api/v1/voice/cancel ends what runs', async () => {
  const { ask, told } = panelWith({ phase: 'responding' });
  expect((await ask('POST', 'cancel')).status).toBe(202);
  expect(told).toEqual([{ id: 'voice', event: { type: 'voice.cancel', at: expect.any(Number) } }]);
  const off = await panelWith({ part: 'off' }).ask('POST', 'cancel');
  expect([off.status, off.body['reason']]).toEqual([409, 'off']);
});

test.each(['needed', 'asking', 'denied', 'no-place', 'allowed'] as const)(
  'POST /api/v1/voice/permission asks at the panel, if it is %s',
  async (permission) => {
    const { ask, told } = panelWith({ part: 'off', microphone: { permission, isVoiceOn: true } });
    const { status } = await ask('POST', 'permission');
    const asks = permission !== 'allowed' && permission !== 'no-place';
    expect(status).toBe(asks ? 202 : permission === 'allowed' ? 200 : 409);
    expect(told).toEqual(asks ? [{ id: 'microphone', event: { type: 'microphone.ask' } }] : []);
    const off = await panelWith({ part: 'off', microphone: { permission } }).ask('POST', 'permission');
    expect(off.status).toBe(permission === 'allowed' ? 200 : 409);
  },
);

test.each([every[0], every[1], every[2], every[4], every[5], every[6]])(
  'without a microphone no person is asked, and %s %s says so',
  async (method, path) => {
    const { ask, told } = panelWith({
      part: 'off',
      microphone: { permission: 'needed', scan: { found: 'none', detail: 'not_enumerated' }, isVoiceOn: true },
      answer: { ok: false, reason: 'absent' },
    });
    const { status, body } = await ask(method, path);
    expect([status, body['reason']]).toEqual([503, 'no-microphone']);
    expect(told.filter(({ id }) => id === 'microphone')).toEqual([]);
  },
);
