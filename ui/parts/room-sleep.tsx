import type { AutoSleepDocument, SleepSources } from '#machines/auto-sleep/document.ts';
import { RoomSwitch } from './room-switch.tsx';
import { t } from '../strings/t.ts';
import { Moment } from './moment.tsx';
import { RoomSensors } from './room-sensors.tsx';
import { changeWords, lengthWords, ruleWords } from './sleep-words.ts';
import { StateMark, type StateWord } from './state-mark.tsx';

export interface RoomSleepProps {
  readonly doc: AutoSleepDocument;
  /** The sensors of Home Assistant; null while they are unknown, or not what goes by. */
  readonly sources: SleepSources | null;
  /** False for a panel whose screen cannot be switched. */
  readonly hasScreen: boolean;
  /** By the panel's clock. */
  readonly now: number;
  /** True in the browser, where buttons work. */
  readonly isLive: boolean;
}

/** True if the sensors of Home Assistant decide. */
export const goesBySensors = ({ enabled, source }: AutoSleepDocument): boolean =>
  enabled && source === 'home_assistant';

function stateOf({ doc: { phase, reason, gap }, hasScreen }: RoomSleepProps): StateWord {
  if (!hasScreen || gap === 'no-sensor') return 'not_here';
  if (phase === 'unavailable' || gap === 'starting') return 'checking';
  if (phase === 'off') return 'off';
  return phase === 'inhibited' && reason !== 'manual_suppression' ? 'needs_you' : 'working';
}

/** Where the step that helps is done. */
const steps = {
  'no-sensor': '/configure/sleep',
  'not-calibrated': '/proximity-setup',
  'signed-out': '/sign-in',
  'no-device': '/configure/mqtt',
  'no-sensors': '/configure/sleep',
} as const;

const isStep = (gap: string): gap is keyof typeof steps => gap in steps;

/** What helps where nothing can be decided for want of sensors. */
const Help = ({ doc: { gap } }: Pick<RoomSleepProps, 'doc'>) =>
  gap === null || gap === 'starting' ? null : (
    <div class="step">
      <p>{t(`room.sleep.help.${gap}`)}</p>
      {isStep(gap) ? (
        <p>
          <a class="button primary" href={steps[gap]}>
            {t(`room.sleep.go.${gap}`)}
          </a>
        </p>
      ) : null}
    </div>
  );

/** What counts as a sign of a person, in one line. */
function sourceWords({ source, area_name: area, learned_lease_ms: lease }: AutoSleepDocument): string {
  if (source === 'touch' && lease !== null) return t('room.sleep.by.touch_delay', { left: lengthWords(lease) });
  if (source === 'home_assistant' && area !== null) return t('room.sleep.by.area', { area });
  return t(`room.sleep.by.${source}`);
}

const Switch = ({ doc, isLive }: Pick<RoomSleepProps, 'doc' | 'isLive'>) => (
  <RoomSwitch
    id="room-sleep-switch"
    label={t('room.sleep.switch')}
    isOn={doc.enabled}
    isLive={isLive}
    mark="data-sleep"
  />
);

function Now(props: RoomSleepProps) {
  const { doc, hasScreen, isLive } = props;
  return (
    <section class="card stack" aria-labelledby="room-sleep">
      <div class="card-head">
        <h2 id="room-sleep">{t('room.sleep')}</h2>
        <StateMark state={stateOf(props)} />
      </div>
      {hasScreen ? (
        <p class="room-sentence" data-sentence>
          {doc.detail}
        </p>
      ) : (
        <p class="room-sentence">{t('room.sleep.no_screen')}</p>
      )}
      <div class="room-more">
        {doc.enabled ? <p class="hint">{sourceWords(doc)}</p> : <p>{t('room.sleep.lead')}</p>}
        {doc.manual_suppression ? <p class="hint">{t('room.sleep.suppressed')}</p> : null}
        {doc.enabled && hasScreen ? <Help doc={doc} /> : null}
      </div>
      {hasScreen || doc.enabled ? <Switch doc={doc} isLive={isLive} /> : null}
      <p class="said" role="status" data-said="sleep" data-keep></p>
    </section>
  );
}

/** The newest changes of the screen, each with what did it. */
const Why = ({ doc, sources, now }: RoomSleepProps) => (
  <section class="card stack" aria-labelledby="room-why">
    <h2 id="room-why">{t('room.why')}</h2>
    {doc.changes.length === 0 ? <p class="hint">{t('room.why.none')}</p> : null}
    <ul>
      {doc.changes.map((change) => (
        <li key={change.epoch_ms} class="room-line">
          <span>{changeWords(change, sources)}</span>
          <Moment at={change.epoch_ms} now={now} />
        </li>
      ))}
    </ul>
  </section>
);

/** The hours that are kept, and the way to their form. */
const Rules = ({ doc, now }: RoomSleepProps) => (
  <section class="card stack" aria-labelledby="room-rules">
    <h2 id="room-rules">{t('room.rules.title')}</h2>
    <ul>
      <li class="room-line">
        <span>{t('room.rules.off')}</span>
        <span class="hint">{ruleWords(doc.screen_off_hours, now)}</span>
      </li>
      <li class="room-line">
        <span>{t('room.rules.dim')}</span>
        <span class="hint">{ruleWords(doc.night_dim_hours, now)}</span>
      </li>
    </ul>
    <p class="hint">{t('room.rules.help')}</p>
    <p>
      <a class="button" href="/configure/sleep">
        {t('room.rules.change')}
      </a>
    </p>
  </section>
);

/** Whether the screen sleeps in the empty room, why, by which sensors and hours, and what changed it last. */
export const RoomSleep = (props: RoomSleepProps) => (
  <div class="room-top">
    <div class="stack">
      <Now {...props} />
      {goesBySensors(props.doc) ? <RoomSensors sources={props.sources} isLive={props.isLive} /> : null}
      <Rules {...props} />
    </div>
    <Why {...props} />
  </div>
);
