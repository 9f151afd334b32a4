import { describe, expect, it } from 'vitest';
import type { CancelOutcome, ResetOutcome } from '#machines/reset/events.ts';
import { createApp } from '#routes/app.ts';
import { fakeDeps } from '#test/fakes/route-deps.ts';

const path = 'http://panel.invalid/api/v1/setup/reset';
const topic = 'homeassistant/device/sconce_hall/config';
const confirmed = { scope: 'everything', confirm: true };

async function post(outcome: ResetOutcome | 'absent' | 'timeout', body: unknown = confirmed) {
  const deps = fakeDeps();
  deps.registry.answer = () =>
    typeof outcome === 'string' ? { ok: false, reason: outcome } : { ok: true, value: outcome };
  const response = await createApp(deps).fetch(new Request(path, { method: 'POST', body: JSON.stringify(body) }), {});
  return {
    told: deps.registry.told,
    status: response.status,
    body: (await response.json()) as Record<string, unknown>,
  };
}

describe('a reset over HTTP', () => {
  it('is handed on with who asked and when, and answered with what goes', async () => {
    const { told, status, body } = await post({ status: 'ordered', entities: 24, leftBehind: [] });
    expect(told).toEqual([
      {
        id: 'reset',
        event: {
          type: 'reset.start',
          scope: 'everything',
          by: 'network',
          at: expect.any(Number),
          withoutBroker: false,
        },
      },
    ]);
    expect([status, body]).toEqual([
      200,
      {
        ok: true,
        status: 'restarting',
        scope: 'everything',
        entities: 24,
        left_behind: [],
        removed: { settings: expect.any(Number), dashboards: 0, profiles: 0, happenings: 1 },
      },
    ]);
  });

  it('goes on without the broker only where that is said', async () => {
    const { told, body } = await post(
      { status: 'ordered', entities: 0, leftBehind: [topic] },
      { ...confirmed, without_broker: true },
    );
    expect(told[0]?.event).toMatchObject({ withoutBroker: true });
    expect(body['left_behind']).toEqual([topic]);
  });

  it.each<[unknown, number, string]>([
    [{ scope: 'everything' }, 409, 'not-confirmed'],
    [{ scope: 'everything', confirm: false }, 409, 'not-confirmed'],
    [{ confirm: true }, 400, 'invalid-body'],
    [{ scope: 'house', confirm: true }, 400, 'invalid-body'],
    [{ ...confirmed, without_broker: 'perhaps' }, 400, 'invalid-body'],
    [{ ...confirmed, force: true }, 400, 'invalid-body'],
  ])('is refused, and nobody told: %j', async (sent, code, error) => {
    const { told, status, body } = await post({ status: 'failed', reason: 'x' }, sent);
    expect([told, status, body['error']]).toEqual([[], code, error]);
    expect(body['code']).toBe(error === 'not-confirmed' ? error : undefined);
  });

  it.each<[ResetOutcome | 'absent' | 'timeout', number, string, RegExp]>([
    [{ status: 'entities-left', reason: 'away', entities: 2, topics: [topic] }, 409, 'entities-left', /not connected/],
    [{ status: 'entities-left', reason: 'busy', entities: 2, topics: [] }, 409, 'entities-left', /only just/],
    [{ status: 'entities-left', reason: 'silent', entities: 2, topics: [] }, 409, 'entities-left', /within 5 s/],
    [{ status: 'entities-left', reason: 'absent', entities: 0, topics: [] }, 409, 'entities-left', /being restarted/],
    [{ status: 'refused', reason: 'trial' }, 409, 'reset-during-trial', /being tried/],
    [{ status: 'refused', reason: 'running' }, 409, 'reset-running', /in progress/],
    [{ status: 'refused', reason: 'unread' }, 503, 'restarting', /"reset"/],
    [{ status: 'failed', reason: 'ENOSPC' }, 500, 'commit-failed', /^Nothing was reset.*ENOSPC/],
    ['absent', 503, 'restarting', /"reset"/],
    ['timeout', 503, 'save-unknown', /may still happen/],
  ])('is refused with the reason: %j', async (outcome, status, error, words) => {
    const answered = await post(outcome);
    expect([answered.status, answered.body['error']]).toEqual([status, error]);
    expect(answered.body['message']).toMatch(words);
  });

  it('names what would stay behind', async () => {
    const { body } = await post({ status: 'entities-left', reason: 'away', entities: 2, topics: [topic] });
    expect(body['reasons']).toEqual({ without_broker: `These retained topics of the broker would stay: ${topic}.` });
  });

  it('is refused while the agent stops', async () => {
    const deps = { ...fakeDeps(), stopping: () => true };
    const request = new Request(path, { method: 'POST', body: JSON.stringify(confirmed) });
    const response = await createApp(deps).fetch(request, {});
    expect([response.status, deps.registry.told]).toEqual([503, []]);
  });
});

describe('a reset that waits for the disk', () => {
  const cancel = async (outcome: CancelOutcome | 'absent') => {
    const deps = fakeDeps();
    deps.registry.answer = () => (outcome === 'absent' ? { ok: false, reason: outcome } : { ok: true, value: outcome });
    const response = await createApp(deps).fetch(new Request(`${path}/cancel`, { method: 'POST' }), {});
    const body = (await response.json()) as Record<string, unknown>;
    return { told: deps.registry.told, status: response.status, body };
  };

  it('is taken back', async () => {
    const { told, status, body } = await cancel({ status: 'cancelled' });
    expect([told, status, body]).toEqual([[{ id: 'reset', event: { type: 'reset.cancel' } }], 200, { ok: true }]);
  });

  it.each<[CancelOutcome | 'absent', number, string, RegExp]>([
    [{ status: 'refused', reason: 'none' }, 409, 'no-reset', /nothing to cancel/],
    [{ status: 'refused', reason: 'running' }, 409, 'reset-running', /in progress/],
    [{ status: 'refused', reason: 'unread' }, 503, 'restarting', /"reset"/],
    [{ status: 'failed', reason: 'EROFS' }, 500, 'commit-failed', /^The reset stays ordered.*EROFS/],
    ['absent', 503, 'restarting', /"reset"/],
  ])('is not, with the reason: %j', async (outcome, status, error, words) => {
    const answered = await cancel(outcome);
    expect([answered.status, answered.body['error']]).toEqual([status, error]);
    expect(answered.body['message']).toMatch(words);
  });
});

describe('what there is to reset', () => {
  it('is counted for each choice', async () => {
    const response = await createApp(fakeDeps()).fetch(new Request(path), {});
    expect([response.status, await response.json()]).toMatchObject([
      200,
      {
        phase: 'idle',
        scope: null,
        broker: 'connected',
        entities: 1,
        choices: { connection: { settings: 1 } },
        last: null,
      },
    ]);
  });

  it('is not known while the part restarts', async () => {
    const deps = fakeDeps();
    deps.registry.put('reset', undefined);
    const response = await createApp(deps).fetch(new Request(path), {});
    expect(response.status).toBe(503);
  });
});
