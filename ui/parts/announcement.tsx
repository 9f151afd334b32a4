import type { StatusDocument } from '#machines/status.ts';
import { t } from '../strings/t.ts';
import { Moment } from './moment.tsx';

/** What the announcement player is doing, or when it last played and why that failed; nothing before the first. */
export const Announcement = ({
  announcement,
  now,
}: {
  readonly announcement: StatusDocument['announcement'];
  readonly now: number;
}) =>
  announcement === null || announcement.started_at === null ? null : (
    <p
      class={announcement.phase === 'failed' ? 'said refused' : 'said'}
      role="status"
      data-announcement={announcement.phase}
    >
      {t(`controls.announcement.${announcement.phase}`)}
      {announcement.phase === 'failed' ? ` ${announcement.detail}` : ''}
      {announcement.phase === 'idle' || announcement.phase === 'failed' ? ' ' : ''}
      {announcement.phase === 'idle' || announcement.phase === 'failed' ? (
        <Moment at={announcement.started_at} now={now} />
      ) : null}
    </p>
  );
