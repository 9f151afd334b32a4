import type { EveningFrame, SimulatedPanel } from '#machines/simulator/events.ts';
import type { StatusDocument } from '#machines/status.ts';
import { t } from '../strings/t.ts';
import { ago } from '../strings/times.ts';
import { MarkOnScreen, markWords, TintOnScreen } from './mark-on-screen.tsx';
import { Icon } from './icon.tsx';
import { PanelDrawing } from './panel-drawing.tsx';
import { hardwareWords, PanelHardware, perceivedLight } from './panel-hardware.tsx';
import { DayCard, type DayOnPage, frameOf, noneIsPlayed, type Played } from './simulated-day.tsx';
import { EveningCard, minuteOf } from './simulated-evening.tsx';
import { SimulatedCameraCard } from './simulated-camera.tsx';
import { SimulatedMicrophoneCard } from './simulated-microphone.tsx';
import { type AskingAtPanel, SimulatedMode, SimulatedQuestion } from './simulator-question.tsx';
import { pluggedWords, Slider, Toggle } from './simulator-controls.tsx';
import { levelOf, plugs } from './simulator-scales.ts';

const drawnStatus = (status: StatusDocument, panel: SimulatedPanel): StatusDocument => ({
  ...status,
  screen: {
    state: 'working',
    brightness: levelOf(status, panel),
    last_brightness: levelOf(status, panel),
    display: null,
    routes: null,
    fault: null,
    changed: null,
    ...status.screen,
    lit: panel.screen.powered && panel.screen.raw > 0,
    ...(panel.screen.powered ? { brightness: levelOf(status, panel) } : {}),
  },
});

/** The panel in a played evening; null when none is played. */
function eveningOn(evening: Played<EveningFrame>, status: StatusDocument, panel: SimulatedPanel, now: number) {
  const frame = frameOf(evening);
  if (frame === null) return null;
  const raw = Math.max(1, panel.screen.raw);
  const lit = { ...panel, screen: { ...panel.screen, raw, powered: frame.isLit } };
  return { drawn: drawnStatus(status, lit), lit: panel, time: new Date(now).setHours(0, minuteOf(frame), 0, 0) };
}

/** The panel in the light of a played day; its own again when none is played. */
function playedOn(day: DayOnPage, status: StatusDocument, panel: SimulatedPanel, now: number) {
  const frame = frameOf(day);
  if (frame === null) return { drawn: drawnStatus(status, panel), lit: panel, time: now };
  const lit = { ...panel, lux: frame.lux, screen: { ...panel.screen, raw: panel.screen.rawMax, powered: true } };
  const drawn = drawnStatus(status, lit);
  const screen = drawn.screen === null ? null : { ...drawn.screen, brightness: frame.level };
  return { drawn: { ...drawn, screen }, lit, time: new Date(now).setHours(0, frame.minuteOfDay, 0, 0) };
}

function pressedWords(panel: SimulatedPanel, index: number, now: number): string {
  const pressed = panel.buttons[index] ?? null;
  if (panel.held[index] === true) return t('sim.held');
  return pressed === null ? t('sim.never') : t('sim.pressed', { ago: ago(pressed, now) });
}

const Buttons = ({ panel, now }: { readonly panel: SimulatedPanel; readonly now: number }) => (
  <ul class="sim-buttons" aria-label={t('sim.buttons')}>
    {panel.buttons.map((_, index) => {
      const lamp = panel.buttonLeds[index] === true && !panel.unplugged.includes('button_leds');
      const light = panel.unplugged.includes('button_backlight') ? 0 : panel.buttonBacklight;
      return (
        <li key={index}>
          <button
            type="button"
            class={panel.held[index] === true ? 'sim-button is-held' : 'sim-button'}
            data-sim="press"
            data-value={index + 1}
            disabled
            aria-label={t('sim.press', { count: index + 1 })}
          >
            <svg class="sim-key" width="44" height="32" viewBox="0 0 44 32" aria-hidden="true">
              <circle class="front-light" cx="22" cy="16" r="16" opacity={perceivedLight(light * 0.3)} />
              <circle class="sim-key-ring" cx="22" cy="16" r="9" />
              <circle class="front-light" cx="22" cy="16" r="9" opacity={perceivedLight(light)} />
              <circle class={lamp ? 'front-lamp' : 'sim-key-ring'} cx="40" cy="6" r="3.5" />
            </svg>
            <span class="sim-button-name">{t('sim.button', { count: index + 1 })}</span>
          </button>
          <span class="hint">{pluggedWords(panel, 'buttons', pressedWords(panel, index, now))}</span>
          <span class="hint sim-lamp">
            {pluggedWords(panel, 'button_leds', lamp ? t('sim.lamp_on') : t('sim.lamp_off'))}
          </span>
        </li>
      );
    })}
  </ul>
);

const hex = (part: number): string => part.toString(16).padStart(2, '0');

function Led({ led }: { readonly led: SimulatedPanel['led'] }) {
  const colour = `#${hex(led.red)}${hex(led.green)}${hex(led.blue)}`;
  return (
    <div class="control-row">
      <span class="control-name" id="sim-led">
        <Icon name="mdi:radiobox-marked" />
        <span>{t('sim.led')}</span>
      </span>
      <input
        type="color"
        class="colour"
        id="sim-colour"
        aria-label={t('sim.led_colour')}
        value={colour}
        data-sim="colour"
        disabled
      />
      <button
        type="button"
        class="switch"
        role="switch"
        aria-checked={led.on ? 'true' : 'false'}
        aria-labelledby="sim-led"
        data-sim="led"
        data-value={led.on ? 0 : 1}
        data-colour={colour}
        disabled
      ></button>
    </div>
  );
}

const yesNo = (yes: boolean): string => (yes ? t('sim.yes') : t('sim.no'));

interface PanelProps {
  readonly panel: SimulatedPanel;
  readonly status: StatusDocument;
}

const Hands = ({ panel, status }: PanelProps) => (
  <div class="control-body">
    <Toggle
      id="sim-screen"
      icon="mdi:power"
      label={t('sim.screen')}
      words={panel.screen.powered ? t('controls.on') : t('controls.off')}
      on={panel.screen.powered}
      touch="screen"
    />
    <Slider name="brightness" panel={panel} status={status} />
    <Led led={panel.led} />
    <Slider name="backlight" panel={panel} status={status} />
    {panel.reboots === 0 ? null : <p class="hint">{t('sim.reboots', { count: panel.reboots })}</p>}
  </div>
);

const Zigbee = ({ panel, status }: PanelProps) => (
  <div class="control-body">
    <Toggle
      id="sim-zigbee-running"
      icon="mdi:zigbee"
      label={t('sim.zigbee_running')}
      words={pluggedWords(panel, 'zigbee', yesNo(panel.zigbee.running))}
      on={panel.zigbee.running}
      touch="running"
    />
    <Toggle
      id="sim-zigbee-joined"
      icon="mdi:check-circle"
      label={t('sim.zigbee_joined')}
      words={pluggedWords(panel, 'zigbee', yesNo(panel.zigbee.joined))}
      on={panel.zigbee.joined}
      touch="joined"
    />
    <Slider name="load" panel={panel} status={status} />
  </div>
);

/** The simulated panel with its controls. */
export function SimulatorView({
  status,
  panel,
  now,
  asking = null,
  day = noneIsPlayed,
  evening = noneIsPlayed,
}: {
  readonly status: StatusDocument;
  readonly panel: SimulatedPanel;
  readonly now: number;
  /** What the panel asks, and its mode; null if this page may not answer. */
  readonly asking?: AskingAtPanel | null;
  readonly day?: DayOnPage;
  readonly evening?: Played<EveningFrame>;
}) {
  const { drawn, lit, time } = eveningOn(evening, status, panel, now) ?? playedOn(day, status, panel, now);
  return (
    <div class="sim-columns">
      <section class="hero sim-hero card" aria-label={status.panel.name}>
        <PanelDrawing status={drawn} now={time} words={hardwareWords(panel) + markWords(status)}>
          <g>
            <PanelHardware panel={panel} />
            <TintOnScreen status={status} />
            <MarkOnScreen status={status} />
          </g>
        </PanelDrawing>
        {asking === null ? null : <SimulatedQuestion {...asking} />}
        <Buttons panel={panel} now={now} />
        <p class="hint sim-help">{t('sim.hold_help')}</p>
        <p class="said sim-help" role="status" data-said="simulator" data-keep></p>
      </section>
      <div class="sim-side">
        <DayCard day={day} />
        <EveningCard evening={evening} />
        {asking === null ? null : <SimulatedMode {...asking} />}
        <section class="card" aria-labelledby="hands-title">
          <h2 id="hands-title">{t('sim.hands')}</h2>
          <Hands panel={panel} status={status} />
        </section>
        <section class="card" aria-labelledby="room-title">
          <h2 id="room-title">{t('sim.room')}</h2>
          <div class="control-body">
            {(['lux', 'celsius', 'humidity', 'proximity'] as const).map((name) => (
              <Slider key={name} name={name} panel={lit} status={status} />
            ))}
          </div>
        </section>
        <section class="card" aria-labelledby="zigbee-title">
          <h2 id="zigbee-title">{t('sim.zigbee')}</h2>
          <Zigbee panel={panel} status={status} />
        </section>
      </div>
      <div class="stack">
        <section class="card" aria-labelledby="relays-title">
          <h2 id="relays-title">{t('sim.relays')}</h2>
          <div class="sim-pairs">
            {panel.relays.map((on, index) => (
              <Toggle
                key={index}
                id={`relay-${index + 1}`}
                label={t('sim.relay', { count: index + 1 })}
                words={pluggedWords(panel, 'relays', t(on ? 'controls.on' : 'controls.off'))}
                on={on}
                touch="relay"
                of={index + 1}
              />
            ))}
          </div>
        </section>
        <section class="card" aria-labelledby="plugs-title">
          <div class="card-head">
            <h2 id="plugs-title">{t('sim.plugs')}</h2>
            <Icon name="mdi:power-plug-outline" />
          </div>
          <p class="hint">{t('sim.plugs_help')}</p>
          <div class="sim-pairs">
            {plugs.map((part) => {
              const plugged = !panel.unplugged.includes(part);
              return (
                <Toggle
                  key={part}
                  id={`plug-${part}`}
                  label={t(`sim.part.${part}`)}
                  words={plugged ? t('sim.plugged') : t('sim.unplugged')}
                  on={plugged}
                  touch="plug"
                  of={part}
                />
              );
            })}
          </div>
        </section>
        <div class="sim-devices">
          <SimulatedCameraCard status={status} camera={panel.camera} />
          <SimulatedMicrophoneCard status={status} microphone={panel.microphone} />
        </div>
      </div>
    </div>
  );
}
