import { historyOf } from '../kit/happening.ts';
import type { MqttActor } from './events.ts';
import { phaseOf } from './phase.ts';

/** A broker that came, went or refused. */
export const history = [
  historyOf<MqttActor>()({
    actor: 'mqtt',
    kind: 'broker',
    codes: ['connected', 'lost', 'refused'],
    selector: (context, value) => ({ phase: phaseOf({ value, context }), connectedAt: context.connectedAt }),
    happenings: (before, after, now, happened) => {
      const was = before?.phase ?? null;
      if (after.phase === 'connected')
        return was === 'connected' && before?.connectedAt === after.connectedAt
          ? []
          : happened(after.connectedAt ?? now, 'connected');
      if (after.phase === 'auth_failed' && was !== 'auth_failed') return happened(now, 'refused');
      return was === 'connected' ? happened(now, 'lost') : [];
    },
  }),
];
