import type { SimulatedPanel } from '#machines/simulator/events.ts';
import type { StatusDocument } from '#machines/status/document.ts';
import { t } from '../strings/t.ts';
import { ago } from '../strings/times.ts';
import { Icon } from './icon.tsx';
import { brightnessPercent, PanelDrawing } from './panel-drawing.tsx';

/** Steps of the light slider: it is logarithmic, as eyes are. */
export const luxSteps = 100;

/** Lux at slider position `step` (0 to `luxSteps`): 0, then 1 to 100000 in even ratios. */
export const luxOf = (step: number): number => (step <= 0 ? 0 : Math.round(10 ** ((step / luxSteps) * 5)));

/** Slider position of `lux`. */
export const stepOf = (lux: number): number => (lux < 1 ? 0 : Math.min(luxSteps, Math.round((Math.log10(lux) / 5) * luxSteps)));

/** The level 1 to 255 that the raw hardware brightness stands for: spread over 1 to `rawMax`, as the agent reads it. */
export const levelOf = ({ raw, rawMax }: SimulatedPanel['screen']): number => (rawMax <= 1 ? 255 : Math.round(1 + ((Math.max(1, Math.min(rawMax, raw)) - 1) / (rawMax - 1)) * 254));

const drawnStatus = (status: StatusDocument, panel: SimulatedPanel): StatusDocument => ({
  ...status,
  screen: {
    state: 'working',
    brightness: levelOf(panel.screen),
    last_brightness: levelOf(panel.screen),
    display: null,
    routes: null,
    fault: null,
    changed: null,
    ...status.screen,
    lit: panel.screen.powered && panel.screen.raw > 0,
    ...(panel.screen.powered ? { brightness: levelOf(panel.screen) } : {}),
  },
});

const Buttons = ({ panel, now }: { readonly panel: SimulatedPanel; readonly now: number }) => (
  <ul class="sim-buttons" aria-label={t('sim.buttons')}>
    {panel.buttons.map((pressed, index) => (
      <li key={index}>
        <button type="button" class="sim-button" data-sim="press" data-value={index + 1} disabled aria-label={t('sim.press', { count: index + 1 })}>
          <Icon name="radiobox-marked" size={28} />
          <span class="sim-button-name">{t('sim.button', { count: index + 1 })}</span>
        </button>
        <span class="hint">{pressed === null ? t('sim.never') : t('sim.pressed', { ago: ago(pressed, now) })}</span>
      </li>
    ))}
  </ul>
);

const Relays = ({ panel }: { readonly panel: SimulatedPanel }) => (
  <ul class="sim-relays">
    {panel.relays.map((closed, index) => (
      <li key={index} class="control-row">
        <span class="control-name" id={`relay-${index + 1}`}>
          {t('sim.relay', { count: index + 1 })}
        </span>
        <span class="control-value">{closed ? t('sim.closed') : t('sim.open')}</span>
        <button type="button" class="switch" role="switch" aria-checked={closed ? 'true' : 'false'} aria-labelledby={`relay-${index + 1}`} data-sim="relay" data-relay={index + 1} data-value={closed ? 0 : 1} disabled>
          <span class="switch-knob"></span>
        </button>
      </li>
    ))}
  </ul>
);

const hex = (part: number): string => part.toString(16).padStart(2, '0');

const Led = ({ led }: { readonly led: SimulatedPanel['led'] }) => {
  const colour = `#${hex(led.red)}${hex(led.green)}${hex(led.blue)}`;
  return (
    <div class="control-row">
      <span class="control-name" id="sim-led">
        <Icon name="radiobox-marked" />
        <span>{t('sim.led')}</span>
      </span>
      <input type="color" class="colour" id="sim-colour" aria-label={t('sim.led_colour')} value={colour} data-sim="colour" disabled />
      <button type="button" class="switch" role="switch" aria-checked={led.on ? 'true' : 'false'} aria-labelledby="sim-led" data-sim="led" data-value={led.on ? 0 : 1} data-colour={colour} disabled>
        <span class="switch-knob"></span>
      </button>
    </div>
  );
};

const Hands = ({ panel }: { readonly panel: SimulatedPanel }) => (
  <div class="control-body">
    <div class="control-row">
      <span class="control-name">
        <Icon name="power" />
        <span id="sim-screen">{t('sim.screen')}</span>
      </span>
      <span class="control-value">{panel.screen.powered ? t('controls.on') : t('controls.off')}</span>
      <button type="button" class="switch" role="switch" aria-checked={panel.screen.powered ? 'true' : 'false'} aria-labelledby="sim-screen" data-sim="screen" data-value={panel.screen.powered ? 0 : 1} disabled>
        <span class="switch-knob"></span>
      </button>
    </div>
    <Led led={panel.led} />
    <div class="control-row">
      <label class="control-name" for="sim-level">
        <Icon name="brightness-5" />
        <span>{t('sim.screen_level')}</span>
      </label>
      <output class="control-value" for="sim-level" data-of="sim-level">
        {`${brightnessPercent(levelOf(panel.screen))} %`}
      </output>
      <input type="range" class="range" id="sim-level" min="1" max="255" value={levelOf(panel.screen)} data-sim="brightness" disabled />
    </div>
    <div class="control-row">
      <label class="control-name" for="sim-lux">
        <Icon name="white-balance-sunny" />
        <span>{t('sim.light')}</span>
      </label>
      <output class="control-value" for="sim-lux" data-of="sim-lux">
        {t('sim.lux', { lux: Math.round(panel.lux) })}
      </output>
      <input type="range" class="range" id="sim-lux" min="0" max={luxSteps} value={stepOf(panel.lux)} aria-valuetext={t('sim.lux', { lux: Math.round(panel.lux) })} data-sim="lux" disabled />
    </div>
  </div>
);

/** The simulated panel and everything a hand could do to it. */
export const SimulatorView = ({ status, panel, now }: { readonly status: StatusDocument; readonly panel: SimulatedPanel; readonly now: number }) => (
  <div class="grid">
    <section class="hero card span-2" aria-label={status.panel.name}>
      <PanelDrawing status={drawnStatus(status, panel)} hardware={{ led: panel.led, relays: panel.relays, buttons: panel.buttons.length }} now={now} />
      <Buttons panel={panel} now={now} />
    </section>
    <div class="stack">
      <section class="card" aria-labelledby="hands-title">
        <h2 id="hands-title">{t('sim.hands')}</h2>
        <Hands panel={panel} />
      </section>
      <section class="card" aria-labelledby="relays-title">
        <h2 id="relays-title">{t('sim.relays')}</h2>
        <Relays panel={panel} />
        <p class="hint">{panel.reboots === 0 ? t('sim.no_reboot') : t('sim.reboots', { count: panel.reboots })}</p>
        <p class="said" role="status" data-said="simulator" data-keep></p>
      </section>
    </div>
  </div>
);
