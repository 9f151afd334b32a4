import { t } from '../strings/t.ts';
import { ConfirmBroker } from './confirm-broker.tsx';
import { Broker } from './links.tsx';
import { onThisPage } from './on-this-page.ts';
import type { DrawnPart } from './sections.ts';
import { SignIn } from './sign-in.tsx';

const ofBroker = ['mqtt', 'capabilities', 'panel'] as const;
const ofSignIn = ['sign_in', 'capabilities'] as const;

/** Every part of a settings page that follows the status, each beside its settings. */
export const settingsParts = {
  broker: {
    reads: ofBroker,
    draw: ({ status, now }) => (
      <>
        <Broker status={status} now={now} title={t('form.connection')} words={onThisPage} />
        <ConfirmBroker status={status} />
      </>
    ),
  } satisfies DrawnPart<typeof ofBroker>,
  'sign-in': {
    reads: ofSignIn,
    draw: ({ status }) => <SignIn status={status} words={onThisPage} />,
  } satisfies DrawnPart<typeof ofSignIn>,
} as const;
