import { describe, expect, it } from 'vitest';
import type { ProbeAnswer } from '#machines/broker-probe/events.ts';
import { createApp } from '#routes/app.ts';
import { fakeDeps } from '#test/fakes/route-deps.ts';

const path = '/api/v1/config/probe-home-assistant';

const probe = async (address: string, outcome: ProbeAnswer | null = null) => {
  const deps = fakeDeps();
  deps.registry.put('settings', { revision: 1, values: { ha_url: address, mqtt_address_family: 'Automatic' } });
  deps.registry.answer = () => (outcome === null ? { ok: false, reason: 'ended' } : { ok: true, value: outcome });
  const app = createApp(deps);
  const response = await app.fetch(new Request(`http://panel.invalid${path}`), {});
  return { app, asked: deps.registry.told, status: response.status, body: await response.json() };
};

describe('probing Home Assistant', () => {
  it('goes to the configured address, and is guarded as a GET that starts work', async () => {
    const { app, asked, status, body } = await probe('https://marker.test', {
      status: 'answered',
      address: '192.0.2.7',
    });
    const target = { host: 'marker.test', port: 443, tls: true, addressFamily: 'Automatic' };
    expect(asked).toEqual([{ id: 'broker-probe', event: { type: 'broker-probe.probe', target } }]);
    expect([status, body]).toEqual([200, { ok: true, message: 'Something answers at its address.' }]);
    expect(app.isActiveGet(path, '')).toBe(true);
  });

  it('says why nothing answered, without the address', async () => {
    const { status, body } = await probe('http://marker.test:8123', {
      status: 'failed',
      error: 'unreachable',
      code: 'ECONNREFUSED',
    });
    expect([status, body]).toMatchObject([
      200,
      { ok: false, error: 'unreachable', message: expect.stringMatching(/^Nothing listens on port 8123/) },
    ]);
    expect(JSON.stringify(body)).not.toContain('marker');
  });

  it('says where there is no address, and is refused where another took its place, or its part is restarted', async () => {
    expect(await probe('')).toMatchObject({ asked: [], status: 200, body: { ok: false, error: 'no-address' } });
    const replaced = await probe('http://x', { status: 'replaced' });
    expect(replaced).toMatchObject({ status: 409, body: { error: 'probe-replaced' } });
    expect(await probe('http://x')).toMatchObject({ status: 503, body: { error: 'restarting' } });
  });
});
