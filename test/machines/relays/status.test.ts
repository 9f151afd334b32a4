import { describe, expect, it } from 'vitest';

import type { TreeNode } from '#machines/kit/status.ts';
import { verdictOf, working } from '#machines/kit/verdict.ts';
import type { RelayContext } from '#machines/relays/events.ts';
import { status } from '#machines/relays/status.ts';
import { factsFrom } from '#test/fakes/facts.ts';

const closed: RelayContext = {
  verdict: working('found', 'Found.'),
  closed: true,
  wanted: true,
  restore: 'keep',
  fault: null,
};

describe('the relays in the status', () => {
  it('are shown as they were read back, by their ids', () => {
    const facts = factsFrom({
      relay1: closed,
      relay2: { ...closed, closed: false, fault: 'not-taken' },
      relay4: { ...closed, closed: null, verdict: verdictOf('not_here', 'x', 'Gone.') },
    });
    expect(status.view(facts).relays).toEqual({
      relay1: { state: 'working', on: true, fault: null },
      relay2: { state: 'working', on: false, fault: 'not-taken' },
      relay4: { state: 'not_here', on: null, fault: null },
    });
  });

  it('are unknown while their part is away, and not there where it is none of this panel', () => {
    const facts = factsFrom({});
    const child: TreeNode = { ...facts.tree, id: 'relay3', kind: 'worker', phase: 'restarting' };
    expect(status.view(facts).relays).toEqual({});
    expect(status.view({ ...facts, tree: { ...facts.tree, children: [child] } }).relays).toEqual({
      relay3: { state: 'checking', on: null, fault: null },
    });
  });
});
