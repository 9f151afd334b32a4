import type { JSX } from 'hono/jsx/jsx-runtime';
import type { StatusDocument } from '#machines/status.ts';
import { useContext } from 'hono/jsx';
import type { Children } from '../parts/children.ts';
import { Icon } from '../parts/icon.tsx';
import { hasKeyboard } from '../parts/keyboard.ts';
import { Kiosk } from '../parts/on-device.ts';
import { Live } from '../parts/live.tsx';
import { Obstacle } from '../parts/setup-obstacle.tsx';
import { ByPhone } from '../parts/setup-phone.tsx';
import { isPending, mayWait, type SetupStage, setupStages, stepIn } from '../parts/setup-steps.tsx';
import { Shell } from '../parts/shell.tsx';
import { t } from '../strings/t.ts';

/** What the setup page is drawn from, besides the status. */
export interface SetupFacts {
  readonly name: string;
  readonly panelId: string;
  /** True if the id follows a new name: the owner did not choose it, and no broker was entered. */
  readonly isIdFree: boolean;
  /** Current settings; "" if not set. */
  readonly homeAssistant: string;
  readonly broker: string;
  readonly brokerUser: string;
  /** Where a broker is expected on the machine of Home Assistant; "" while that is not known. */
  readonly brokerBeside: string;
  /** True if a broker password is stored. */
  readonly hasPassword: boolean;
  /** Path of the home dashboard ("" for the default one), and whether only its entities are loaded. */
  readonly dashboard: string;
  readonly isFiltered: boolean;
  /** Minutes of the idle return that are saved with a home dashboard; null if it stays as it is. */
  readonly returnMin: number | null;
  /** Display name of the signed-in user; null while unknown. */
  readonly user: string | null;
  /** This page's address for a phone; null without a network address. */
  readonly link: string | null;
}

/** What a step is drawn from. */
interface StepProps {
  readonly facts: SetupFacts;
  /** True if the reader can type on this page. */
  readonly types: boolean;
}

const Later = ({ stage }: { readonly stage: SetupStage }) => (
  <button type="button" class="button quiet" data-later={stage} disabled>
    {t('setup.later')}
  </button>
);

const Said = () => <p class="said" role="status" data-said></p>;

const Text = ({
  name,
  label,
  help,
  value,
  placeholder,
  type = 'text',
  maxlength,
  autocomplete = 'off',
  children,
}: {
  readonly name: string;
  readonly label: string;
  readonly help?: string;
  readonly value: string;
  readonly placeholder?: string;
  readonly type?: 'text' | 'url' | 'password';
  readonly maxlength: number;
  readonly autocomplete?: string;
  readonly children?: Children;
}) => (
  <div class="field" data-field={name}>
    <label class="label" for={`field-${name}`}>
      {label}
    </label>
    <span class="input-box">
      <input
        class="input"
        id={`field-${name}`}
        name={name}
        type={type}
        inputmode={type === 'url' ? 'url' : undefined}
        value={value}
        placeholder={placeholder}
        maxlength={maxlength}
        autocomplete={autocomplete}
        autocapitalize={type === 'text' && name === 'friendly_name' ? 'words' : 'none'}
        spellcheck={false}
        aria-describedby={`help-${name}`}
      />
      {type === 'password' ? (
        <button
          type="button"
          class="button icon-button eye"
          data-eye
          aria-label={t('form.secret_show', { label })}
          aria-pressed="false"
          disabled
        >
          <Icon name="mdi:eye-outline" />
        </button>
      ) : null}
    </span>
    {children}
    <p class="hint" id={`help-${name}`}>
      {help ?? ''}
    </p>
  </div>
);

const Identity = ({ facts }: { readonly facts: SetupFacts }) => (
  <form class="setup-form" data-save="identity" novalidate>
    <Text
      name="friendly_name"
      label={t('setup.identity.name')}
      help={t(facts.isIdFree ? 'setup.identity.help' : 'setup.identity.kept', { id: facts.panelId })}
      value={facts.name}
      maxlength={128}
    />
    <Said />
    <div class="setup-buttons">
      <button type="submit" class="button primary" disabled>
        {t('setup.continue')}
      </button>
      <button type="button" class="button" data-free-id="" hidden></button>
    </div>
  </form>
);

const SignInByPhone = () => (
  <div class="setup-form">
    <p>{t('setup.home_assistant.by_phone')}</p>
    <p class="hint">{t('sign.keyboard')}</p>
    <Said />
    <div class="setup-buttons">
      <Later stage="home_assistant" />
    </div>
  </div>
);

const SignInHere = ({ facts }: { readonly facts: SetupFacts }) => (
  <form class="setup-form" data-save="home_assistant" novalidate>
    <Text
      name="ha_url"
      type="url"
      label={t('setup.home_assistant.address')}
      help={t('setup.home_assistant.leads')}
      value={facts.homeAssistant}
      placeholder="http://homeassistant.local:8123"
      maxlength={2048}
    >
      <sconce-address data-take></sconce-address>
    </Text>
    <Said />
    <div class="setup-buttons">
      <button type="submit" class="button primary" disabled>
        {t('setup.home_assistant.sign_in')}
      </button>
      <Later stage="home_assistant" />
    </div>
    <p class="hint">
      {t('sign.account')} <a href="/configure/home-assistant#field-ha_token">{t('setup.home_assistant.token')}</a>
    </p>
  </form>
);

const HomeAssistant = ({ facts, types }: StepProps) => (types ? <SignInHere facts={facts} /> : <SignInByPhone />);

const Broker = ({ facts }: { readonly facts: SetupFacts }) => (
  <form class="setup-form" data-save="broker" novalidate autocomplete="off">
    <Text
      name="mqtt_broker"
      label={t('setup.broker.address')}
      help={t('setup.broker.help')}
      value={facts.broker}
      placeholder="mqtt://192.168.1.10:1883"
      maxlength={2048}
    >
      <sconce-address data-take></sconce-address>
    </Text>
    <Text name="mqtt_user" label={t('setup.broker.user')} value={facts.brokerUser} maxlength={256} />
    <Text
      name="mqtt_password"
      type="password"
      autocomplete="new-password"
      label={t('setup.broker.password')}
      help={t(facts.hasPassword ? 'setup.broker.password_kept' : 'setup.broker.password_help')}
      value=""
      maxlength={4096}
    />
    <Said />
    <div class="setup-buttons">
      <button type="submit" class="button primary" disabled>
        {t('setup.broker.connect')}
      </button>
      <Later stage="broker" />
    </div>
  </form>
);

const Renderer = () => (
  <div class="setup-form">
    <Said />
    <div class="setup-buttons">
      <button type="button" class="button" data-check disabled>
        {t('capabilities.check')}
      </button>
      <Later stage="renderer" />
    </div>
  </div>
);

const HomeDashboard = ({ facts: { returnMin } }: { readonly facts: SetupFacts }) => (
  <div class="setup-form">
    {returnMin === null ? null : (
      <p class="hint" data-returns>
        {t('setup.home_dashboard.returns', { count: returnMin })}
      </p>
    )}
    <div class="setup-choices" data-dashboards></div>
    <Said />
    <noscript>
      <a href="/configure/dashboard#field-home_dashboard">{t('setup.home_dashboard.configure')}</a>
    </noscript>
  </div>
);

const EntityFilter = () => (
  <div class="setup-form">
    <div class="setup-choices">
      <button type="button" class="button setup-choice" data-filter="true" disabled>
        <b>{t('setup.entity_filter.shown')}</b>
        <span class="hint">{t('setup.entity_filter.shown_help')}</span>
      </button>
      <button type="button" class="button setup-choice" data-filter="false" disabled>
        <b>{t('setup.entity_filter.all')}</b>
        <span class="hint">{t('setup.entity_filter.all_help')}</span>
      </button>
    </div>
    <Said />
  </div>
);

const bodies: Readonly<Record<SetupStage, (props: StepProps) => JSX.Element>> = {
  identity: Identity,
  home_assistant: HomeAssistant,
  broker: Broker,
  renderer: Renderer,
  home_dashboard: HomeDashboard,
  entity_filter: EntityFilter,
};

function StepCard({
  stage,
  number,
  status,
  facts,
  types,
}: StepProps & {
  readonly stage: SetupStage;
  readonly number: number;
  readonly status: StatusDocument;
}) {
  const Body = bodies[stage];
  return (
    <section
      class="card setup-step"
      id={`step-${stage}`}
      data-stage={stage}
      hidden={stepIn(status, stage)?.status === 'not_here'}
      aria-labelledby={`title-${stage}`}
    >
      <h2 class="setup-heading">
        <button type="button" class="setup-head" aria-expanded="true" aria-controls={`body-${stage}`}>
          <span class="setup-number" aria-hidden="true">
            {number}
          </span>
          <span class="setup-title" id={`title-${stage}`}>
            {t(`setup.title.${stage}`)}
            {stage === 'home_assistant' ? (
              <span class="setup-who" data-who>
                {facts.user === null ? '' : t('setup.signed_in_as', { name: facts.user })}
              </span>
            ) : null}
          </span>
          <Live part={`setup-mark-${stage}`} status={status} />
        </button>
      </h2>
      <div class="setup-body" id={`body-${stage}`}>
        <Live part={`setup-${stage}`} status={status} />
        <Body facts={facts} types={types} />
      </div>
    </section>
  );
}

/** The way to the device in Home Assistant, filled in by the script; the panel's own browser opens no other window. */
const ToDevice = () =>
  useContext(Kiosk) === 'elsewhere' ? (
    <a class="button primary" target="_blank" rel="noopener" data-device hidden>
      {t('setup.device')}
    </a>
  ) : null;

/** `/setup`: the steps from a new panel to a dashboard on the screen, one open at a time. */
export function SetupPage({ status, facts }: { readonly status: StatusDocument; readonly facts: SetupFacts }) {
  const onDevice = useContext(Kiosk) !== 'elsewhere';
  const types = !onDevice || hasKeyboard(status);
  return (
    <Shell status={status} page="setup">
      <p class="lead">{t(status.setup?.complete === true ? 'setup.lead_again' : 'setup.lead')}</p>
      <div class="setup-columns">
        <ByPhone link={facts.link} />
        <sconce-setup
          class="setup"
          data-name={facts.name}
          data-id={facts.panelId}
          data-address={facts.homeAssistant}
          data-broker={facts.broker}
          data-beside={facts.brokerBeside}
          data-home_dashboard={facts.dashboard}
          data-entity_filter={String(facts.isFiltered)}
          data-return={facts.returnMin ?? ''}
          data-keyboard={onDevice ? String(types) : undefined}
          data-free={facts.isIdFree && status.setup?.complete !== true ? '1' : '0'}
        >
          <Live part="setup-progress" status={status} />
          <Live part="setup-again" status={status} />
          <Obstacle status={status} />
          {setupStages.map((stage, index) => (
            <StepCard key={stage} stage={stage} number={index + 1} status={status} facts={facts} types={types} />
          ))}
          <section
            class={`card setup-finish${isPending(status) ? ' is-pending' : ''}`}
            id="step-finish"
            aria-labelledby="title-finish"
          >
            <Live part="setup-finish" status={status} />
            <p class="setup-entity" role="status" data-entity hidden></p>
            <div class="setup-buttons">
              <ToDevice />
              <a class="button" href="/" data-home>
                {t('setup.home')}
              </a>
              <Live part="setup-go" status={status} />
              <button type="button" class="button quiet" data-later="" disabled hidden={!mayWait(status)}>
                {t('setup.later_all')}
              </button>
            </div>
            <img class="setup-shot" alt={t('setup.shot')} data-shot hidden />
          </section>
        </sconce-setup>
      </div>
    </Shell>
  );
}
