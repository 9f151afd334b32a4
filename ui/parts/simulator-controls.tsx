import type { SimulatedPanel, SimulatedPart } from '#machines/simulator/events.ts';
import type { StatusDocument } from '#machines/status.ts';
import type { IconName } from '../icons.ts';
import { t } from '../strings/t.ts';
import { Icon } from './icon.tsx';
import { scaleOf, type ScaleName } from './simulator-scales.ts';

/** A switch: `touch` names its action, `on` is the state shown; it requests the opposite. */
export const Toggle = (props: {
  readonly id: string;
  readonly icon?: IconName;
  readonly label: string;
  readonly words: string;
  readonly on: boolean;
  readonly touch: string;
  readonly of?: string | number;
}) => (
  <div class="control-row">
    <span class="control-name">
      {props.icon === undefined ? null : <Icon name={props.icon} />}
      <span id={props.id}>{props.label}</span>
    </span>
    <span class="control-value">{props.words}</span>
    <button
      type="button"
      class="switch"
      role="switch"
      aria-checked={props.on ? 'true' : 'false'}
      aria-labelledby={props.id}
      data-sim={props.touch}
      data-of-part={props.of ?? ''}
      data-value={props.on ? 0 : 1}
      disabled
    ></button>
  </div>
);

/** A slider; if its part is unplugged, it says so instead of the value. */
export function Slider({
  name,
  panel,
  status,
}: {
  readonly name: ScaleName;
  readonly panel: SimulatedPanel;
  readonly status: StatusDocument;
}) {
  const scale = scaleOf(name);
  const at = scale.at(panel, status);
  const words = scale.part !== null && panel.unplugged.includes(scale.part) ? t('sim.unplugged') : scale.words(at);
  const id = `sim-${name}`;
  return (
    <div class="control-row">
      <label class="control-name" for={id}>
        <Icon name={scale.icon} />
        <span>{t(scale.label)}</span>
      </label>
      <output class="control-value" for={id} data-of={id}>
        {words}
      </output>
      <input
        type="range"
        class="range"
        id={id}
        min={scale.min}
        max={scale.max}
        step={scale.step}
        value={at}
        aria-valuetext={words}
        data-sim={name}
        disabled
      />
    </div>
  );
}

/** "unplugged" if `part` is, else `words`. */
export const pluggedWords = (panel: SimulatedPanel, part: SimulatedPart, words: string): string =>
  panel.unplugged.includes(part) ? t('sim.unplugged') : words;
