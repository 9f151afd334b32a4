import type { ProximityDocument } from '#machines/proximity/document.ts';
import type { IconName } from '../icons.ts';
import { t, tOr } from '../strings/t.ts';
import { Icon } from './icon.tsx';
import { StateMark, type StateWord } from './state-mark.tsx';

type Status = ProximityDocument['statuses']['presence'];
type Cue = NonNullable<ProximityDocument['cue']>;

const cueIcons: Readonly<Record<Cue, IconName>> = {
  prepare: 'mdi:walk',
  approach: 'mdi:hand-front-right',
  hold: 'mdi:hand-front-right',
  move_away: 'mdi:walk',
  wait_clear: 'mdi:walk',
  wave: 'mdi:hand-wave',
};

/** The visible steps, each with its stages. */
const steps: readonly { readonly name: string; readonly stages: readonly string[] }[] = [
  { name: 'clear', stages: ['clear'] },
  { name: 'near', stages: ['near'] },
  { name: 'return', stages: ['return'] },
  { name: 'wave', stages: ['wave_baseline', 'wave_capture', 'waves'] },
  { name: 'review', stages: ['review'] },
];

const wordOf: Readonly<Record<Status, StateWord>> = {
  not_tested: 'off',
  validated: 'working',
  not_detected: 'off',
  not_distinguishable: 'off',
  unavailable: 'not_here',
};

const Known = ({ what, status }: { readonly what: 'presence' | 'wave'; readonly status: Status }) => (
  <li class="px-known">
    <div class="card-head">
      <h3>{t(`proximity.${what}`)}</h3>
      <StateMark state={wordOf[status]} />
    </div>
    <p class="hint">{tOr(`proximity.${what}.${status}`, '')}</p>
  </li>
);

const Both = ({ statuses }: { readonly statuses: ProximityDocument['statuses'] }) => (
  <ul class="px-both">
    <Known what="presence" status={statuses.presence} />
    <Known what="wave" status={statuses.wave} />
  </ul>
);

const Level = ({ level, raw }: { readonly level: number | null; readonly raw: number | null }) =>
  level === null && raw === null ? null : (
    <div class="px-level">
      <span class="control-name" id="px-level">
        {level === null ? t('proximity.raw') : t('proximity.level')}
      </span>
      <span class="control-value">{level === null ? String(raw) : `${level} %`}</span>
      {level === null ? null : <progress class="bar" max={100} value={level} aria-labelledby="px-level"></progress>}
    </div>
  );

function Steps({ stage }: { readonly stage: string }) {
  const now = steps.findIndex(({ stages }) => stages.includes(stage));
  return (
    <ol class="px-steps" aria-label={t('proximity.steps')}>
      {steps.map(({ name }, index) => (
        <li key={name} class={index < now ? 'is-past' : undefined} aria-current={index === now ? 'step' : undefined}>
          {tOr(`proximity.step.${name}`, name)}
        </li>
      ))}
    </ol>
  );
}

const Act = ({
  act,
  words,
  primary = false,
}: {
  readonly act: string;
  readonly words: string;
  readonly primary?: boolean;
}) => (
  <button type="button" class={primary ? 'button primary big' : 'button quiet'} data-px={act} disabled>
    {words}
  </button>
);

const Guided = ({ doc, cue }: { readonly doc: ProximityDocument; readonly cue: Cue }) => (
  <div class="px-cue" data-cue={cue}>
    <Icon name={cueIcons[cue]} size={72} />
    <p class="px-say" role="status">
      {t(`proximity.cue.${cue}`)}
    </p>
    <p class="px-time">
      {doc.remainingMs === null ? '' : t('proximity.seconds', { count: Math.ceil(doc.remainingMs / 1000) })}
    </p>
    {doc.remainingMs === null || doc.totalMs === null ? null : (
      <progress
        class="bar"
        max={doc.totalMs}
        value={doc.totalMs - doc.remainingMs}
        aria-label={t('proximity.progress')}
      ></progress>
    )}
    {doc.stage === 'waves' ? <p class="px-count">{t('proximity.waves', { count: doc.waves, total: 3 })}</p> : null}
    <p class="hint">{tOr(`proximity.cue.${cue}.help`, '')}</p>
  </div>
);

const Session = ({ doc }: { readonly doc: ProximityDocument }) => (
  <section class="card stack px-session" aria-labelledby="px-title">
    <h2 id="px-title" class="unseen">
      {t('proximity.calibrating')}
    </h2>
    {doc.stage === 'intro' ? null : <Steps stage={doc.stage ?? ''} />}
    {doc.stage === 'intro' ? (
      <>
        <p>{t('proximity.intro')}</p>
        <p class="hint">{t('proximity.intro_help')}</p>
      </>
    ) : null}
    {doc.cue === null ? null : <Guided doc={doc} cue={doc.cue} />}
    {doc.stage === 'review' ? (
      <>
        <p>{t(doc.canSave || doc.saving ? 'proximity.review' : 'proximity.review_nothing')}</p>
        <Both statuses={doc.statuses} />
        {doc.fault === null ? null : <p class="notice">{t('proximity.not_saved', { code: doc.fault })}</p>}
      </>
    ) : (
      <Level level={doc.reading.level} raw={doc.reading.raw} />
    )}
    <div class="px-acts">
      {doc.stage === 'intro' ? <Act act="begin" words={t('proximity.begin')} primary /> : null}
      {doc.canSave ? <Act act="save" words={t('proximity.save')} primary /> : null}
      <Act act="cancel" words={t(doc.canSave ? 'proximity.discard' : 'proximity.cancel')} />
    </div>
  </section>
);

const Ended = ({ doc }: { readonly doc: ProximityDocument }) =>
  doc.stage === null ? null : (
    <p class="notice" role="status">
      {tOr(`proximity.ended.${doc.reason ?? doc.stage}`, '')}
    </p>
  );

const Resting = ({ doc }: { readonly doc: ProximityDocument }) => (
  <>
    <p class="lead">{t('proximity.lead')}</p>
    <div class="grid">
      <section class="card stack" aria-labelledby="px-title">
        <h2 id="px-title">{t('proximity.sensor')}</h2>
        <Ended doc={doc} />
        {doc.present ? (
          <>
            <p>{t(doc.phase === 'ready' ? 'proximity.ready' : 'proximity.uncalibrated')}</p>
            {doc.near === null ? null : <p class="px-say">{t(doc.near ? 'proximity.near' : 'proximity.far')}</p>}
            <Level level={doc.level} raw={null} />
            <div class="px-acts">
              <Act act="start" words={t(doc.phase === 'ready' ? 'proximity.again' : 'proximity.start')} primary />
            </div>
          </>
        ) : (
          <>
            <p>{t('proximity.absent')}</p>
            <a href="/#capability-proximity">{t('proximity.absent_link')}</a>
          </>
        )}
      </section>
      <section class="card stack" aria-labelledby="px-known">
        <h2 id="px-known">{t('proximity.known')}</h2>
        <Both statuses={doc.statuses} />
        {doc.source === null ? null : <p class="hint">{t('proximity.source', { name: doc.source.name })}</p>}
        {doc.phase === 'ready' ? (
          <details class="fold" id="px-reset">
            <summary>
              <span class="fold-title">{t('proximity.reset')}</span>
            </summary>
            <div class="fold-body stack">
              <p>{t('proximity.reset_help')}</p>
              <Act act="reset" words={t('proximity.reset_now')} />
            </div>
          </details>
        ) : null}
      </section>
    </div>
  </>
);

/** The proximity sensor: its state, or the current calibration step. */
export const ProximityView = ({ doc }: { readonly doc: ProximityDocument }) =>
  doc.sessionActive ? <Session doc={doc} /> : <Resting doc={doc} />;
