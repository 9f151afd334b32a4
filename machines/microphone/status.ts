import { z } from 'zod';

import { once } from '../kit/once.ts';
import { statusSection } from '../subsystem.ts';
import type { MicrophoneContext } from './events.ts';
import { judgeMicrophone } from './verdict.ts';

const unknown: MicrophoneContext = {
  scan: null,
  user: null,
  isVoiceOn: false,
  permission: 'needed',
  earFailure: null,
};

const MicrophoneStatus = once(() =>
  z
    .object({
      state: z.enum(['absent', 'undetermined', 'refused', 'present']).meta({
        description:
          'What a scan found that opens nothing. `undetermined`: only a sound server can tell, or there was no scan yet.',
      }),
      permission: z.enum(['allowed', 'needed', 'asking', 'denied', 'no-place']).meta({
        description:
          'Whether a person at this panel allowed it. `denied`: refused or not answered. `no-place`: there is no screen to ask on.',
      }),
      reason: z.string().meta({ description: 'Stable code of the verdict.' }),
      summary: z.string().meta({ description: 'One sentence.' }),
      action: z.string().meta({ description: 'What would change it; `none` if there is nothing to do.' }),
    })
    .meta({ id: 'MicrophoneStatus', description: 'Whether voice has a microphone. Reading it never opens one.' }),
);

function stateOf({ scan }: MicrophoneContext): 'absent' | 'undetermined' | 'refused' | 'present' {
  if (scan === null || (scan.found === 'none' && scan.detail === 'undetermined')) return 'undetermined';
  if (scan.found === 'none') return 'absent';
  return scan.refused === scan.count ? 'refused' : 'present';
}

export const status = statusSection({
  reads: ['microphone'],
  shape: () => ({ microphone: MicrophoneStatus() }),
  view: ({ read }) => {
    const facts = read('microphone') ?? unknown;
    const { reason, detail, missing } = judgeMicrophone(facts);
    return {
      microphone: {
        state: stateOf(facts),
        permission: facts.permission,
        reason,
        summary: detail,
        action: missing ?? 'none',
      },
    };
  },
});
