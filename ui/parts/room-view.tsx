import type { JSX } from 'hono/jsx/jsx-runtime';
import type { AutoBrightnessDocument } from '#machines/auto-brightness/document.ts';
import { RoomSwitch } from './room-switch.tsx';
import { t } from '../strings/t.ts';
import { ago } from '../strings/times.ts';
import { Sentence } from './sentence.tsx';
import { StateMark, type StateWord } from './state-mark.tsx';
import { durationWords, luxWords } from './room-words.ts';

/** What a sensor reads, and since when. */
export interface SensorProof {
  /** Its name; "" without one. */
  readonly name: string;
  readonly lux: number | null;
  /** When its value last changed, in epoch milliseconds; null while unknown. */
  readonly at: number | null;
}

export interface RoomViewProps {
  readonly doc: AutoBrightnessDocument;
  /** The panel's own sensor; null if it has none. */
  readonly own: SensorProof | null;
  /** The chosen entity, as Home Assistant shows it; null until that was asked. */
  readonly entity: SensorProof | null;
  readonly isSignedIn: boolean;
  readonly now: number;
  /** True in the browser, where buttons work. */
  readonly isLive: boolean;
}

const marks: Readonly<Record<AutoBrightnessDocument['state'], StateWord>> = {
  off: 'off',
  unavailable: 'needs_you',
  dark: 'working',
  following: 'working',
  preferred: 'working',
};

const Switch = ({ doc, isLive }: Pick<RoomViewProps, 'doc' | 'isLive'>) => (
  <RoomSwitch id="room-switch" label={t('room.switch')} isOn={doc.enabled} isLive={isLive} mark="data-room" />
);

const Preference = ({ doc: { manualPreference: preference }, isLive }: Pick<RoomViewProps, 'doc' | 'isLive'>) =>
  preference === null ? null : (
    <div class="room-preference">
      <p class="hint">{t('room.left', { left: durationWords(preference.remainingMs) })}</p>
      <button type="button" class="button primary" data-room="resume" disabled={!isLive}>
        {t('room.resume')}
      </button>
    </div>
  );

function Now(props: RoomViewProps) {
  const { doc, isLive } = props;
  return (
    <section class="card stack" aria-labelledby="room-now">
      <div class="card-head">
        <h2 id="room-now">{t('room.now')}</h2>
        <StateMark state={marks[doc.state]} />
      </div>
      <p class="room-sentence">
        <Sentence text={doc.detail} />
      </p>
      <div class="room-more">
        {doc.state === 'off' ? <p>{t('room.lead')}</p> : null}
        {doc.available && doc.mode !== null ? <p class="hint">{t(`room.mode.${doc.mode}`)}</p> : null}
        <Preference doc={doc} isLive={isLive} />
      </div>
      <Switch doc={doc} isLive={isLive} />
      <p class="said" role="status" data-said="now" data-keep></p>
    </section>
  );
}

/** The sensor that is read, or that would be. */
function proofOf({ doc, own, entity }: RoomViewProps): SensorProof | null {
  if (doc.sourceId === null) return own;
  return entity ?? { name: doc.sourceId, lux: doc.latestLux, at: null };
}

function readingWords({ lux, at }: SensorProof, now: number): string {
  if (lux === null) return t('room.no_reading');
  return at === null ? luxWords(lux) : t('room.reading', { lux: luxWords(lux), ago: ago(at, now) });
}

const SignIn = () => <a href="/sign-in">{t('room.sign_in')}</a>;

/** What would help a panel that measures no light. */
function Help({ doc, own, isSignedIn }: RoomViewProps): JSX.Element | null {
  if (doc.sourceId !== null)
    return isSignedIn ? null : (
      <p>
        {t('room.signed_out')} <SignIn />
      </p>
    );
  if (own !== null) return null;
  return (
    <div class="step">
      <p>{t('room.help')}</p>
      <p>{isSignedIn ? t('room.help_choose') : t('room.help_sign_in')}</p>
      {isSignedIn ? null : (
        <p>
          <SignIn />
        </p>
      )}
    </div>
  );
}

/** The other sensors, loaded by the script once they are looked at; hidden while there are none. */
function Others({ doc, own, isSignedIn }: RoomViewProps) {
  const isFirst = doc.sourceId === null && own === null;
  return (
    <details class="fold" id="room-sources" hidden={isFirst && !isSignedIn}>
      <summary>
        <span class="fold-title">{t(isFirst ? 'room.choose_one' : 'room.choose')}</span>
      </summary>
      <div class="fold-body" data-keep data-room-list></div>
    </details>
  );
}

function Source(props: RoomViewProps) {
  const { doc, now } = props;
  const proof = proofOf(props);
  return (
    <section class="card stack" aria-labelledby="room-source">
      <h2 id="room-source">{t('room.source')}</h2>
      <div class="room-more">
        {proof === null ? null : (
          <div>
            <p class="room-reading">{readingWords(proof, now)}</p>
            <p class="hint">
              {doc.sourceId === null ? t('room.own') : t('room.entity', { name: proof.name || doc.sourceId })}
            </p>
          </div>
        )}
        <Help {...props} />
      </div>
      <Others {...props} />
      <p class="said" role="status" data-said="source" data-keep></p>
    </section>
  );
}

/** The decision and the sensor that it is made from. */
export const RoomView = (props: RoomViewProps) => (
  <div class="room-top">
    <Now {...props} />
    <Source {...props} />
  </div>
);
