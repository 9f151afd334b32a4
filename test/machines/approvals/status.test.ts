import { describe, expect, it } from 'vitest';

import { initialFacts } from '#machines/approvals/initial.ts';
import { status } from '#machines/approvals/status.ts';

function view(facts: object | undefined) {
  // The section reads the approvals only.
  const read = (() => facts && { ...initialFacts, ...facts }) as unknown as Parameters<typeof status.view>[0]['read'];
  return status.view({ read } as Parameters<typeof status.view>[0])['security'];
}

describe('the security of the status document', () => {
  it('is not known while the part is absent', () => {
    expect(view(undefined)).toMatchObject({ mode: null, place: 'none', place_reason: 'starting', pending: 0 });
  });

  it.each([
    ['new requests wait silently', { silent: true, standing: { pending: 2, approved: 0 } }, { silent: true }],
    ['none waits any more', { silent: true, standing: { pending: 0, approved: 1 } }, { silent: false, approved: 1 }],
    ['it asks on its screen', { place: { kind: 'screen' } }, { place: 'screen', place_reason: null }],
    [
      'a question is shown',
      { shown: { id: 'a', kind: 'operation', title: 'Reboot', consequence: '', code: null }, mode: 'hardened' },
      { asking: true, mode: 'hardened' },
    ],
  ])('where %s', (_, facts, shown) => {
    expect(view(facts)).toMatchObject(shown);
  });
});
