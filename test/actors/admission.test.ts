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
