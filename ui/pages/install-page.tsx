import type { StatusDocument } from '#machines/status.ts';
import { Command } from '../parts/command.tsx';
import type { JobDocument, RevisionDocument } from '../parts/install-documents.ts';
import { BackupForm, RestoreForm, SettingsFileForm } from '../parts/install-forms.tsx';
import { JobView } from '../parts/install-job.tsx';
import { RevisionsView } from '../parts/install-revisions.tsx';
import { Note } from '../parts/note.tsx';
import { Question } from '../parts/question.tsx';
import { Shell } from '../parts/shell.tsx';
import { t } from '../strings/t.ts';

export interface InstallPageProps {
  readonly status: StatusDocument;
  readonly job: JobDocument;
  readonly revisions: readonly RevisionDocument[];
  /** When the last backup was made; null if none was, or it is unknown. */
  readonly lastBackupAt: number | null;
  readonly isSignedIn: boolean;
}

const Software = ({ version }: { readonly version: string }) => (
  <section class="card" aria-labelledby="software-title">
    <h2 id="software-title">{t('install.software.title')}</h2>
    <p>{t('install.software.version', { version })}</p>
    <Command fix={{ command: 'git pull', effect: t('install.software.update') }} />
    <Command fix={{ command: 'sudo bin/sconce install', effect: t('install.software.install') }} />
    <p class="hint">{t('install.software.back')}</p>
    <div class="buttons">
      <a class="button" href="/about">
        {t('install.software.look')}
      </a>
    </div>
  </section>
);

/** `/install`: backups, earlier settings, and the software. */
export const InstallPage = ({ status, job, revisions, lastBackupAt, isSignedIn }: InstallPageProps) => (
  <Shell status={status} page="install">
    <p class="lead">{t('install.intro')}</p>
    <sconce-job>
      <JobView job={job} now={status.taken_at} reachable={true} silent={false} />
    </sconce-job>
    <div class="grid install">
      <BackupForm lastAt={lastBackupAt} isSignedIn={isSignedIn} now={status.taken_at} />
      <RestoreForm />
      <div class="stack">
        <section class="card" aria-labelledby="revisions-title">
          <h2 id="revisions-title">{t('install.revisions.title')}</h2>
          <p class="hint">{t('install.revisions.help')}</p>
          <sconce-revisions>
            <div data-revisions>
              <RevisionsView revisions={revisions} now={status.taken_at} />
            </div>
            <Note />
          </sconce-revisions>
        </section>
        <Software version={status.panel.version} />
      </div>
      <SettingsFileForm />
    </div>
    <Question id="install-question" />
  </Shell>
);
