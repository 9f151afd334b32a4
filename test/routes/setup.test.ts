import { describe, expect, it } from 'vitest';

import type { HomeOutcome } from '#machines/home-probe/events.ts';
import type { SetupContext } from '#machines/setup/events.ts';
import { createApp } from '#routes/app.ts';
import { fakeDeps, settledFacts } from '#test/fakes/route-deps.ts';

async function call(
  path: string,
  {
    body,
    sent = body === undefined ? undefined : JSON.stringify(body),
    answered,
    setup,
    freeId = null,
  }: {
    readonly body?: unknown;
    readonly sent?: string | undefined;
    readonly answered?: unknown;
    readonly setup?: SetupContext | null;
    readonly freeId?: string | null;
  } = {},
) {
  const facts = settledFacts();
  if (setup !== undefined) facts['setup'] = setup ?? undefined;
  const deps = fakeDeps({}, facts);
  if (freeId !== null) deps.registry.put('publisher', Object.assign({}, facts['publisher'], { freeId }), 'duplicate');
  deps.registry.answer = () =>
    answered === undefined ? { ok: false, reason: 'absent' } : { ok: true, value: answered };
  const request = new Request(`http://panel.invalid${path}`, {
    ...(sent !== undefined && {
      method: 'POST',
      body: sent,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    }),
  });
  const response = await createApp(deps).fetch(request, {});
  return {
    status: response.status,
    asked: deps.registry.told,
    body: (await response.json()) as Record<string, unknown>,
  };
}

describe('the guided setup', () => {
  it('tells each step, who the panel is and the first entity', async () => {
    const { status, body } = await call('/api/v1/setup', {
      setup: {
        answers: {},
        reachedAt: null,
        steps: [{ stage: 'broker', status: 'needs_you', blocking: true, detail: 'Enter it.' }],
        foundEntity: { entityId: 'light.hall_panel_screen', deviceId: 'c0ffee' },
      },
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      complete: false,
      next: 'broker',
      panel: { id: 'hall_panel', name: 'Hall panel' },
      steps: [{ stage: 'broker', status: 'needs_you' }],
      entity: 'light.hall_panel_screen',
      device_url: null,
      free_id: null,
    });
  });

  it('offers the free id that the publisher found while another machine uses its own', async () => {
    expect((await call('/api/v1/setup', { freeId: 'hall_panel_3' })).body['free_id']).toBe('hall_panel_3');
  });

  it.each([null, { answers: {}, reachedAt: null, steps: [], foundEntity: null }])(
    'answers 503 while it is not known (%j)',
    async (setup) => {
      expect(await call('/api/v1/setup', { setup })).toMatchObject({ status: 503, body: { error: 'restarting' } });
    },
  );

  it.each([
    ['identity', { answer: 'done' }, { subject: 'identity', answer: 'done' }],
    ['home-dashboard', { answer: 'later' }, { subject: 'home_dashboard', answer: 'later' }],
    ['entity-filter', { answer: 'done' }, { subject: 'entity_filter', answer: 'done' }],
    ['attest', { answer: 'later' }, { subject: 'setup', answer: 'later' }],
    ['attest', { stage: 'broker', answer: 'later' }, { subject: 'broker', answer: 'later' }],
  ])('records %s with %j', async (path, body, event) => {
    const { status, asked } = await call(`/api/v1/setup/${path}`, { body, answered: { status: 'kept' } });
    expect([status, asked]).toEqual([200, [{ id: 'setup', event: { type: 'setup.answer', ...event } }]]);
  });

  it.each([
    [{ answer: 'maybe' }, ['answer']],
    [{ stage: 'moon', answer: 'done' }, ['stage']],
    [{ name: 'Hall', answer: 'done' }, ['name']],
  ])('refuses %j and names the field', async (body, fields) => {
    const refused = await call('/api/v1/setup/attest', { body, answered: { status: 'kept' } });
    expect([refused.status, refused.asked, refused.body['error']]).toEqual([400, [], 'invalid-body']);
    expect(Object.keys(refused.body['reasons'] as object)).toEqual(fields);
  });

  it.each(['identity', 'home-dashboard', 'entity-filter', 'attest'])(
    'records nothing of %s where no answer is sent, and says which there are',
    async (path) => {
      for (const sent of ['{}', '']) {
        // oxlint-disable-next-line no-await-in-loop -- one after another
        const refused = await call(`/api/v1/setup/${path}`, { sent, answered: { status: 'kept' } });
        expect([refused.status, refused.asked, refused.body]).toEqual([
          400,
          [],
          {
            ok: false,
            error: 'invalid-body',
            message: 'Send answer with the value done or later.',
            reasons: { answer: 'Send answer with the value done or later.' },
          },
        ]);
      }
    },
  );

  it('takes an answer as a form sends it', async () => {
    const { status, asked } = await call('/api/v1/setup/attest', {
      sent: 'stage=broker&answer=later',
      answered: { status: 'kept' },
    });
    expect([status, asked]).toEqual([
      200,
      [{ id: 'setup', event: { type: 'setup.answer', subject: 'broker', answer: 'later' } }],
    ]);
  });

  it('says that nothing was kept where the disk refuses, or the part is away', async () => {
    const failed = await call('/api/v1/setup/identity', {
      body: { answer: 'done' },
      answered: { status: 'commit-failed', reason: 'EROFS' },
    });
    expect([failed.status, failed.body['error']]).toEqual([500, 'commit-failed']);
    expect(await call('/api/v1/setup/identity', { body: { answer: 'done' } })).toMatchObject({ status: 503 });
  });
});

describe('a look at an address of Home Assistant', () => {
  const probe = (url: string, answered?: HomeOutcome | { readonly status: 'replaced' }) =>
    call(`/api/v1/config/probe-home-assistant?url=${encodeURIComponent(url)}`, { answered });

  it('asks at the origin that would be saved', async () => {
    const { asked, body } = await probe('192.0.2.7:8123/lovelace', { status: 'answered' });
    expect(asked).toEqual([
      { id: 'home-probe', event: { type: 'probe.begin', target: { origin: 'http://192.0.2.7:8123', isSaved: false } } },
    ]);
    expect(body).toMatchObject({ ok: true, origin: 'http://192.0.2.7:8123', message: 'Home Assistant answers there.' });
  });

  it.each(['http://user:secret@home.test', 'ftp://home.test', 'http://', 'http://home.test?x=1'])(
    'asks nobody at %s',
    async (url) => {
      const { asked, body } = await probe(url, { status: 'answered' });
      expect([asked, body['ok'], body['error']]).toEqual([[], false, 'invalid-url']);
      expect(JSON.stringify(body)).not.toContain('secret');
    },
  );

  it('says what is wrong, and that another look replaced it', async () => {
    const failed = await probe('home.test', { status: 'failed', error: 'elsewhere', code: 'http-301' });
    expect([failed.status, failed.body['error']]).toEqual([200, 'elsewhere']);
    const replaced = await probe('home.test', { status: 'replaced' });
    expect([replaced.status, replaced.body['error']]).toEqual([409, 'probe-replaced']);
  });
});
