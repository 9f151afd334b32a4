import { describe, expect, it } from 'vitest';
import type { ConfirmOutcome } from '#machines/mqtt/events.ts';
import { createApp } from '#routes/app.ts';
import { fakeDeps } from '#test/fakes/route-deps.ts';

describe('confirming the found broker', () => {
  const confirm = async (outcome: ConfirmOutcome | null) => {
    const deps = fakeDeps();
    deps.registry.answer = () => (outcome === null ? { ok: false, reason: 'absent' } : { ok: true, value: outcome });
    const request = new Request('http://panel.invalid/api/v1/config/confirm-broker', { method: 'POST' });
    const response = await createApp(deps).fetch(request, {});
    const { ok, error, message } = (await response.json()) as Readonly<Record<string, unknown>>;
    return { asked: deps.registry.told, answered: [response.status, ok, error], message };
  };

  it('asks the link, and says that it is done', async () => {
    const { asked, answered } = await confirm({ status: 'confirmed' });
    expect(asked).toEqual([{ id: 'mqtt', event: { type: 'mqtt.confirm' } }]);
    expect(answered).toEqual([200, true, undefined]);
  });

  it.each<[ConfirmOutcome | null, number, string, RegExp]>([
    [{ status: 'nothing', several: false }, 409, 'nothing-to-confirm', /^No broker waits/],
    [{ status: 'nothing', several: true }, 409, 'nothing-to-confirm', /unclear which.*Enter its broker's address/],
    [{ status: 'commit-failed', reason: 'EROFS' }, 500, 'commit-failed', /^Nothing was changed.*EROFS/],
    [null, 503, 'restarting', /restarted/],
  ])('is refused where it cannot be done: %j', async (outcome, status, error, words) => {
    const { answered, message } = await confirm(outcome);
    expect(answered).toEqual([status, false, error]);
    expect(message).toMatch(words);
  });
});
