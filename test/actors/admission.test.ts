import { describe, expect, it } from 'vitest';

import { createAdmission } from '#actors/approvals/admission.ts';
import { initialFacts } from '#machines/approvals/initial.ts';
import { fakeDeps } from '../fakes/route-deps.ts';

const wanted = {
  operation: 'REMOTE_MEDIA',
  what: '',
  peer: '192.0.2.9',
  trusted: false,
  binds: 'a',
  effect: null,
} as const;

/** An admission whose part has not read the mode yet; `pass` ends every wait. */
function starting() {
  const deps = fakeDeps({}, { approvals: initialFacts });
  deps.registry.answer = () => ({ ok: true, value: { status: 'full', of: 'all' } });
  const waits: (() => void)[] = [];
  const timers = { setTimeout: (fn: () => void) => waits.push(fn), clearTimeout: () => {} };
  const admission = createAdmission({ registry: deps.registry, elapsed: () => 5, timers });
  return {
    admission,
    read: (mode: 'relaxed' | 'hardened') => deps.registry.put('approvals', { ...initialFacts, mode }),
    pass: () => {
      for (const wait of waits) wait();
    },
  };
}

/** An admission that knows the mode. */
function admissionIn(mode: 'relaxed' | 'hardened') {
  const deps = fakeDeps({}, { approvals: { ...initialFacts, mode } });
  return { deps, admission: createAdmission({ registry: deps.registry, elapsed: () => 5 }) };
}

describe('a request right after the start', () => {
  it('waits until the mode is read', async () => {
    const { admission, read } = starting();
    const judged = admission.admit(wanted);
    read('relaxed');
    expect(await judged).toEqual({ ok: true });
    expect(admission.admit(wanted)).toEqual({ ok: true });
  });

  it('is asked about once the mode is Hardened', async () => {
    const { admission, read } = starting();
    const judged = admission.admit(wanted);
    read('hardened');
    expect(await judged).toMatchObject({ ok: false, reason: 'too-many-approvals' });
  });

  it('is refused if the mode stays unknown, unless a program on the panel sent it', async () => {
    const { admission, pass } = starting();
    const judged = admission.admit(wanted);
    pass();
    expect(await judged).toMatchObject({ ok: false, reason: 'restarting' });
    expect(admission.admit({ ...wanted, trusted: true })).toEqual({ ok: true });
  });
});

describe('an operation of every mode', () => {
  const replacing = { ...wanted, operation: 'IDENTITY_REPLACE', trusted: true } as const;
  const relaxed = (outcome: unknown) => {
    const { admission, deps } = admissionIn('relaxed');
    deps.registry.answer = () => ({ ok: true, value: outcome });
    return admission.admit(replacing);
  };

  it('is asked about in Relaxed mode, of programs on the panel too, and repeated', async () => {
    expect(await relaxed({ status: 'pending', id: 'a', place: { kind: 'screen' } })).toMatchObject({
      ok: false,
      reason: 'approval-required',
      message: 'Approve it at the panel, then send the same request again within ten minutes.',
    });
    expect(await relaxed({ status: 'open' })).toEqual({ ok: true });
  });

  it('says what else can be done on a panel that has no place to ask', async () => {
    const refused = await relaxed({ status: 'no-place', reason: 'headless' });
    expect(refused).toMatchObject({ ok: false, reason: 'no-place-to-ask' });
    expect(refused.ok ? '' : refused.message).toMatch(/off-screen.*sconce restore FILE --replaces/);
  });
});

describe('a consent to what the panel does not have', () => {
  const turningOn = { ...wanted, operation: 'CAMERA_ENABLE', effect: { do: 'settings', patch: {} } } as const;
  const none = { found: 'none', detail: 'not_enumerated' } as const;
  const camera = (scan: object | null) => ({ scan, camera: { summary: 'No camera is connected to this machine.' } });

  const admit = async (facts: Readonly<Record<string, unknown>>, mode: 'relaxed' | 'hardened', trusted = false) => {
    const { deps, admission } = admissionIn(mode);
    deps.registry.answer = () => ({ ok: true, value: { status: 'pending', id: 'a', place: { kind: 'screen' } } });
    for (const [id, context] of Object.entries(facts)) deps.registry.put(id, context);
    const admitted = await admission.admit({ ...turningOn, trusted });
    const asked = deps.registry.told.filter(({ event }) => event.type === 'approval.request').length;
    return { admitted, asked };
  };

  it.each(['relaxed', 'hardened'] as const)(
    'is refused unasked in %s mode, with the words of its verdict',
    async (mode) => {
      for (const trusted of [false, true]) {
        const { admitted, asked } = await admit({ camera: camera(none) }, mode, trusted);
        expect([admitted, asked]).toEqual([
          {
            ok: false,
            reason: 'not-here',
            message: 'Nothing was asked or changed. No camera is connected to this machine.',
          },
          0,
        ]);
      }
    },
  );

  it('is refused unasked where the profile says so', async () => {
    const { admitted, asked } = await admit(
      { camera: undefined, 'active-profile': { id: 'x', absent: ['camera'], optional: [] } },
      'relaxed',
    );
    expect([admitted, asked]).toMatchObject([{ ok: false, reason: 'not-here' }, 0]);
    expect(admitted.ok ? '' : admitted.message).toContain('Camera: the profile');
  });

  it.each([
    ['that has one', camera({ found: 'devices', count: 1, refused: 0, chosen: 'cam' })],
    ['on which it is still being looked for', camera(null)],
    ['whose part restarts', undefined],
  ])('is asked for on a panel %s', async (_, context) => {
    const { admitted, asked } = await admit({ camera: context }, 'relaxed');
    expect([admitted, asked]).toMatchObject([{ ok: false, reason: 'approval-required' }, 1]);
  });
});
