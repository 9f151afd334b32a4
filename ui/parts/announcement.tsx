import type { StatusDocument } from '#machines/status.ts';
import { t } from '../strings/t.ts';
import { Icon } from './icon.tsx';
import { Moment } from './moment.tsx';

/** What the announcement player is doing, and why the last announcement was not heard. */
export const Announcement = ({
  announcement,
  now,
}: {
  readonly announcement: StatusDocument['announcement'];
  readonly now: number;
}) =>
  announcement === null ? null : (
    <div class="control-body" data-announcement={announcement.phase}>
      <div class="control-row">
        <span class="control-name">
          <Icon name="bullhorn-outline" />
          <span>{t('controls.announcements')}</span>
        </span>
        <span class="control-value">{t(`controls.announcement.${announcement.phase}`)}</span>
      </div>
      {announcement.phase !== 'failed' || announcement.started_at === null ? null : (
        <p class="hint warn">
          {announcement.detail} <Moment at={announcement.started_at} now={now} />
        </p>
      )}
    </div>
  );
