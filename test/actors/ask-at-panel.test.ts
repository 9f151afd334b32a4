import { expect, it } from 'vitest';

import { askAtPanel } from '#actors/kit/ask-at-panel.ts';
import type { AskOutcome } from '#actors/kit/registry.ts';
import type { AskedAtPanel } from '#machines/approvals/events.ts';

it.each([
  [{ ok: true, value: 'approved' }, 'approved'],
  [{ ok: true, value: 'denied' }, 'denied'],
  [{ ok: false, reason: 'timeout' }, 'expired'],
  [{ ok: false, reason: 'absent' }, 'no-place'],
  [{ ok: false, reason: 'ended' }, 'no-place'],
] as const satisfies readonly (readonly [AskOutcome<AskedAtPanel>, AskedAtPanel])[])(
  '%o is %s',
  async (outcome, said) => {
    const asked: unknown[] = [];
    // Only the one question of this test is asked of it.
    const registry = { ask: (...of: unknown[]) => (asked.push(of), Promise.resolve(outcome)) } as never;
    const question = { operation: 'PANEL_RESET', what: 'Hall\u202e', code: '4711', at: 5 } as const;
    expect(await askAtPanel(registry, question)).toBe(said);
    expect(asked).toMatchObject([
      ['approvals', { type: 'approval.ask', request: { ...question, what: String.raw`Hall\u{202e}` } }, 605_000],
    ]);
  },
);
