import type { SleepSources } from '#machines/auto-sleep/document.ts';
import { t } from '../strings/t.ts';

type Item = SleepSources['items'][number];

interface SensorsProps {
  readonly sources: SleepSources | null;
  readonly isLive: boolean;
}

function Row({ item, isLive }: { readonly item: Item; readonly isLive: boolean }) {
  const id = `sensor-${item.source_key.slice(0, 16)}`;
  return (
    <li class="room-sensor">
      <span class="room-row-name">
        <span id={id}>{item.name || item.entity_id}</span>
        <span class="hint">{item.entity_id}</span>
      </span>
      <span class="control-value">{item.included ? t(`room.sensors.${item.state}`) : t('room.sensors.left_out')}</span>
      <button
        type="button"
        class="switch"
        role="switch"
        aria-checked={item.included ? 'true' : 'false'}
        aria-labelledby={id}
        data-sensor={item.source_key}
        disabled={!isLive}
      ></button>
    </li>
  );
}

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
          {sources.items.map((item) => (
            <Row key={item.source_key} item={item} isLive={isLive} />
          ))}
        </ul>
        {unused(sources) === 0 ? null : <p class="hint">{t('room.sensors.more', { count: unused(sources) })}</p>}
      </div>
    )}
    <p class="said" role="status" data-said="sensors" data-keep></p>
  </section>
);
