import { describe, expect, it } from 'vitest';
import type { ConfirmOutcome, FoundBroker } from '#machines/mqtt/events.ts';
import { createApp } from '#routes/app.ts';
import { fakeDeps } from '#test/fakes/route-deps.ts';

const path = 'http://panel.invalid/api/v1/config/confirm-broker';
const broker: FoundBroker = { name: 'home.local', address: 'fe80::1', port: 1883 };

describe('confirming the found broker', () => {
  const confirm = async (outcome: ConfirmOutcome | null, body: unknown = broker) => {
    const deps = fakeDeps();
    deps.registry.answer = () => (outcome === null ? { ok: false, reason: 'absent' } : { ok: true, value: outcome });
    const request = new Request(path, { method: 'POST', body: JSON.stringify(body) });
    const response = await createApp(deps).fetch(request, {});
    const { ok, error, message } = (await response.json()) as Readonly<Record<string, unknown>>;
    return { asked: deps.registry.told, answered: [response.status, ok, error], message };
  };

  it('asks the link about the one that is named, and says that it is done', async () => {
    const { asked, answered } = await confirm({ status: 'confirmed' });
    expect(asked).toEqual([{ id: 'mqtt', event: { type: 'mqtt.confirm', broker } }]);
    expect(answered).toEqual([200, true, undefined]);
  });

  it.each([
    {},
    { address: broker.address, port: broker.port },
    { ...broker, port: 0 },
    { ...broker, address: '' },
    { ...broker, password: 'x' },
  ])('is refused where the body does not name one: %j', async (body) => {
    const { asked, answered } = await confirm({ status: 'confirmed' }, body);
    expect([asked, answered]).toEqual([[], [400, false, 'bad-value']]);
  });

  it.each<[ConfirmOutcome | null, number, string, RegExp]>([
    [
      { status: 'changed' },
      409,
      'broker-changed',
      /^Nothing was changed: another broker waits.*Read which.*confirm that/,
    ],
    [{ status: 'nothing', several: false }, 409, 'nothing-to-confirm', /^No broker waits/],
    [{ status: 'nothing', several: true }, 409, 'nothing-to-confirm', /unclear which.*Enter its broker's address/],
    [{ status: 'commit-failed', reason: 'EROFS' }, 500, 'commit-failed', /^Nothing was changed.*EROFS/],
    [null, 503, 'restarting', /restarted/],
  ])('is refused where it cannot be done: %j', async (outcome, status, error, words) => {
    const { answered, message } = await confirm(outcome);
    expect(answered).toEqual([status, false, error]);
    expect(message).toMatch(words);
    expect(message).not.toContain(broker.address);
  });
});

describe('the broker that waits to be confirmed', () => {
  const read = async (answer: { readonly ok: true; readonly value: FoundBroker | null } | null) => {
    const deps = fakeDeps();
    deps.registry.answer = () => answer ?? { ok: false, reason: 'absent' };
    const response = await createApp(deps).fetch(new Request(path), {});
    return { asked: deps.registry.told, response, body: await response.json() };
  };

  it.each([broker, null])('is told by the link, and kept by nobody: %j', async (waiting) => {
    const { asked, response, body } = await read({ ok: true, value: waiting });
    expect(asked).toEqual([{ id: 'mqtt', event: { type: 'mqtt.read-waiting' } }]);
    expect([response.status, response.headers.get('Cache-Control'), body]).toEqual([200, 'no-store', { waiting }]);
  });

  it('is not known while the link is restarted', async () => {
    const { response, body } = await read(null);
    expect([response.status, body]).toMatchObject([503, { error: 'restarting' }]);
  });
});
