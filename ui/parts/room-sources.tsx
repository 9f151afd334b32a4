import type { LightSources } from '#machines/auto-brightness/document.ts';
import { t } from '../strings/t.ts';
import { ago } from '../strings/times.ts';
import { Icon } from './icon.tsx';
import { luxWords } from './room-words.ts';

export interface RoomSourcesProps {
  /** The chosen entity; null for the panel's own sensor. */
  readonly chosen: string | null;
  /** What the panel's own sensor reads; null if it has none. */
  readonly own: { readonly lux: number | null } | null;
  readonly isSignedIn: boolean;
  /** Null while Home Assistant is asked. */
  readonly sources: LightSources | null;
  /** The search, in lower case. */
  readonly q: string;
  readonly now: number;
}

type Item = LightSources['items'][number];

/** From how many sensors on there is a search. */
const SEARCHED_FROM = 8;

const Row = (props: {
  readonly id: string;
  readonly name: string;
  readonly words: string;
  readonly isChosen: boolean;
}) => (
  <li>
    <button type="button" class="room-row" data-source={props.id} aria-pressed={props.isChosen ? 'true' : 'false'}>
      <Icon name={props.isChosen ? 'mdi:check-circle' : 'mdi:circle-outline'} />
      <span class="room-row-name">
        {props.name}
        {props.id === '' ? null : <span class="hint">{props.id}</span>}
      </span>
      <span class="control-value">{props.isChosen ? `${t('room.in_use')} · ${props.words}` : props.words}</span>
    </button>
  </li>
);

const valueOf = (lux: number | null): string => (lux === null ? t('room.no_reading') : luxWords(lux));

function readingOf({ currentLux: lux, lastUpdatedEpochMs: at }: Item, now: number): string {
  if (lux === null) return t('room.no_reading');
  return at === null ? luxWords(lux) : t('room.reading', { lux: luxWords(lux), ago: ago(at, now) });
}

function Asked({ isSignedIn, sources }: RoomSourcesProps) {
  if (!isSignedIn)
    return (
      <p>
        <a href="/sign-in">{t('room.sign_in')}</a>
      </p>
    );
  if (sources === null) return <p class="hint">{t('room.sources_asking')}</p>;
  if (!sources.available) return <p class="hint">{t('room.sources_away')}</p>;
  return sources.items.length === 0 ? <p class="hint">{t('room.sources_none')}</p> : null;
}

/** The sensors to choose from, with what each reads. */
export function RoomSources(props: RoomSourcesProps) {
  const { chosen, own, sources, q, now } = props;
  const items = sources?.items ?? [];
  const found = items.filter(({ entityId, friendlyName }) => `${entityId} ${friendlyName}`.toLowerCase().includes(q));
  return (
    <>
      {items.length < SEARCHED_FROM ? null : (
        <p>
          <label class="label" for="room-q">
            {t('room.sources_search')}
          </label>
          <input type="search" class="input" id="room-q" data-keep autocomplete="off" />
          <span class="hint" role="status">
            {t('room.sources_found', { count: found.length })}
          </span>
        </p>
      )}
      <ul class="room-rows">
        {own === null ? null : <Row id="" name={t('room.own')} words={valueOf(own.lux)} isChosen={chosen === null} />}
        {found.map((item) => (
          <Row
            key={item.entityId}
            id={item.entityId}
            name={item.friendlyName || item.entityId}
            words={readingOf(item, now)}
            isChosen={item.entityId === chosen}
          />
        ))}
      </ul>
      <Asked {...props} />
    </>
  );
}
