import type { Section } from '#machines/status/compare.ts';
import { t } from '../strings/t.ts';
import { addressFails, signInState } from './link-state.ts';
import { StateMark } from './state-mark.tsx';
import type { Sections } from './sections.ts';

/** Where the QR code is drawn; it opens the sign-in page at an address that a phone can reach. */
const codePath = '/api/v1/ha/oauth/qr.svg';

interface SignInProps<R extends Section = 'sign_in'> {
  readonly status: Sections<R>;
  /** A page may reword the sentence. */
  readonly words?: (sentence: string) => string;
}

/** One sentence about the sign-in, and the link to its page. */
export function SignInFacts({ status, words = (sentence) => sentence }: SignInProps) {
  const { sign_in: signIn } = status;
  if (signIn === null) return <p>{t('links.absent')}</p>;
  const fails = addressFails(status);
  const needed = signIn.phase === 'needed' || signIn.phase === 'pending' || signIn.phase === 'refused';
  return (
    <div>
      <p>{words(signIn.detail)}</p>
      {signIn.phase !== 'signed-in' ? null : (
        <dl class="facts">
          {signIn.method === null ? null : (
            <div>
              <dt>{t('links.method')}</dt>
              <dd>{t(`links.method.${signIn.method}`)}</dd>
            </div>
          )}
          {signIn.administrator === null ? null : (
            <div>
              <dt>{t('links.administrator')}</dt>
              <dd>{t(`links.administrator.${signIn.administrator ? 'yes' : 'no'}`)}</dd>
            </div>
          )}
        </dl>
      )}
      {needed ? (
        <div class="scan">
          {fails ? null : (
            <img src={codePath} width={128} height={128} alt={t('links.sign_in_qr_label')} loading="lazy" />
          )}
          <div class="scan-words">
            <a class="button primary" href={fails ? '/configure/home-assistant#field-ha_url' : '/sign-in'}>
              {t(fails ? 'links.correct' : 'links.sign_in_open')}
            </a>
            {fails ? <a href="/sign-in">{t('links.sign_in_open')}</a> : <p class="hint">{t('links.sign_in_qr')}</p>}
          </div>
        </div>
      ) : (
        <p class="hint">
          <a href="/sign-in">{t(signIn.phase === 'signed-in' ? 'links.sign_in_see' : 'links.sign_in_open')}</a>
        </p>
      )}
    </div>
  );
}

/** The sign-in to Home Assistant: state, one sentence, and the link to its page. */
export const SignIn = (props: SignInProps<'sign_in' | 'capabilities'>) => (
  <div class="link">
    <div class="link-head">
      <h2>{t('links.sign_in')}</h2>
      <StateMark state={signInState(props.status)} />
    </div>
    <SignInFacts {...props} />
  </div>
);
