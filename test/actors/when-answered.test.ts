import { describe, expect, it, vi } from 'vitest';

import { createAdmission } from '#actors/approvals/admission.ts';
import type { ApprovalHappened, LookedAt } from '#machines/approvals/events.ts';
import { initialFacts } from '#machines/approvals/initial.ts';
import { fakeDeps } from '../fakes/route-deps.ts';

const request = { id: 'a'.repeat(32), operation: 'DEVICE_REBOOT', peer: 'aaaa' } as const;
const happened = (...codes: readonly ApprovalHappened['code'][]): readonly ApprovalHappened[] =>
  codes.map((code, index) => ({ sequence: index + 1, code, operation: 'DEVICE_REBOOT' }));
const facts = (...codes: readonly ApprovalHappened['code'][]) => ({
  ...initialFacts,
  mode: 'hardened',
  happened: happened(...codes),
});

/** A request that waits, on a clock that the test sets; `approved` of an earlier one happened before. */
function start(boundMs = 60_000) {
  const deps = fakeDeps({}, { approvals: facts('approved', 'asked') });
  let state: LookedAt = 'pending';
  let at = 0;
  const looks: unknown[] = [];
  const timers = new Set<() => void>();
  deps.registry.answer = (_, event) => {
    looks.push(event);
    return { ok: true, value: state };
  };
  const admission = createAdmission({
    registry: deps.registry,
    elapsed: () => at,
    timers: { setTimeout: (fn: () => void) => void timers.add(fn), clearTimeout: () => {} },
  });
  const aborted = new AbortController();
  const answered = admission.whenAnswered(request, boundMs, aborted.signal);
  return {
    answered,
    aborted,
    looks,
    looked: (count: number) => vi.waitFor(() => expect(looks).toHaveLength(count)),
    become: (next: LookedAt, ...codes: readonly ApprovalHappened['code'][]) => {
      state = next;
      deps.registry.put('approvals', facts('approved', 'asked', ...codes));
    },
    pass: (ms: number) => {
      at += ms;
      for (const fn of timers) fn();
    },
  };
}

describe('a request that waits for a person', () => {
  it.each<[string, LookedAt, ApprovalHappened['code'], string]>([
    ['approved, to be repeated', 'approved', 'approved', 'approved'],
    ['approved, and carried out by that', 'absent', 'approved', 'approved'],
    ['denied', 'absent', 'denied', 'denied'],
    ['withdrawn', 'absent', 'withdrawn', 'denied'],
    ['forgotten in a restart', null, 'hardened', 'denied'],
  ])('is %s', async (_, state, code, expected) => {
    const t = start();
    await t.looked(1);
    t.become(state, code);
    expect(await t.answered).toBe(expected);
    expect(t.looks).toHaveLength(2);
    expect(t.looks[0]).toMatchObject({ type: 'approval.look', id: request.id, peer: 'aaaa', at: 0 });
  });

  it('is looked at again only when something happened', async () => {
    const t = start();
    await t.looked(1);
    t.become('pending', 'asked');
    await t.looked(2);
    t.become('approved', 'asked', 'approved');
    expect(await t.answered).toBe('approved');
    expect(t.looks).toHaveLength(3);
  });

  it('is still pending after the bound, or once its caller has gone', async () => {
    const late = start(1000);
    await late.looked(1);
    await new Promise((resolve) => setImmediate(resolve));
    late.pass(1000);
    expect(await late.answered).toBe('pending');
    const left = start();
    await left.looked(1);
    left.aborted.abort();
    expect(await left.answered).toBe('pending');
  });
});
