import type { CompanionDocument } from '#machines/companion/document.ts';
import { t } from '../strings/t.ts';
import { Moment } from './moment.tsx';
import { Note } from './note.tsx';
import { StateMark, type StateWord } from './state-mark.tsx';

/** The verdict on the connection. */
export interface CompanionVerdict {
  readonly state: StateWord;
  /** One sentence; "" without one. */
  readonly detail: string;
}

export interface CompanionProps {
  readonly companion: CompanionDocument;
  readonly verdict: CompanionVerdict | null;
  /** The moment of drawing (epoch milliseconds). */
  readonly now: number;
  /** True in a browser: its buttons need the script. */
  readonly isLive?: boolean;
}

type Client = CompanionDocument['clients'][number];

/** What is under way, or the way that is in force. */
const Sentences = ({ companion: { surface, moving, pairing } }: Pick<CompanionProps, 'companion'>) => (
  <>
    <p>
      {t(
        surface === 'native'
          ? 'companion.way.native'
          : surface === 'mqtt'
            ? 'companion.way.mqtt'
            : 'companion.way.unknown',
      )}
    </p>
    {moving === null ? null : <p>{t(`companion.step.${moving.step}`)}</p>}
    {pairing.state === 'none' ? null : <p>{t('companion.asking')}</p>}
  </>
);

function connectionOf({ connected, phase, version }: Client): string {
  if (!connected) return t('companion.never');
  return phase === 'starting' || phase === 'stopping'
    ? t(`companion.connected.${phase}`)
    : t('companion.connected', { version: version ?? '' });
}

const Paired = ({
  client,
  now,
  isLive,
}: {
  readonly client: Client;
  readonly now: number;
  readonly isLive: boolean;
}) => (
  <li class="companion-client" data-control>
    <h3>{client.name}</h3>
    <dl class="facts">
      <div>
        {client.connected || client.used_at === null ? (
          <>
            <dt>{t('companion.state')}</dt>
            <dd>{connectionOf(client)}</dd>
          </>
        ) : (
          <>
            <dt>{t('companion.last')}</dt>
            <dd>
              <Moment at={client.used_at} now={now} />
            </dd>
          </>
        )}
      </div>
      <div>
        <dt>{t('companion.since')}</dt>
        <dd>
          <Moment at={client.paired_at} now={now} />
        </dd>
      </div>
    </dl>
    <button
      type="button"
      class="button"
      data-revoke={client.key_id}
      data-name={client.name}
      aria-label={t('companion.revoke_label', { name: client.name })}
      disabled={!isLive}
    >
      {t('companion.revoke')}
    </button>
    <Note />
  </li>
);

interface MoveProps extends Pick<CompanionProps, 'companion'> {
  readonly isLive: boolean;
}

/** The button that moves the entities to the other way, and what it needs. */
function Move({ companion: { surface, clients, moving }, isLive }: MoveProps) {
  const to = surface === 'native' ? 'mqtt' : 'native';
  const isPossible = to === 'mqtt' || clients.some(({ connected }) => connected);
  return (
    <section class="card" aria-labelledby="companion-move" data-control>
      <h2 id="companion-move">{t('companion.move')}</h2>
      <p>{t(isPossible ? `companion.move_help.${to}` : 'companion.move_help.pair')}</p>
      {isPossible ? (
        <button
          type="button"
          class="button"
          data-move={to}
          disabled={!isLive}
          aria-disabled={moving === null ? undefined : 'true'}
        >
          {t(`companion.move.${to}`)}
        </button>
      ) : null}
      <Note />
    </section>
  );
}

const Stays = ({ topics }: { readonly topics: readonly string[] }) => (
  <section class="card" aria-labelledby="companion-stays">
    <h2 id="companion-stays">{t('companion.stays')}</h2>
    <p>{t('companion.stays_help')}</p>
    <ul class="companion-topics">
      {topics.map((topic) => (
        <li key={topic}>
          <code>{topic}</code>
        </li>
      ))}
    </ul>
  </section>
);

/** Who is paired, how the entities reach Home Assistant, and what changes it. */
export const CompanionView = ({ companion, verdict, now, isLive = false }: CompanionProps) => (
  <div class="stack">
    <section class="card" aria-labelledby="companion-now">
      <div class="card-head">
        <h2 id="companion-now">{t('companion.now')}</h2>
        {verdict === null ? null : <StateMark state={verdict.state} />}
      </div>
      <Sentences companion={companion} />
      {verdict === null || verdict.detail === '' ? null : <p class="hint">{verdict.detail}</p>}
    </section>
    <section class="card" aria-labelledby="companion-paired">
      <h2 id="companion-paired">{t('companion.paired')}</h2>
      {companion.clients.length === 0 ? (
        <p>{t('companion.none')}</p>
      ) : (
        <ul class="companion-clients">
          {companion.clients.map((client) => (
            <Paired key={client.key_id} client={client} now={now} isLive={isLive} />
          ))}
        </ul>
      )}
    </section>
    {companion.surface === null ? null : <Move companion={companion} isLive={isLive} />}
    {companion.stays.length === 0 ? null : <Stays topics={companion.stays} />}
  </div>
);
