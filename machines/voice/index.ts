import { whileSettings } from '../kit/runs-while.ts';
import { subsystem } from '../subsystem.ts';
import { rows } from './entities.ts';
import type { VoiceActor } from './events.ts';
import { history } from './history.ts';
import { closedVoice } from './off.ts';
import { status } from './status.ts';

/** A turn of Assist at the panel: press, speak, hear the answer (contract, "Platform entities", voice phases). */
export const voice = subsystem<VoiceActor>()({
  ids: ['voice'],
  group: 'media',
  runsOn: 'listening',
  runsWhile: whileSettings(
    ['voice_enabled', 'microphone_access'],
    ({ voice_enabled: isOn, microphone_access: isAllowed }) => isOn === true && isAllowed === true,
    { value: 'off', context: closedVoice },
  ),
  probe: { type: 'voice.probe' },
  entities: rows,
  status,
  historyKinds: [{ kind: 'voice', about: 'home', icon: 'mdi:microphone' }],
  history,
});
