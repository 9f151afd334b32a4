import type { StatusDocument } from '#machines/status.ts';
import { t } from '../strings/t.ts';
import type { TitledCard } from './card.ts';
import { brokerState, homeAssistantState } from './link-state.ts';
import { Moment } from './moment.tsx';
import { Sentence } from './sentence.tsx';
import { SignIn } from './sign-in.tsx';
import { StateMark } from './state-mark.tsx';

/** The link to the broker: the word, one sentence, and the facts; a page may have its own title and words for it. */
export const Broker = ({
  status,
  now,
  title = t('links.broker'),
  words = (sentence) => sentence,
}: {
  readonly status: StatusDocument;
  readonly now: number;
  readonly title?: string;
  readonly words?: (sentence: string) => string;
}) => {
  const mqtt = status.mqtt;
  return (
    <div class="link">
      <div class="link-head">
        <h3>{title}</h3>
        <StateMark state={brokerState(status)} />
      </div>
      {mqtt === null ? (
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
          {mqtt.phase !== 'connected' && mqtt.attempt > 1 ? (
            <p class="hint">{t('links.attempt', { count: mqtt.attempt })}</p>
          ) : null}
        </div>
      )}
    </div>
  );
};

/** What Home Assistant sees of this panel. */
export const HomeAssistant = ({ status }: { readonly status: StatusDocument }) => {
  const gateway = status.platform;
  return (
    <div class="link">
      <div class="link-head">
        <h3>{t('links.home_assistant')}</h3>
        <StateMark state={homeAssistantState(status)} />
      </div>
      {gateway === null ? (
        <p>{t('links.absent')}</p>
      ) : (
        <div>
          <p>
            <Sentence text={gateway.detail} />
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
      )}
    </div>
  );
};

/** The way to Home Assistant: the broker, what is shown there, and the sign-in. */
export const Links = ({ status, now }: { readonly status: StatusDocument; readonly now: number }) => (
  <div class="links">
    <Broker status={status} now={now} />
    <HomeAssistant status={status} />
    <SignIn status={status} />
  </div>
);

/** The card of the way to Home Assistant; other pages draw the same links. */
export const linksCard = {
  name: 'links',
  title: 'links.title',
  beside: () => <a href="/configure#group-mqtt">{t('links.settings')}</a>,
  strings: [],
  draw: Links,
} as const satisfies TitledCard;
