import type { StatusDocument } from '#machines/status.ts';
import { Icon } from '../parts/icon.tsx';
import { Shell } from '../parts/shell.tsx';
import { verdictOf, type VoiceProps } from '../parts/voice-facts.ts';
import { VoiceView } from '../parts/voice-view.tsx';
import { t } from '../strings/t.ts';

/** A button card whose tap begins a turn (https://www.home-assistant.io/dashboards/actions/#assist). */
export const assistCard = `type: button
name: Ask
icon: mdi:microphone-message
tap_action:
  action: assist
  pipeline_id: preferred
  start_listening: true
`;

const DashboardCard = () => (
  <section class="card stack" aria-labelledby="voice-card">
    <h2 id="voice-card">{t('voice.card')}</h2>
    <p class="hint">{t('voice.card.help')}</p>
    <pre class="voice-yaml" tabindex={0} role="group" aria-label={t('voice.card.text')}>
      {assistCard}
    </pre>
    <p>
      <button type="button" class="button" data-copy={assistCard} aria-label={t('voice.card.copy')}>
        <Icon name="mdi:content-copy" size={20} />
        <span>{t('command.copy')}</span>
      </button>
    </p>
  </section>
);

const Absent = () => (
  <section class="card empty" aria-labelledby="voice-absent">
    <h2 id="voice-absent">{t('voice.absent')}</h2>
    <p>{t('voice.absent_help')}</p>
    <a class="button" href="/profiles">
      {t('voice.absent_link')}
    </a>
  </section>
);

export interface VoicePageProps {
  readonly status: StatusDocument;
  /** Null on a panel without a microphone. */
  readonly voice: Pick<VoiceProps, 'microphone' | 'pipelines'> | null;
}

/** `/voice`: speaking to Home Assistant at this panel. */
export const VoicePage = ({ status, voice }: VoicePageProps) => (
  <Shell status={status} page="voice" ofProfile>
    {voice === null ? (
      <Absent />
    ) : (
      <>
        <p class="lead">{t('voice.lead')}</p>
        <div class="stack">
          <sconce-voice>
            <VoiceView {...voice} verdict={verdictOf(status)} now={status.taken_at} />
          </sconce-voice>
          <DashboardCard />
        </div>
      </>
    )}
  </Shell>
);
