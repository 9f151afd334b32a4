import type { BrightnessSettings } from '#machines/auto-brightness/events.ts';
import type { StringKey } from '../strings/t.ts';
import { t } from '../strings/t.ts';

/** The sliders by their setting, with their bounds. */
export const roomSliders = [
  { name: 'auto_brightness_minimum_percent', of: 'minimumPercent', query: 'minimum_percent', min: 4, max: 99 },
  { name: 'auto_brightness_maximum_percent', of: 'maximumPercent', query: 'maximum_percent', min: 5, max: 100 },
  { name: 'auto_brightness_response_percent', of: 'responsePercent', query: 'sensitivity', min: 0, max: 100 },
] as const;

const words: Readonly<Record<keyof BrightnessSettings, readonly [label: StringKey, help: StringKey]>> = {
  minimumPercent: ['room.minimum', 'room.minimum_help'],
  maximumPercent: ['room.maximum', 'room.maximum_help'],
  responsePercent: ['room.response', 'room.response_help'],
};

/** The sliders that are previewed in the chart before they are saved. */
export const RoomLevels = ({ chosen }: { readonly chosen: BrightnessSettings }) => (
  <div class="room-levels">
    {roomSliders.map(({ name, of, min, max }) => {
      const [label, help] = words[of];
      return (
        <div key={name} class="room-level">
          <label class="label" for={name}>
            {t(label)}
          </label>
          <output class="control-value" for={name} data-of={name}>
            {`${chosen[of]} %`}
          </output>
          <input
            type="range"
            class="range"
            id={name}
            name={name}
            min={min}
            max={max}
            step="1"
            value={chosen[of]}
            aria-describedby={`${name}-help`}
            disabled
          />
          <p class="hint" id={`${name}-help`}>
            {t(help)}
          </p>
        </div>
      );
    })}
  </div>
);
