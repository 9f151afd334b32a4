import { useContext } from 'hono/jsx';
import type { CallbackOutcome } from '#machines/sign-in/events.ts';
import type { StatusDocument } from '#machines/status.ts';
import { Icon } from '../parts/icon.tsx';
import { lacksKeyboard } from '../parts/lacks-keyboard.ts';
import { Kiosk } from '../parts/on-device.ts';
import { Shell } from '../parts/shell.tsx';
import { StateMark } from '../parts/state-mark.tsx';
import { addressFails, signInState } from '../parts/link-state.ts';
import { t } from '../strings/t.ts';

export interface SignInPageProps {
  readonly status: StatusDocument;
  /** Origin of Home Assistant; "" if not set. */
  readonly address: string;
  /** Display name of the signed-in user; null while unknown. */
  readonly name: string | null;
  /** Why a sign-in started at this address of the panel would fail; null if no reason is known. */
  readonly obstacle: string | null;
  /** Outcome of the attempt that led here; null on the page itself. */
  readonly outcome: CallbackOutcome | null;
  /** False during the setup, which continues after the sign-in. */
  readonly isSetUp: boolean;
}

const Outcome = ({ outcome, isSetUp }: { readonly outcome: CallbackOutcome; readonly isSetUp: boolean }) => (
  <section class={`card outcome outcome-${outcome}`} role="status" aria-labelledby="outcome-title">
    <h2 id="outcome-title">{t(`sign.outcome.${outcome}.title`)}</h2>
    <p>{t(outcome === 'signed-in' && !isSetUp ? 'sign.on_text' : `sign.outcome.${outcome}.text`)}</p>
    {outcome === 'signed-in' ? (
      <a class="button primary" href={isSetUp ? '/' : '/setup'}>
        {t(isSetUp ? 'sign.done' : 'sign.on')}
      </a>
    ) : null}
    {outcome === 'signed-in' && !isSetUp ? (
      <a class="button quiet" href="/">
        {t('sign.done')}
      </a>
    ) : null}
  </section>
);

/** The link to open elsewhere, and messages about a pending request; filled in by the script. */
const Aside = () => (
  <>
    <p class="said" role="status" data-said></p>
    <div class="command" data-link hidden></div>
  </>
);

const Address = () => (
  <form class="sign-form" data-address novalidate>
    <div class="sign-field" data-field="ha_url">
      <label class="label" for="sign-address">
        {t('sign.address')}
      </label>
      <span class="input-box">
        <input
          class="input"
          id="sign-address"
          name="ha_url"
          type="url"
          inputmode="url"
          autocomplete="off"
          autocapitalize="none"
          spellcheck={false}
          maxlength={2048}
          placeholder="http://homeassistant.local:8123"
          aria-describedby="help-ha_url"
        />
      </span>
      <p class="hint" id="help-ha_url">
        {t('sign.address_help')}
      </p>
    </div>
    <button type="submit" class="button primary big" disabled>
      {t('sign.continue')}
    </button>
    <Aside />
  </form>
);

const Begin = ({
  address,
  obstacle,
  fails,
}: {
  readonly address: string;
  readonly obstacle: string | null;
  /** True if the panel finds no Home Assistant there. */
  readonly fails: boolean;
}) => (
  <>
    {obstacle === null ? (
      <>
        <p class="refusal" role="status" data-unreachable hidden>
          <Icon name="mdi:alert" />
          <span></span>
        </p>
        <a class="button primary big" href="/configure/home-assistant#field-ha_url" data-correct hidden={!fails}>
          {t('links.correct')}
        </a>
        <button type="button" class={fails ? 'button' : 'button primary big'} data-begin disabled>
          {t('sign.continue')}
        </button>
        <button type="button" class="button" data-link-wanted hidden={fails} disabled>
          {t('sign.copy')}
        </button>
        <Aside />
      </>
    ) : (
      <div class="step">
        <h3 class="step-title">{t('sign.cannot')}</h3>
        <p>{obstacle}</p>
      </div>
    )}
    <p class="hint">
      {t('sign.address_now', { address })}{' '}
      <a href="/configure/home-assistant" data-change hidden={fails && obstacle === null}>
        {t('sign.address_change')}
      </a>
    </p>
    <p class="hint">{t('sign.account')}</p>
  </>
);

/** For the panel's own screen without a keyboard: only a phone can go on. */
const ByPhone = () => (
  <div class="sign-scan">
    <img src="/api/v1/ha/oauth/qr.svg" width={192} height={192} alt={t('links.sign_in_qr_label')} />
    <div class="sign-field">
      <p>{t('sign.by_phone')}</p>
      <p class="hint">{t('sign.keyboard')}</p>
    </div>
  </div>
);

function SignedIn({
  status,
  name,
  again,
  isNew,
}: {
  readonly status: StatusDocument;
  readonly name: string | null;
  readonly again: boolean;
  /** True right after the login: then only the user is shown. */
  readonly isNew: boolean;
}) {
  const signIn = status.sign_in;
  const user =
    name === null ? t('sign.in') : t(signIn?.method === 'long-lived' ? 'sign.in_token' : 'sign.in_as', { name });
  const role = signIn?.administrator ?? null;
  const line =
    role === null ? user : t('sign.in_role', { line: user, role: t(`links.administrator.${role ? 'yes' : 'no'}`) });
  return (
    <>
      <p class="sign-user" data-name>
        {line}
      </p>
      {isNew ? null : (
        <>
          {again ? (
            <button type="button" class="button" data-begin disabled>
              {t('sign.again')}
            </button>
          ) : null}
          <details class="fold" id="sign-out">
            <summary>
              <span class="fold-title">{t('sign.out')}</span>
            </summary>
            <div class="fold-body">
              <p>{t('sign.out_text')}</p>
              <button type="button" class="button" data-sign-out disabled>
                {t('sign.out_now')}
              </button>
            </div>
          </details>
          <Aside />
        </>
      )}
    </>
  );
}

/** `/sign-in`, the target of the QR code on the screen, and the page for each outcome of a sign-in. */
export function SignInPage({ status, address, name, obstacle, outcome, isSetUp }: SignInPageProps) {
  const signIn = status.sign_in;
  const byPhone = lacksKeyboard(status);
  const onDevice = useContext(Kiosk) !== 'elsewhere';
  return (
    <Shell status={status} page="sign-in" referrer={outcome === null ? 'same-origin' : 'no-referrer'}>
      <noscript>
        <p class="notice">{t('sign.no_script')}</p>
      </noscript>
      <sconce-sign-in
        class="sign-in"
        data-home={address}
        data-phase={signIn?.phase ?? ''}
        data-named={name === null ? '0' : '1'}
        data-keyboard={onDevice ? String(!byPhone) : undefined}
      >
        {signIn?.phase === 'signed-in' ? null : <p class="lead sign-lead">{t('sign.lead')}</p>}
        {outcome === null ? null : <Outcome outcome={outcome} isSetUp={isSetUp} />}
        <section class="card sign-card" aria-labelledby="sign-title">
          <div class="link-head">
            <h2 id="sign-title">{t('links.title')}</h2>
            {signIn?.phase === 'signed-in' ? null : <StateMark state={signInState(status)} />}
          </div>
          {signIn === null ? (
            <p>{t('sign.absent')}</p>
          ) : (signIn.phase === 'signed-in' && signInState(status) === 'working') ||
            (byPhone && !addressFails(status)) ? null : (
            <p data-detail class={signIn.phase === 'no-address' ? 'sign-spare' : undefined}>
              {signIn.detail}
            </p>
          )}
          {signIn === null ? null : signIn.phase === 'signed-in' ? (
            <SignedIn
              status={status}
              name={name}
              again={obstacle === null && !byPhone}
              isNew={outcome === 'signed-in'}
            />
          ) : byPhone ? (
            <ByPhone />
          ) : signIn.phase === 'no-address' ? (
            <Address />
          ) : (
            <Begin address={address} obstacle={obstacle} fails={addressFails(status)} />
          )}
        </section>
      </sconce-sign-in>
    </Shell>
  );
}
