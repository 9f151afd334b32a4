import type { StatusDocument } from '#machines/status.ts';
import { t, tOr } from '../strings/t.ts';
import { Announcement } from './announcement.tsx';
import type { TitledCard } from './card.ts';
import { shownWhile } from './condition.ts';
import { Icon } from './icon.tsx';
import { Moment } from './moment.tsx';
import { brightnessPercent } from './panel-drawing.tsx';

type TryKind = 'screen' | 'brightness' | 'volume';

/** "Try it": does something visible and takes it back after a few seconds. `value` is what it goes back to. */
const Try = ({ kind, value, label }: { readonly kind: TryKind; readonly value: number; readonly label: string }) => (
  <sconce-try kind={kind} value={value}>
    <button
      type="button"
      class="button quiet"
      disabled
      data-keep
      title={t(`try.help.${kind}`)}
      aria-label={`${t(`try.${kind}`)}: ${label}`}
    >
      {t(`try.${kind}`)}
    </button>
    <span class="said" role="status" data-keep></span>
  </sconce-try>
);

const Missing = ({ text }: { readonly text: string }) => (
  <p class="hint">
    {text} <a href="#capabilities">{t('controls.why')}</a>
  </p>
);

const Fault = ({ reason }: { readonly reason: string | null }) =>
  reason === null ? null : <p class="hint warn">{tOr(`controls.fault.${reason}`, t('controls.fault', { reason }))}</p>;

const ScreenControl = ({ screen, now }: { readonly screen: StatusDocument['screen']; readonly now: number }) => {
  if (screen === null || screen.lit === null) return <Missing text={t('controls.screen_missing')} />;
  const level = screen.brightness ?? screen.last_brightness;
  const percent = brightnessPercent(level);
  return (
    <div class="control-body">
      <div class="control-row">
        <span class="control-name">
          <Icon name="power" />
          <span id="screen-label">{t('controls.screen')}</span>
        </span>
        <span class="control-value">{screen.lit ? t('controls.on') : t('controls.off')}</span>
        <button
          type="button"
          class="switch"
          role="switch"
          aria-checked={screen.lit ? 'true' : 'false'}
          aria-labelledby="screen-label"
          data-act={screen.lit ? 'screen_off' : 'screen_on'}
          disabled
        >
          <span class="switch-knob"></span>
        </button>
        <Try kind="screen" value={screen.lit ? 1 : 0} label={t('controls.screen')} />
      </div>
      <div class="control-row">
        <label class="control-name" for="brightness">
          <Icon name="brightness-5" />
          <span>{t('controls.brightness')}</span>
        </label>
        <output class="control-value" for="brightness" id="brightness-value" data-of="brightness">
          {`${percent} %`}
        </output>
        <input
          type="range"
          class="range"
          id="brightness"
          min="1"
          max="255"
          step="1"
          value={level}
          data-slide="brightness"
          disabled
        />
        <Try kind="brightness" value={screen.lit ? level : 0} label={t('controls.brightness')} />
      </div>
      <Fault reason={screen.fault} />
      {screen.changed === null ? null : (
        <p class="hint">
          {t('controls.changed', { by: tOr(`controls.by.${screen.changed.by}`, screen.changed.by) })}{' '}
          <Moment at={screen.changed.at} now={now} />
        </p>
      )}
    </div>
  );
};

const VolumeControl = ({ volume }: { readonly volume: StatusDocument['volume'] }) => {
  if (volume === null || volume.percent === null) return <Missing text={t('controls.volume_missing')} />;
  const words = volume.muted === true ? t('controls.muted', { percent: volume.percent }) : `${volume.percent} %`;
  return (
    <div class="control-body">
      <div class="control-row">
        <label class="control-name" for="volume">
          <Icon name="volume-high" />
          <span>{t('controls.volume')}</span>
        </label>
        <output class="control-value" for="volume" id="volume-value" data-of="volume">
          {words}
        </output>
        <input
          type="range"
          class="range"
          id="volume"
          min="0"
          max={Math.max(1, volume.limit_percent)}
          step="1"
          value={volume.percent}
          data-slide="volume"
          disabled
        />
        <Try kind="volume" value={volume.percent} label={t('controls.volume')} />
      </div>
      {volume.limit_percent < 100 ? <p class="hint">{t('controls.limit', { percent: volume.limit_percent })}</p> : null}
      <Fault reason={volume.fault} />
    </div>
  );
};

/** Phases in which the dashboard takes no command. */
const deaf: ReadonlySet<string> = new Set(['off', 'not-installed', 'no-display', 'starting']);

const PanelButtons = ({ status }: { readonly status: StatusDocument }) => {
  const reboot = status.power?.state === 'working';
  const dashboard = status.renderer !== null && !deaf.has(status.renderer.phase);
  if (!reboot && !dashboard) return null;
  return (
    <div class="control-buttons">
      {dashboard ? (
        <button type="button" class="button" data-act="home" disabled>
          <Icon name="home-outline" />
          <span>{t('controls.home')}</span>
        </button>
      ) : null}
      {dashboard ? (
        <button type="button" class="button" data-act="reload" disabled>
          <Icon name="refresh" />
          <span>{t('controls.reload')}</span>
        </button>
      ) : null}
      {reboot ? (
        <button type="button" class="button" data-ask="reboot-question" disabled>
          <Icon name="restart" />
          <span>{t('controls.reboot')}</span>
        </button>
      ) : null}
    </div>
  );
};

/** The question before a reboot; a dialog of the browser, so that Escape and focus behave. */
export const RebootQuestion = ({ status }: { readonly status: StatusDocument }) => (
  <dialog id="reboot-question" class="question" aria-labelledby="reboot-title">
    <h2 id="reboot-title">{t('controls.reboot_title', { name: status.panel.name })}</h2>
    <p {...shownWhile('simulated', status)}>{t('controls.reboot_simulated')}</p>
    <p {...shownWhile('real', status)}>{t('controls.reboot_text')}</p>
    <div class="question-buttons">
      <button type="button" class="button" data-close="reboot-question">
        {t('controls.cancel')}
      </button>
      <button type="button" class="button primary" data-act="reboot" data-close="reboot-question">
        {t('controls.reboot_yes')}
      </button>
    </div>
  </dialog>
);

/** The controls of what this panel has; each acts at once, and "try it" takes itself back. */
export const Controls = ({ status, now }: { readonly status: StatusDocument; readonly now: number }) => (
  <div class="controls">
    <ScreenControl screen={status.screen} now={now} />
    <VolumeControl volume={status.volume} />
    <Announcement announcement={status.announcement} now={now} />
    <PanelButtons status={status} />
    <p class="said" role="status" data-said="controls" data-keep></p>
  </div>
);

/** The card of the controls. */
export const controlsCard = {
  name: 'controls',
  title: 'controls.title',
  columns: 2,
  strings: ['controls', 'try'],
  draw: Controls,
} as const satisfies TitledCard;
