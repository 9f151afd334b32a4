import type { StateWord } from './state-mark.tsx';
import type { Sections } from './sections.ts';

/** Capabilities that stand in the card of the way to Home Assistant. */
export const linkIds: readonly string[] = ['mqtt', 'platform', 'sign-in'];

/** The word for the capability `id`, as it stands in the list of capabilities; `checking` while it is not in it. */
export const rowWord = (status: Sections<'capabilities'>, id: string): StateWord =>
  status.capabilities.find((row) => row.id === id)?.state ?? 'checking';

/** The word for the link to the broker. */
export const brokerState = (status: Sections<'capabilities'>): StateWord => rowWord(status, 'mqtt');

/** The word for the sign-in. */
export const signInState = (status: Sections<'capabilities'>): StateWord => rowWord(status, 'sign-in');

/** Whether the panel finds no Home Assistant at the address at which it is to sign in. */
export const addressFails = ({ sign_in: signIn }: Sections<'sign_in'>): boolean =>
  signIn?.reachable === false && signIn.method === null;

/** Whether the panel finds no broker at the address at which it is to connect. */
export const brokerFails = ({ mqtt }: Sections<'mqtt'>): boolean =>
  mqtt?.phase === 'unreachable' || mqtt?.phase === 'config_error';
