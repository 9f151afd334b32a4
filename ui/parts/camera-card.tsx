import { t } from '../strings/t.ts';
import { type CameraFacts, cameraFacts, cameraIs, cameraReads, type WatchedBy } from './camera-facts.ts';
import { TakePicture } from './camera-picture.tsx';
import type { BareCard, CardProps } from './card.ts';
import { Icon } from './icon.tsx';
import { Moment } from './moment.tsx';
import { Note } from './note.tsx';
import { Sentence } from './sentence.tsx';
import { Shield } from './shield.tsx';
import { UseMark } from './use-mark.tsx';

/** Turning it on waits for a person at the panel; turning it off does not. */
const Switch = ({ on }: { readonly on: boolean }) => (
  <div class="control-row">
    <h2 class="control-name" id="camera-title">
      <Icon name="mdi:camera" />
      <span id="camera-label">{t('camera.title')}</span>
      {on ? null : <Shield always />}
    </h2>
    <span class="control-value">{t(on ? 'controls.on' : 'controls.off')}</span>
    <button
      type="button"
      class="switch"
      role="switch"
      aria-checked={on ? 'true' : 'false'}
      aria-labelledby="camera-label"
      data-camera={on ? 'off' : 'on'}
      disabled
    ></button>
  </div>
);

const Watchers = ({ watchers, now }: { readonly watchers: readonly WatchedBy[]; readonly now: number }) => (
  <ul class="known" aria-label={t('camera.watchers')}>
    {watchers.map(({ kind, count, since }) => (
      <li key={kind}>
        <b>{t(`camera.by.${kind}`, { count })}</b> {t('camera.since')} <Moment at={since} now={now} />
      </li>
    ))}
  </ul>
);

/** What the camera does now, and what would help where it cannot. */
const State = ({ camera }: Pick<CameraFacts, 'camera'>) =>
  camera.indication !== 'none' && camera.outcome === 'ok' ? (
    <p class="control-name">
      <UseMark />
      <span>{t(`camera.shown.${camera.indication}`)}</span>
    </p>
  ) : (
    <p>
      <Sentence text={camera.action === 'none' ? camera.summary : `${camera.summary} ${camera.action}`} />
    </p>
  );

/** The size and rate of the pictures that are delivered; nothing before they are known. */
function Given({ camera }: Pick<CameraFacts, 'camera'>) {
  const { encode_width: width, encode_height: height, delivered_fps: fps, delivered_kbps: kbps } = camera;
  return width === null || height === null || fps === null || kbps === null ? null : (
    <p class="hint">{t('camera.given', { width: `${width}`, height: `${height}`, fps, kbps })}</p>
  );
}

const On = ({ camera, watchers, now }: CameraFacts & { readonly now: number }) => (
  <div class="summary">
    <State camera={camera} />
    {watchers.length === 0 ? <p class="hint">{t('camera.unwatched')}</p> : <Watchers watchers={watchers} now={now} />}
    <Given camera={camera} />
  </div>
);

function Off({ isOffUnsaved, reason }: { readonly isOffUnsaved: boolean; readonly reason: string | null }) {
  const words = reason === null ? t('camera.unsaved') : t('camera.unsaved_why', { reason });
  return (
    <div>
      {isOffUnsaved ? <p class="said refused">{words}</p> : null}
      <p class="hint">{t('camera.before')}</p>
    </div>
  );
}

/** The camera: its switch, whether it is in use, who watches since when, and a picture. */
function CameraCard({ status, now }: CardProps<typeof cameraReads>) {
  const facts = cameraFacts(status);
  if (facts.is === 'absent') return <></>;
  return (
    <sconce-camera>
      <div data-control>
        <Switch on={facts.is === 'on'} />
        <Note />
      </div>
      {facts.is === 'on' ? (
        <On {...facts} now={now} />
      ) : (
        <Off isOffUnsaved={facts.isOffUnsaved} reason={status.configuration.last_failure} />
      )}
      {/* In a place of its own, so that a picture stays whatever is drawn before it. */}
      {facts.is === 'on' ? <TakePicture /> : null}
    </sconce-camera>
  );
}

/** The card of the camera; the page has none on a panel without one. */
export const cameraCard = {
  name: 'camera',
  reads: cameraReads,
  place: 'left',
  labelledBy: 'camera-title',
  draw: CameraCard,
  stateOf: cameraIs,
} as const satisfies BareCard<typeof cameraReads>;
