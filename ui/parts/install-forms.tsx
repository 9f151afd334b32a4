import { t } from '../strings/t.ts';
import { Icon } from './icon.tsx';
import { Moment } from './moment.tsx';
import { Note } from './note.tsx';
import { Shield } from './shield.tsx';

/** A passphrase with the button that shows it. `of` makes its ids unique. */
const Passphrase = ({ of, help }: { readonly of: string; readonly help: string }) => (
  <div class="field">
    <label class="label" for={`${of}-passphrase`}>
      {t('install.passphrase')}
    </label>
    <span class="input-box">
      <input
        class="input"
        id={`${of}-passphrase`}
        type="password"
        autocomplete={of === 'backup' ? 'new-password' : 'off'}
        maxlength={128}
        aria-describedby={`${of}-passphrase-help`}
      />
      <button
        type="button"
        class="button icon-button eye"
        data-eye
        aria-label={t('install.passphrase.show')}
        aria-pressed="false"
      >
        <Icon name="mdi:eye-outline" />
      </button>
    </span>
    <p class="hint" id={`${of}-passphrase-help`}>
      {help}
    </p>
  </div>
);

/** Makes a backup and saves it in the browser. */
export const BackupForm = ({
  lastAt,
  isSignedIn,
  now,
}: {
  /** When the last one was made; null if none was, or it is unknown. */
  readonly lastAt: number | null;
  readonly isSignedIn: boolean;
  readonly now: number;
}) => (
  <section class="card" aria-labelledby="backup-title">
    <h2 id="backup-title">{t('install.backup.title')}</h2>
    <p>{t('install.backup.help')}</p>
    <p class="hint">
      {lastAt === null ? (
        t('install.backup.never')
      ) : (
        <>
          {t('install.backup.last')} <Moment at={lastAt} now={now} />
        </>
      )}
    </p>
    <sconce-backup>
      <form class="stack">
        <Passphrase of="backup" help={`${t('install.passphrase.help')} ${t('install.passphrase.plain')}`} />
        {isSignedIn ? (
          <label class="check-row">
            <input type="checkbox" class="toggle" role="switch" id="backup-companion" checked />
            <span>{t('install.backup.companion')}</span>
          </label>
        ) : null}
        <p class="hint">{t('install.clear')}</p>
        <Note />
        <div class="buttons">
          <button type="submit" class="button primary" disabled>
            <Icon name="mdi:download" size={20} />
            <span>{t('install.backup.do')}</span> <Shield />
          </button>
          <button type="button" class="button quiet" data-plain disabled>
            {t('install.backup.plain')} <Shield />
          </button>
        </div>
      </form>
    </sconce-backup>
  </section>
);

/** Shows what a backup would change, then restores it. */
export const RestoreForm = () => (
  <section class="card" aria-labelledby="restore-title">
    <h2 id="restore-title">{t('install.restore.title')}</h2>
    <p>{t('install.restore.help')}</p>
    <sconce-restore>
      <form class="stack">
        <div class="field">
          <label class="label" for="restore-file">
            {t('install.restore.file')}
          </label>
          <input
            class="input file"
            id="restore-file"
            type="file"
            accept=".hpb,.zip"
            aria-describedby="restore-file-help"
          />
          <p class="hint" id="restore-file-help">
            {t('install.restore.file_help')}
          </p>
        </div>
        <Passphrase of="restore" help={t('install.restore.passphrase_help')} />
        <div class="field">
          <label class="check-row">
            <input
              type="checkbox"
              class="toggle"
              role="switch"
              id="restore-replaces"
              aria-describedby="replaces-help"
            />
            <span>{t('install.restore.replaces')}</span>
          </label>
          <p class="hint" id="replaces-help">
            {t('install.restore.replaces_help')}
          </p>
        </div>
        <p class="hint">{t('install.clear')}</p>
        <div data-preview></div>
        <Note />
        <div class="buttons">
          <button type="submit" class="button" disabled>
            {t('install.restore.look')}
          </button>
          <button type="button" class="button primary" data-restore hidden>
            {t('install.restore.do')} <Shield />
          </button>
        </div>
      </form>
    </sconce-restore>
  </section>
);

/** Saves the settings as a file, and imports one. */
export const SettingsFileForm = () => (
  <section class="card" aria-labelledby="file-title">
    <h2 id="file-title">{t('install.file.title')}</h2>
    <p>{t('install.file.help')}</p>
    <div class="buttons">
      <a class="button" href="/api/v1/config/export" download>
        <Icon name="mdi:download" size={20} />
        <span>{t('install.file.export')}</span>
      </a>
    </div>
    <sconce-settings-file>
      <form class="stack">
        <div class="buttons">
          <button type="button" class="button quiet" data-export disabled aria-describedby="export-help">
            {t('install.file.export_secrets')} <Shield />
          </button>
        </div>
        <p class="hint" id="export-help">
          {t('install.file.secrets_help')}
        </p>
        <div class="field">
          <label class="label" for="settings-file">
            {t('install.file.choose')}
          </label>
          <input class="input file" id="settings-file" type="file" accept=".json,application/json" />
        </div>
        <label class="check-row">
          <input type="checkbox" class="toggle" role="switch" id="file-fleet" />
          <span>{t('install.file.fleet')}</span>
        </label>
        <div data-preview></div>
        <Note />
        <div class="buttons">
          <button type="submit" class="button" disabled>
            {t('install.file.look')}
          </button>
          <button type="button" class="button primary" data-import hidden>
            {t('install.file.do')} <Shield />
          </button>
        </div>
      </form>
    </sconce-settings-file>
  </section>
);
