import type { ProfileRow as Row } from '#machines/profile-catalog/listing.ts';
import { t } from '../strings/t.ts';
import type { Children } from './children.ts';
import { Icon } from './icon.tsx';
import { Shield, shieldedLabel } from './shield.tsx';
import { bytesPath } from './profile-words.ts';

const Fact = ({ name, children }: { readonly name: string; readonly children?: Children }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);

/** Maximum lines of a list drawn by the server; scripts show all. */
const mostLines = 2;

const Lines = ({ lines }: { readonly lines: readonly string[] }) => (
  <ul class="plain-list">
    {lines.map((line, index) => (
      <li key={index}>{line}</li>
    ))}
  </ul>
);

const Facts = ({ row, most }: { readonly row: Row; readonly most: number }) => (
  <dl class="facts">
    <Fact name={t('profiles.fact.id')}>
      <code>{row.id}</code> {row.version}
    </Fact>
    <Fact name={t('profiles.fact.revision')}>
      <code>{row.revision.slice(0, 12)}</code>
    </Fact>
    <Fact name={t('profiles.fact.maturity')}>{t(`profiles.maturity.${row.maturity}`)}</Fact>
    <Fact name={t('profiles.fact.matches')}>
      {row.matches_this_device ? t('profiles.matches') : t('profiles.matches_not')}
    </Fact>
    <Fact name={t('profiles.fact.author')}>{`${row.author} · ${row.license}`}</Fact>
    {row.drivers.length === 0 ? null : (
      <Fact name={t('profiles.fact.drivers')}>
        <code>{row.drivers.join(', ')}</code>
      </Fact>
    )}
    {row.tested_firmware.length === 0 ? null : (
      <Fact name={t('profiles.fact.tested')}>
        <Lines lines={row.tested_firmware.slice(0, most)} />
      </Fact>
    )}
    {row.limitations.length === 0 ? null : (
      <Fact name={t('profiles.fact.limitations')}>
        <Lines lines={row.limitations.slice(0, most)} />
      </Fact>
    )}
    {row.links.length === 0 ? null : (
      <Fact name={t('profiles.fact.links')}>
        <ul class="plain-list">
          {row.links.slice(0, most).map((link) => (
            <li key={link.url}>
              <a class="profile-link" href={link.url} rel="noopener noreferrer nofollow" target="_blank">
                {link.label}
              </a>
            </li>
          ))}
        </ul>
      </Fact>
    )}
  </dl>
);

const Action = (props: {
  readonly row: Row;
  readonly does: 'select' | 'open' | 'delete';
  readonly words: string;
  readonly label: string;
  readonly primary?: boolean;
  readonly children?: Children;
}) => (
  <button
    type="button"
    class={props.primary === true ? 'button primary' : 'button'}
    data-profile={props.does}
    data-id={props.row.id}
    data-revision={props.row.revision}
    aria-label={props.does === 'select' ? shieldedLabel(props.label) : props.label}
    disabled
  >
    {props.children}
    <span>{props.words}</span>
    {props.does === 'select' ? <Shield /> : null}
  </button>
);

function Actions({ row, resting, inUse }: { readonly row: Row; readonly resting: boolean; readonly inUse: boolean }) {
  const name = `${row.display_name} ${row.version}`;
  const edit = row.origin === 'bundled' ? t('profiles.fork') : t('profiles.edit');
  const kept =
    row.origin === 'bundled' || row.state === 'active' || row.state === 'pending' || row.state === 'last-known-good';
  return (
    <>
      {inUse || resting || row.state === 'pending' ? null : (
        <Action
          row={row}
          does="select"
          words={t('profiles.activate')}
          label={t('profiles.activate_label', { name })}
          primary={true}
        />
      )}
      <Action row={row} does="open" words={edit} label={`${edit}: ${name}`}>
        <Icon name="mdi:pencil-outline" size={20} />
      </Action>
      {kept ? null : (
        <Action row={row} does="delete" words={t('profiles.delete')} label={t('profiles.delete_label', { name })}>
          <Icon name="mdi:delete-outline" size={20} />
        </Action>
      )}
    </>
  );
}

/** The state of a revision; the list says once that its profiles are unconfirmed. */
function Standing({ row: { state, maturity } }: { readonly row: Row }) {
  if (state !== 'bundled') return <span class={`chip chip-${state}`}>{t(`profiles.state.${state}`)}</span>;
  return maturity === 'draft' ? null : <span class="chip chip-bundled">{t(`profiles.tested.${maturity}`)}</span>;
}

/**
 * One revision, to inspect, activate, edit, download or delete; controls that need scripts are drawn only with them
 * (`live`).
 */
export const ProfileRow = ({
  row,
  resting,
  inUse,
  live,
}: {
  readonly row: Row;
  readonly resting: boolean;
  readonly inUse: boolean;
  readonly live: boolean;
}) => (
  <li id={`profile-${row.revision.slice(0, 12)}`}>
    <details class="fold">
      <summary>
        <span class="fold-title">
          {row.display_name} <span class="hint">{row.version}</span>
        </span>
        <Standing row={row} />
      </summary>
      <div class="fold-body">
        <Facts row={row} most={live ? Infinity : mostLines} />
        <div class="profile-buttons">
          {live ? <Actions row={row} resting={resting} inUse={inUse} /> : null}
          <a
            class="button"
            href={bytesPath(row)}
            download={`${row.id}-${row.version}.yaml`}
            aria-label={`${t('profiles.download')}: ${row.display_name} ${row.version}`}
          >
            <Icon name="mdi:download" size={20} />
            <span>{t('profiles.download')}</span>
          </a>
        </div>
      </div>
    </details>
  </li>
);
