import { describe, expect, it } from 'vitest';

import type { UploadedFile } from '#machines/http/events.ts';
import type { SayOutcome } from '#machines/simulator/events.ts';
import { createApp } from '#routes/app.ts';
import { fakeDeps } from '#test/fakes/route-deps.ts';

const upload: UploadedFile = { path: '/data/tmp/upload-1', bytes: 5, sha256: 'ab'.repeat(32) };

/** Sends what the listener received into a file, to a panel whose simulator answers so. */
async function said(outcome: SayOutcome | null) {
  const deps = fakeDeps();
  deps.registry.answer = () => (outcome === null ? { ok: false, reason: 'timeout' } : { ok: true, value: outcome });
  const response = await createApp(deps).fetch(
    new Request('http://panel.invalid/api/v1/simulator/say', { method: 'POST' }),
    { peer: '127.0.0.1', incoming: { rawHeaders: ['Host', '127.0.0.1:8888'] }, upload },
  );
  const body: unknown = await response.json();
  return { status: response.status, body, told: deps.registry.told };
}

describe('speaking to the simulated microphone', () => {
  it('passes the file on, and neither words nor sounds', async () => {
    const { status, body, told } = await said({ ok: true, value: { ms: 1200 } });
    expect([status, body]).toEqual([202, { ok: true, ms: 1200 }]);
    expect(told).toEqual([{ id: 'simulator', event: { type: 'simulator.say', file: upload.path } }]);
  });

  it.each([
    ['bad-value', 400],
    ['bad-sound', 400],
    ['no-speech-program', 503],
    ['speech-failed', 503],
  ] as const)('says why not: %s is %i', async (reason, status) => {
    const answered = await said({ ok: false, reason, message: 'Words.' });
    expect(answered).toMatchObject({ status, body: { ok: false, error: reason, message: 'Words.' } });
  });

  it('is restarting where no answer comes', async () => {
    expect(await said(null)).toMatchObject({ status: 503, body: { error: 'restarting' } });
  });
});
