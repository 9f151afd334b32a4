import type { SimulatedPanel } from '#machines/simulator/events.ts';
import { t } from '../strings/t.ts';

/** The parts that are drawn; the rest are unplugged. */
const has = (panel: SimulatedPanel, part: SimulatedPanel['unplugged'][number]): boolean =>
  !panel.unplugged.includes(part);

/** Sentences about the hardware around the screen, each with a leading space. */
export function hardwareWords(panel: SimulatedPanel): string {
  const relays = has(panel, 'relays') ? panel.relays.filter(Boolean).length : 0;
  const lamps = has(panel, 'button_leds') ? panel.buttonLeds.filter(Boolean).length : 0;
  const said = [
    panel.led.on && has(panel, 'led') ? t('sim.led_on') : null,
    relays > 0 ? t('sim.relays_on', { count: relays }) : null,
    panel.buttonBacklight > 0 && has(panel, 'button_backlight') ? t('sim.backlight_on') : null,
    lamps > 0 ? t('sim.leds_on', { count: lamps }) : null,
  ];
  return said.map((words) => (words === null ? '' : ` ${words}.`)).join('');
}

/** Perceived light behind a button, 0 to 1: a tenth of the power looks about a third as bright. */
export const perceivedLight = (level: number): string => Math.sqrt(Math.max(0, Math.min(255, level)) / 255).toFixed(2);

/** The LED, relays, buttons and their lights on the lower rim of the drawn panel. */
export function PanelHardware({ panel }: { readonly panel: SimulatedPanel }) {
  const { led } = panel;
  const colour = `rgb(${led.red},${led.green},${led.blue})`;
  return (
    <g>
      {has(panel, 'relays')
        ? panel.relays.map((on, index) => (
            <circle key={index} class={on ? 'relay-dot relay-on' : 'relay-dot'} cx={120 + index * 22} cy="436" r="5" />
          ))
        : null}
      {has(panel, 'led') ? (
        <g>
          <circle class="led-well" cx="360" cy="436" r="5" />
          {led.on ? <circle cx="360" cy="436" r="12" fill={colour} opacity="0.35" /> : null}
          {led.on ? <circle cx="360" cy="436" r="5" fill={colour} /> : null}
        </g>
      ) : null}
      {has(panel, 'buttons')
        ? panel.held.map((held, index) => (
            <g key={index}>
              <rect
                class={held ? 'front-button is-held' : 'front-button'}
                x={478 + index * 38}
                y="431"
                width="26"
                height="10"
                rx="5"
              />
              {has(panel, 'button_backlight') ? (
                <rect
                  class="front-light"
                  x={478 + index * 38}
                  y="431"
                  width="26"
                  height="10"
                  rx="5"
                  opacity={perceivedLight(panel.buttonBacklight)}
                />
              ) : null}
              {has(panel, 'button_leds') && panel.buttonLeds[index] === true ? (
                <circle class="front-lamp" cx={509.5 + index * 38} cy="436" r="3.5" />
              ) : null}
            </g>
          ))
        : null}
    </g>
  );
}
