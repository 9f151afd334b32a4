import type { JSX } from 'hono/jsx/jsx-runtime';
import type { Section } from '#machines/status/compare.ts';
import { t, type StringKey } from '../strings/t.ts';
import { since } from '../strings/times.ts';
import type { BareCard, CardProps } from './card.ts';
import { Command } from './command.tsx';
import { brokerState, needsNoBroker, rowWord } from './link-state.ts';
import { Moment } from './moment.tsx';
import { isNext } from './next-step.ts';
import { Sentence } from './sentence.tsx';
import { SignInFacts } from './sign-in.tsx';
import { StateMark } from './state-mark.tsx';
import type { Sections } from './sections.ts';

const reads = ['mqtt', 'companion', 'platform', 'home_presence', 'sign_in', 'capabilities', 'next', 'setup'] as const;

interface LinkProps<R extends Section> extends CardProps<readonly R[]> {
  /** A page may reword the sentence. */
  readonly words?: (sentence: string) => string;
}

const asTheyAre = (sentence: string): string => sentence;

/** One sentence about the broker connection, and its facts. */
const BrokerFacts = ({ status: { mqtt }, now, words = asTheyAre }: LinkProps<'mqtt'>) =>
  mqtt === null ? (
    <p>{t('links.absent')}</p>
  ) : (
    <div>
      <p>
        <Sentence text={words(mqtt.detail)} />
      </p>
      <dl class="facts">
        {mqtt.source === 'none' ? null : (
          <div>
            <dt>{t('links.source')}</dt>
            <dd>{t(`links.source.${mqtt.source}`)}</dd>
          </div>
        )}
        {mqtt.protocol === null ? null : (
          <div>
            <dt>{t('links.protocol')}</dt>
            <dd>{t('links.protocol_value', { version: mqtt.protocol })}</dd>
          </div>
        )}
        {mqtt.phase === 'connected' && mqtt.connected_at !== null ? (
          <div>
            <dt>{t('links.since')}</dt>
            <dd>
              <Moment at={mqtt.connected_at} now={now} />
            </dd>
          </div>
        ) : null}
      </dl>
      {mqtt.phase === 'connected' || mqtt.failing_since === null ? null : (
        <p class="hint">{t('links.trying', { time: since(mqtt.failing_since, now) })}</p>
      )}
    </div>
  );

/** The broker connection: state, one sentence and facts; a page may give its own title. */
export const Broker = ({
  title = t('links.broker'),
  ...props
}: LinkProps<'mqtt' | 'capabilities'> & { readonly title?: string }) => (
  <div class="link">
    <div class="link-head">
      <h2>{title}</h2>
      <StateMark state={brokerState(props.status)} />
    </div>
    <BrokerFacts {...props} />
  </div>
);

export function HomeAssistant({ status }: { readonly status: Sections<'platform' | 'home_presence'> }) {
  const { platform: gateway, home_presence: presence } = status;
  return gateway === null || presence === null ? (
    <p>{t('links.absent')}</p>
  ) : (
    <div>
      <p>
        <Sentence text={presence.detail} />
      </p>
      {gateway.announced.length === 0 ? null : (
        <details class="plain-fold" id="announced">
          <summary>{t('links.entities', { count: gateway.announced.length })}</summary>
          <ul class="chips">
            {gateway.announced.map((entity) => (
              <li key={entity.key} class="chip">
                <code>{`${entity.platform}.…_${entity.key}`}</code>
              </li>
            ))}
          </ul>
        </details>
      )}
      {Object.keys(gateway.refused).length === 0 ? null : (
        <p class="hint warn">{t('links.refused', { count: Object.keys(gateway.refused).length })}</p>
      )}
      {gateway.due === 0 ? null : <p class="hint">{t('links.due', { count: gateway.due })}</p>}
    </div>
  );
}

type RowProps = LinkProps<'mqtt' | 'companion' | 'platform' | 'home_presence' | 'sign_in'>;

interface LinkRow {
  /** Id of its capability. */
  readonly id: string;
  readonly title: StringKey;
  readonly facts: (props: RowProps) => JSX.Element;
}

const rows: readonly LinkRow[] = [
  {
    id: 'mqtt',
    title: 'links.broker',
    facts: ({ status, now }) => (
      <>
        <BrokerFacts status={status} now={now} />
        <p class="hint">
          {status.companion?.surface === 'native' ? (
            <a href="/companion">{t('page.companion')}</a>
          ) : (
            <a href="/configure/mqtt">{t('links.settings')}</a>
          )}
        </p>
      </>
    ),
  },
  { id: 'platform', title: 'links.home_assistant', facts: ({ status }) => <HomeAssistant status={status} /> },
  { id: 'sign-in', title: 'links.sign_in', facts: ({ status }) => <SignInFacts status={status} /> },
];

/** The links that this panel uses. */
const rowsOf = (status: Sections<'capabilities'>): readonly LinkRow[] =>
  rows.filter(({ id }) => id !== 'mqtt' || !needsNoBroker(status));

/** What the card is drawn from. */
type AllProps = CardProps<typeof reads>;

/** If everything works: one line, which opens to the rest. */
const AllWell = (props: AllProps) => (
  <details class="fold" id="links-working">
    <summary>
      <h2 class="fold-title" id="links-title">
        {t('links.title')}
      </h2>
      <StateMark state="working" />
    </summary>
    <div class="fold-body">
      {rowsOf(props.status).map(({ id, title, facts }) => (
        <div key={id} class="link" id={`capability-${id}`}>
          <h3>{t(title)}</h3>
          {facts(props)}
        </div>
      ))}
    </div>
  </details>
);

const InRows = ({ status, now }: AllProps) => (
  <div>
    <h2 id="links-title">{t('links.title')}</h2>
    {rowsOf(status).map(({ id, title, facts }) => {
      const row = status.capabilities.find((one) => one.id === id);
      return (
        <details
          key={id}
          class="fold"
          id={`capability-${id}`}
          open={row?.state === 'needs_you' && !isNext(status, row)}
        >
          <summary>
            <h3 class="fold-title">{t(title)}</h3>
            <StateMark state={rowWord(status, id)} />
          </summary>
          <div class="fold-body">
            {facts({ status, now })}
            {row?.fix == null ? null : <Command fix={row.fix} />}
          </div>
        </details>
      );
    })}
  </div>
);

/** The links to Home Assistant: the broker, the entities, and the sign-in; one line if all three work. */
export const Links = ({ status, now }: AllProps) =>
  rowsOf(status).every(({ id }) => rowWord(status, id) === 'working') ? (
    <AllWell status={status} now={now} />
  ) : (
    <InRows status={status} now={now} />
  );

/** The card of the links to Home Assistant; other pages draw the same links. */
export const linksCard = {
  name: 'links',
  reads,
  labelledBy: 'links-title',
  draw: Links,
} as const satisfies BareCard<typeof reads>;
