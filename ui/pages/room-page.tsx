import type { LightHistory } from '#machines/auto-brightness/document.ts';
import type { BrightnessSettings } from '#machines/auto-brightness/events.ts';
import type { StatusDocument } from '#machines/status.ts';
import { Question } from '../parts/question.tsx';
import { RoomChart, RoomDays } from '../parts/room-chart.tsx';
import { RoomLevels } from '../parts/room-levels.tsx';
import { goesBySensors, RoomSleep, type RoomSleepProps } from '../parts/room-sleep.tsx';
import { RoomView, type RoomViewProps } from '../parts/room-view.tsx';
import { Shell } from '../parts/shell.tsx';
import { t } from '../strings/t.ts';

/** Buckets of one point that the server draws: half hours, 336 for a week. */
const SERVED_SIZE = 6;

export interface RoomPageProps {
  readonly status: StatusDocument;
  readonly room: Omit<RoomViewProps, 'isLive' | 'entity' | 'isSignedIn'>;
  readonly sleep: Pick<RoomSleepProps, 'doc' | 'sources' | 'now'>;
  readonly chosen: BrightnessSettings;
  /** The last seven days; null if they were not drawn. */
  readonly history: LightHistory | null;
}

const Week = ({ history, chosen }: Pick<RoomPageProps, 'history' | 'chosen'>) => (
  <section class="card stack" aria-labelledby="room-week">
    <h2 id="room-week">{t('room.week')}</h2>
    <div data-chart>
      <RoomChart history={history} size={SERVED_SIZE} />
    </div>
    <p class="hint">{t('room.preview_help')}</p>
    <RoomLevels chosen={chosen} />
    <div class="room-save" hidden data-save-bar>
      <p class="said" role="status" data-said="levels"></p>
      <button type="button" class="button" data-discard>
        {t('room.discard')}
      </button>
      <button type="button" class="button primary" data-save>
        {t('room.save')}
      </button>
    </div>
    <div data-days>
      <RoomDays history={history} />
    </div>
  </section>
);

/** Loaded and asked for when its button is pressed. */
const Last = () => (
  <section class="card stack" aria-labelledby="room-last">
    <h2 id="room-last">{t('room.last')}</h2>
    <p class="hint">{t('room.last.help')}</p>
    <div class="room-preference">
      <select class="input room-hours" aria-label={t('room.last.choose')}>
        {[6, 12, 24, 48].map((hours) => (
          <option key={hours} value={hours}>
            {t('room.last.hours', { count: hours })}
          </option>
        ))}
      </select>
      <button type="button" class="button" data-show disabled>
        {t('room.last.show')}
      </button>
    </div>
    <p class="said" role="status"></p>
    <div data-lanes></div>
  </section>
);

const Forget = () => (
  <section class="card stack" aria-labelledby="room-forget">
    <h2 id="room-forget">{t('room.learned')}</h2>
    <p class="hint">{t('room.learned_help')}</p>
    <p>
      <button type="button" class="button" data-forget disabled>
        {t('room.forget')}
      </button>
    </p>
    <p class="said" role="status" data-said="forget"></p>
  </section>
);

/** `/room`: what the screen does by itself, by the people and by the light of the room. */
export const RoomPage = ({ status, room, sleep, chosen, history }: RoomPageProps) => (
  <Shell status={status} page="room">
    <div class="stack">
      <sconce-room-sleep>
        <RoomSleep {...sleep} hasScreen={(status.screen?.lit ?? null) !== null} isLive={false} />
      </sconce-room-sleep>
      <sconce-room-last hidden={!goesBySensors(sleep.doc)}>
        <Last />
      </sconce-room-last>
      <sconce-room>
        <RoomView {...room} entity={null} isSignedIn={status.sign_in?.phase === 'signed-in'} isLive={false} />
      </sconce-room>
      <sconce-room-week class="stack">
        <Week history={history} chosen={chosen} />
        <Forget />
      </sconce-room-week>
    </div>
    <Question id="room-question" yes="danger" />
  </Shell>
);
