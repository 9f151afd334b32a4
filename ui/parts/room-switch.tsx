import { t } from '../strings/t.ts';

interface RoomSwitchProps {
  readonly id: string;
  readonly label: string;
  readonly isOn: boolean;
  readonly isLive: boolean;
  /** The attribute by which its script finds it. */
  readonly mark: 'data-room' | 'data-sleep';
}

/** A switch of the page `/room` that saves its setting; without scripts it only shows it. */
export const RoomSwitch = ({ id, label, isOn, isLive, mark }: RoomSwitchProps) => (
  <div class="control-row">
    <span class="control-name" id={id}>
      {label}
    </span>
    <span class="control-value">{t(isOn ? 'controls.on' : 'controls.off')}</span>
    <button
      type="button"
      class="switch"
      role="switch"
      aria-checked={isOn ? 'true' : 'false'}
      aria-labelledby={id}
      {...{ [mark]: 'switch' }}
      disabled={!isLive}
    ></button>
  </div>
);
