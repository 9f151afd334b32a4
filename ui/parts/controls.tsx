import type { JSX } from 'hono/jsx/jsx-runtime';
import type { StatusDocument } from '#machines/status.ts';
import type { IconName } from '../icons.ts';
import { t } from '../strings/t.ts';
import { Announcement } from './announcement.tsx';
import type { CardProps, TitledCard } from './card.ts';
import { shownWhile } from './condition.ts';
import { Icon } from './icon.tsx';
import { Note } from './note.tsx';
import { brightnessPercent } from './panel-drawing.tsx';
import { hasPicture } from './screen-picture.tsx';
import { Shield } from './shield.tsx';
import { Fault, Lights, Relays } from './switches.tsx';
import type { Sections } from './sections.ts';

const reads = [
  'screen',
  'auto_brightness',
  'auto_sleep',
  'volume',
  'lights',
  'relays',
  'capabilities',
  'renderer',
  'announcement',
  'power',
] as const;

type TryKind = 'screen' | 'brightness' | 'volume';

/** "Try it": makes a visible change and undoes it after a few seconds. `value` is restored. */
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
    <span class="unseen" role="status" data-keep></span>
  </sconce-try>
);

const Missing = ({ text }: { readonly text: string }) => (
  <p class="hint">
    {text} <a href="#capabilities">{t('controls.why')}</a>
  </p>
);

const SlideRow = (props: {
  readonly id: 'brightness' | 'volume';
  readonly icon: IconName;
  readonly label: string;
  readonly words: string;
  readonly min: number;
  readonly max: number;
  readonly value: number;
  /** The value that "Try it" restores. */
  readonly back: number;
}) => (
  <div data-control>
    <div class="control-row">
      <label class="control-name" for={props.id}>
        <Icon name={props.icon} />
        <span>{props.label}</span>
      </label>
      <output class="control-value" for={props.id} id={`${props.id}-value`} data-of={props.id}>
        {props.words}
      </output>
      <input
        type="range"
        class="range"
        id={props.id}
        min={props.min}
        max={props.max}
        step="1"
        value={props.value}
        data-slide={props.id}
        disabled
      />
      <Try kind={props.id} value={props.back} label={props.label} />
    </div>
    <Note />
  </div>
);

function ScreenControl({
  status,
}: {
  readonly status: Sections<'screen' | 'auto_brightness' | 'auto_sleep' | 'renderer'>;
}) {
  const { screen } = status;
  if (screen === null || screen.lit === null)
    return <Missing text={t(hasPicture(status) ? 'controls.screen_fixed' : 'controls.screen_missing')} />;
  const level = screen.brightness ?? screen.last_brightness;
  return (
    <div class="control-body">
      <div data-control>
        <div class="control-row">
          <span class="control-name">
            <Icon name="mdi:power" />
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
          ></button>
          <Try kind="screen" value={screen.lit ? 1 : 0} label={t('controls.screen')} />
        </div>
        <Note />
      </div>
      <SlideRow
        id="brightness"
        icon="mdi:brightness-5"
        label={t('controls.brightness')}
        words={`${brightnessPercent(level)} %`}
        min={1}
        max={255}
        value={level}
        back={screen.lit ? level : 0}
      />
      <p class="hint">
        {status.auto_brightness.detail} {status.auto_sleep.phase !== 'off' ? `${status.auto_sleep.detail} ` : ''}
        <a href="/room">{t('page.room')}</a>
      </p>
      <Fault reason={screen.fault} />
    </div>
  );
}

function VolumeControl({ volume }: { readonly volume: StatusDocument['volume'] }) {
  if (volume === null || volume.percent === null) return <Missing text={t('controls.volume_missing')} />;
  return (
    <div class="control-body">
      <SlideRow
        id="volume"
        icon="mdi:volume-high"
        label={t('controls.volume')}
        words={volume.muted === true ? t('controls.muted', { percent: volume.percent }) : `${volume.percent} %`}
        min={0}
        max={Math.max(1, volume.limit_percent)}
        value={volume.percent}
        back={volume.percent}
      />
      {volume.limit_percent < 100 ? <p class="hint">{t('controls.limit', { percent: volume.limit_percent })}</p> : null}
      <Fault reason={volume.fault} />
    </div>
  );
}

/** Phases in which the dashboard accepts no commands. */
const deaf: ReadonlySet<string> = new Set(['off', 'not-installed', 'no-display', 'starting']);

/** True if a sound can be played, as far as a look at the machine tells. */
const canBeHeard = ({ announcement, capabilities }: Sections<'announcement' | 'capabilities'>): boolean =>
  announcement !== null && capabilities.some(({ id, state }) => id === 'announcements' && state === 'working');

/** Verbs that a person approves at the panel in Hardened mode. */
const asked: ReadonlySet<string> = new Set(['reboot', 'reload']);

const Act = ({ verb, icon, word }: { readonly verb: string; readonly icon: IconName; readonly word: string }) => (
  <button type="button" class="button" data-act={verb} disabled>
    <Icon name={icon} />
    <span>{word}</span>
    {asked.has(verb) ? <Shield /> : null}
  </button>
);

function PanelButtons({ status, now }: CardProps<typeof reads>) {
  const dashboard = status.renderer !== null && !deaf.has(status.renderer.phase);
  const buttons: readonly (JSX.Element | null)[] = [
    dashboard ? <Act verb="home" icon="mdi:home-outline" word={t('controls.home')} /> : null,
    dashboard ? <Act verb="reload" icon="mdi:refresh" word={t('controls.reload')} /> : null,
    canBeHeard(status) ? <Act verb="test_sound" icon="mdi:bullhorn-outline" word={t('controls.test_sound')} /> : null,
    status.power?.state === 'working' ? (
      <button type="button" class="button" data-ask="reboot-question" disabled>
        <Icon name="mdi:restart" />
        <span>{t('controls.reboot')}</span>
        <Shield />
      </button>
    ) : null,
  ];
  return buttons.every((button) => button === null) ? null : (
    <div class="control-end" data-control>
      <div class="control-buttons">{buttons}</div>
      <Note of="buttons" />
      <Announcement announcement={status.announcement} now={now} />
    </div>
  );
}

/** Asks before a reboot; a native dialog, so that Escape and focus work. */
export const RebootQuestion = ({ status }: { readonly status: Sections<'panel'> }) => (
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

/** The controls for this panel's hardware; each acts immediately, and "Try it" undoes itself. */
const Controls = ({ status, now }: CardProps<typeof reads>) => (
  <div class="controls">
    <ScreenControl status={status} />
    <VolumeControl volume={status.volume} />
    <div class="fold-pair">
      <Lights status={status} />
      <Relays status={status} />
    </div>
    <PanelButtons status={status} now={now} />
  </div>
);

export const controlsCard = {
  name: 'controls',
  reads,
  place: 'left',
  title: 'controls.title',
  draw: Controls,
} as const satisfies TitledCard<typeof reads>;
