import type { StatusDocument } from '#machines/status.ts';
import { t } from '../strings/t.ts';
import { ConfirmBroker } from './confirm-broker.tsx';
import { Broker } from './links.tsx';
import { onThisPage } from './on-this-page.ts';
import { SignIn } from './sign-in.tsx';

/** Every part of the page of settings that follows the status, each beside the settings it belongs to. */
export const settingsParts = {
  broker: (status: StatusDocument, now: number) => (
    <>
      <Broker status={status} now={now} title={t('form.connection')} words={onThisPage} />
      <ConfirmBroker status={status} />
    </>
  ),
  'sign-in': (status: StatusDocument) => <SignIn status={status} words={onThisPage} />,
} as const;
