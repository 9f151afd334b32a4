import { whileSettings } from '../kit/runs-while.ts';
import { subsystem } from '../subsystem.ts';
import { rows } from './entities.ts';
import type { VoiceActor } from './events.ts';
import { history } from './history.ts';
import { closedVoice } from './off.ts';
import { pipelinesOf } from './pipelines-of.ts';
import { voiceSettings } from './settings.ts';
import { status } from './status.ts';

/** A turn of Assist at the panel: press, speak, hear the answer (contract, "Platform entities", voice phases). */
export const voice = subsystem<VoiceActor>()({
  ids: ['voice'],
  group: 'media',
  runsOn: 'listening',
  tags: [{ id: 'voice', about: 'Asking Home Assistant by voice, and the microphone for it.', after: 'camera' }],
  settings: { after: 'camera_kbps', object: voiceSettings },
  settingGroups: [{ id: 'voice', title: 'Voice', icon: 'mdi:microphone', after: 'camera' }],
  runsWhile: whileSettings(
    ['voice_enabled', 'microphone_access'],
    ({ voice_enabled: isOn, microphone_access: isAllowed }) => isOn === true && isAllowed === true,
    { value: 'off', context: closedVoice },
  ),
  probe: { type: 'voice.probe' },
  settingRules: [
    {
      keys: ['voice_pipelines'],
      judge: ({ voice_pipelines: text }): Readonly<Record<string, string>> =>
        typeof text === 'string' && pipelinesOf(text) === null
          ? { voice_pipelines: 'Assist pipelines must be a JSON object, such as {"press": "id of a pipeline"}.' }
          : {},
    },
  ],
  entities: rows,
  status,
  historyKinds: [{ kind: 'voice', about: 'home', icon: 'mdi:microphone' }],
  history,
  problems: {
    'microphone-absent': 404,
    'microphone-no-place': 409,
    'not-configured': 503,
    unavailable: 503,
    'voice-off': 409,
    'voice-busy': 409,
    'voice-checking': 409,
    'voice-not-allowed': 503,
    'voice-no-microphone': 503,
    'voice-microphone-refused': 503,
    'voice-microphone-muted': 503,
    'voice-signed-out': 503,
    'voice-unavailable': 503,
    'voice-no-pipeline': 503,
    'voice-pipeline-deaf': 503,
    'voice-parked': 503,
    'voice-indication': 503,
  },
});
