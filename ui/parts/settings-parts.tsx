import type { StatusDocument } from '#machines/status.ts';
import { ConfirmBroker } from './confirm-broker.tsx';
import { Broker } from './links.tsx';
import { SignIn } from './sign-in.tsx';

/** Every part of the page of settings that follows the status, each beside the settings it belongs to. */
export const settingsParts = {
  broker: (status: StatusDocument, now: number) => (
    <>
      <Broker status={status} now={now} />
      <ConfirmBroker status={status} />
    </>
  ),
  'sign-in': (status: StatusDocument) => <SignIn status={status} />,
} as const;
