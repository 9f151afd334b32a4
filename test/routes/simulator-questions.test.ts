import { describe, expect, it } from 'vitest';
import { createApp } from '#routes/app.ts';
import { fakeDeps } from '#test/fakes/route-deps.ts';

const id = '0123456789abcdef'.repeat(2);
const shown = { id, kind: 'operation', title: 'Reboot the panel', consequence: '', code: null };
const approvals = {
  mode: 'hardened',
  unreadable: false,
  place: { kind: 'simulator' },
  standing: { pending: 1, approved: 0 },
  shown,
  silent: false,
  exposure: [],
  happened: [],
};

/** A simulated panel that asks there, and a request as the listener passes it on. */
function panel(place: object = { kind: 'simulator' }) {
  const deps = fakeDeps();
  deps.registry.put('approvals', { ...approvals, place });
  const app = createApp(deps);
  const call = async (peer: string, headers: readonly string[], body?: object): Promise<[number, unknown]> => {
    const request = new Request('http://panel.invalid/api/v1/simulator' + (body === undefined ? '/approvals' : ''), {
      ...(body !== undefined && {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    });
    const response = await app.fetch(request, { peer, incoming: { rawHeaders: [...headers] } });
    return [response.status, await response.json()];
  };
  return { call, told: () => deps.registry.told.filter((one) => one.id === 'approvals').map(({ event }) => event) };
}

const here = ['Host', '127.0.0.1:8888'];

describe('the question of a simulated panel', () => {
  it.each([
    ['127.0.0.1', here],
    ['::1', ['host', '[::1]:8888']],
    ['127.0.0.1', ['Host', 'localhost']],
  ])('is told and answered on its machine: %s %j', async (peer, headers) => {
    const { call, told } = panel();
    expect(await call(peer, headers)).toEqual([200, { shown }]);
    expect((await call(peer, headers, { approval: id, answer: 'hold' }))[0]).toBe(202);
    expect((await call(peer, headers, { security_mode: 'relaxed' }))[0]).toBe(202);
    expect(told()).toMatchObject([
      { type: 'approval.answer', id, answer: 'hold' },
      { type: 'mode.wanted', mode: 'relaxed' },
    ]);
  });

  it.each([
    ['192.0.2.7', here],
    ['127.0.0.1', ['Host', 'evil.local']],
    ['127.0.0.1', []],
    ['127.0.0.1', [...here, 'X-Forwarded-For', '192.0.2.7']],
    ['127.0.0.1', [...here, 'via', '1.1 proxy']],
  ])('is neither elsewhere: %s %j', async (peer, headers) => {
    const { call, told } = panel();
    for (const body of [
      undefined,
      { approval: id, answer: 'hold' },
      { security_mode: 'relaxed' },
      { questions: 'show' },
    ])
      expect(await call(peer, headers, body)).toMatchObject([403, { error: 'not-this-machine' }]);
    expect(told()).toEqual([]);
  });

  it('is not answered here by a panel that asks on its own screen', async () => {
    const { call, told } = panel({ kind: 'screen' });
    expect((await call('127.0.0.1', here, { approval: id, answer: 'hold' }))[0]).toBe(409);
    expect(told()).toEqual([]);
  });

  it('does not exist on a real panel', () => {
    const { table } = createApp(fakeDeps({ simulated: false }));
    expect(table.some(({ path }) => path.startsWith('/api/v1/simulator'))).toBe(false);
  });
});
