import { subsystem, textLines } from '../subsystem.ts';
import { type ResetActor, resetScopes } from './events.ts';

/** The reset of the panel. */
export const reset = subsystem<ResetActor>()({
  ids: ['reset'],
  group: 'upkeep',
  historyKinds: [{ kind: 'reset', about: 'settings', icon: 'mdi:undo-variant' }],
  // The start that carries a reset out writes it down.
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
  sections: ['reset'],
  problems: { 'reset-during-trial': 409, 'reset-running': 409, 'entities-left': 409, 'no-reset': 409 },
});
