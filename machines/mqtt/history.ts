import { historyOf } from '../kit/history-event.ts';
import type { MqttActor } from './events.ts';
import { phaseOf } from './phase.ts';

/** Connections, losses and refusals of the broker, and refused confirmations. */
export const history = [
  historyOf<MqttActor>()({
    actor: 'mqtt',
    kind: 'broker',
    // Earlier versions recorded `bound`.
    codes: ['connected', 'lost', 'refused', 'bound'],
    selector: (context, value) => ({
      phase: phaseOf({ value, context }),
      connectedAt: context.connectedAt,
    }),
    historyEvents: (before, after, now, entry) => {
      const was = before?.phase ?? null;
      if (after.phase === 'connected') {
        if (was === 'connected' && before?.connectedAt === after.connectedAt) return [];
        return entry(after.connectedAt ?? now, 'connected');
      }
      if (after.phase === 'auth_failed' && was !== 'auth_failed') return entry(now, 'refused');
      return was === 'connected' ? entry(now, 'lost') : [];
    },
  }),
  historyOf<MqttActor>()({
    actor: 'mqtt',
    kind: 'recipient',
    codes: ['unproven'],
    selector: ({ refusedConfirmation }) => ({ refusedConfirmation }),
    historyEvents: (before, { refusedConfirmation: refused }, _, entry) =>
      refused === null || refused.at === before?.refusedConfirmation?.at
        ? []
        : entry(refused.at, 'unproven', refused.from),
  }),
];
