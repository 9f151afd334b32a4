import type { StatusDocument } from '#machines/status.ts';
import { t } from '../strings/t.ts';
import type { BareCard, CardProps } from './card.ts';
import { Icon } from './icon.tsx';
import { Note } from './note.tsx';
import { Sentence } from './sentence.tsx';
import { isTurn } from './voice-facts.ts';
import { VoiceSwitch } from './voice-switch.tsx';

const reads = ['voice'] as const;

type Voice = NonNullable<StatusDocument['voice']>;

const sentenceOf = ({ summary, action }: Voice): string => (action === 'none' ? summary : `${summary} ${action}`);

/** True if the switch is on: voice may still wait for the permission. */
const isOn = ({ state, refusal }: Voice): boolean => state !== 'off' || refusal !== 'off';

const Switch = () => (
  <div class="control-row">
    <h2 class="control-name" id="voice-title">
      <Icon name="mdi:microphone" />
      <span id="voice-label">{t('voice.switch')}</span>
    </h2>
    <VoiceSwitch labelledBy="voice-label" />
  </div>
);

/** Voice: its switch, one sentence, and Cancel while a turn runs. */
function VoiceCard({ status: { voice } }: CardProps<typeof reads>) {
  if (voice === null || !isOn(voice)) return <></>;
  return (
    <sconce-voice-switch>
      <div data-control>
        <Switch />
        <Note />
        <div class="summary">
          <p class="hint">
            <Sentence text={sentenceOf(voice)} /> <a href="/voice">{t('voice.home.open')}</a>
          </p>
          {isTurn(voice) ? (
            <p>
              <button type="button" class="button primary" data-voice="cancel" disabled>
                {t('voice.cancel')}
              </button>
            </p>
          ) : null}
        </div>
      </div>
    </sconce-voice-switch>
  );
}

/** The card of voice while it is on; off, its row among what the panel can do leads to the settings. */
export const voiceCard = {
  name: 'voice',
  reads,
  place: 'left',
  labelledBy: 'voice-title',
  draw: VoiceCard,
  stateOf: ({ voice }) => (voice === null || !isOn(voice) ? 'absent' : 'on'),
} as const satisfies BareCard<typeof reads>;
