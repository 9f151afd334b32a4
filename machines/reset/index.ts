import { subsystem, textLines } from '../subsystem.ts';
import { type ResetActor, resetScopes } from './events.ts';

export const reset = subsystem<ResetActor>()({
  ids: ['reset'],
  group: 'upkeep',
  historyKinds: [{ kind: 'reset', about: 'settings', icon: 'mdi:undo-variant' }],
  // Written by the start that carries out a reset.
  agentHistory: [{ kind: 'reset', codes: resetScopes, single: true }],
  warnings: [
    textLines({
      key: 'reset',
      after: 'profiles',
      reads: ['reset'],
      lines: ({ view }) => {
        const snapshot = view('reset');
        if (snapshot?.value !== 'idle' || snapshot.context.last?.state !== 'ordered') return [];
        const code = snapshot.context.failure === null ? '' : ` (${snapshot.context.failure})`;
        return [
          `A reset was asked for and could not be finished: the disk refused it${code}. The next start tries again; under More > Reset you can cancel it.`,
        ];
      },
    }),
  ],
  sections: { reset: 'never' },
  operations: { PANEL_RESET: { in: 'hardened', title: 'Reset this panel' } },
  problems: { 'reset-during-trial': 409, 'reset-running': 409, 'entities-left': 409, 'no-reset': 409 },
});
