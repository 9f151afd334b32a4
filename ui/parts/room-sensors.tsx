import type { SleepSources } from '#machines/auto-sleep/document.ts';
import { t } from '../strings/t.ts';

interface SensorsProps {
  readonly sources: SleepSources | null;
  readonly isLive: boolean;
}

interface RowProps {
  readonly item: SleepSources['items'][number];
  /** Of the name, which labels the switch. */
  readonly id: string;
  readonly isLive: boolean;
}

/** A sensor; its switch, which needs scripts, is not among what is served. */
const Row = ({ item, id, isLive }: RowProps) => (
  <li class="room-sensor">
    <span class="room-row-name">
      <span id={isLive ? id : undefined}>{item.name || item.entity_id}</span>
      <span class="hint">{item.entity_id}</span>
    </span>
    <span class="control-value">{t(`room.sensors.${item.included ? item.state : 'left_out'}`)}</span>
    {isLive ? (
      <button
        type="button"
        class="switch"
        role="switch"
        aria-checked={item.included ? 'true' : 'false'}
        aria-labelledby={id}
        data-sensor={item.source_key}
      ></button>
    ) : null}
  </li>
);

const unused = ({ items, total }: SleepSources): number => Math.max(0, total - items.length);

/** The sensors of the panel's area, with what each reports and whether it counts. */
export const RoomSensors = ({ sources, isLive }: SensorsProps) => (
  <section class="card stack" aria-labelledby="room-sensors">
    <h2 id="room-sensors">{t('room.sensors')}</h2>
    {sources === null ? (
      <p class="hint">{t('room.sensors.unknown')}</p>
    ) : (
      <div class="room-more">
        <p class="hint">{t('room.sensors.in', { area: sources.area_name })}</p>
        {sources.items.length === 0 ? <p>{t('room.sensors.none')}</p> : null}
        <ul class="room-rows">
          {sources.items.map((item, index) => (
            <Row key={item.source_key} item={item} id={`room-sensor-${index}`} isLive={isLive} />
          ))}
        </ul>
        {unused(sources) === 0 ? null : <p class="hint">{t('room.sensors.more', { count: unused(sources) })}</p>}
      </div>
    )}
    <p class="said" role="status" data-said="sensors" data-keep></p>
  </section>
);
