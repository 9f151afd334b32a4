import type { StateWord } from './state-mark.tsx';
import type { Sections } from './sections.ts';

/** Capabilities shown in the card of the links. */
export const linkIds: readonly string[] = ['mqtt', 'platform', 'sign-in'];

/** True if the entities go through the integration in Home Assistant: there is no verdict on a broker then. */
export const needsNoBroker = ({ capabilities }: Sections<'capabilities'>): boolean =>
  capabilities.some(({ id }) => id === 'companion') && !capabilities.some(({ id }) => id === 'mqtt');

/** The state of the capability `id`; `checking` while it is not in the list. */
export const rowWord = (status: Sections<'capabilities'>, id: string): StateWord =>
  status.capabilities.find((row) => row.id === id)?.state ?? 'checking';

/** The state of the broker, or of the integration in its place. */
export const brokerState = (status: Sections<'capabilities'>): StateWord =>
  rowWord(status, needsNoBroker(status) ? 'companion' : 'mqtt');

export const signInState = (status: Sections<'capabilities'>): StateWord => rowWord(status, 'sign-in');

/** True if the panel finds no Home Assistant at the sign-in address. */
export const addressFails = ({ sign_in: signIn }: Sections<'sign_in'>): boolean =>
  signIn?.reachable === false && signIn.method === null;

/** True if the panel finds no broker at the configured address. */
export const brokerFails = ({ mqtt }: Sections<'mqtt'>): boolean =>
  mqtt?.phase === 'unreachable' || mqtt?.phase === 'config_error';
