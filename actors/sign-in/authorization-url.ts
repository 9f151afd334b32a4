import type { Attempt } from '#machines/sign-in/judge-callback.ts';

/** The client id of a panel: its own address (IndieAuth). */
export const clientOf = (panelOrigin: string): string => `${panelOrigin}/`;

/** Where Home Assistant sends a person back to who signed in. */
export const callbackOf = (panelOrigin: string): string => `${panelOrigin}/api/v1/ha/oauth/callback`;

/** The page of Home Assistant on which a person signs in (OAuth 2 with PKCE, RFC 7636). */
export const authorizationUrl = (
  { homeAssistant, panelOrigin, state }: Pick<Attempt, 'homeAssistant' | 'panelOrigin' | 'state'>,
  challenge: string,
): string =>
  `${homeAssistant}/auth/authorize?${new URLSearchParams({
    response_type: 'code',
    client_id: clientOf(panelOrigin),
    redirect_uri: callbackOf(panelOrigin),
    state,
    code_challenge: challenge,
    code_challenge_method: 'S256',
  }).toString()}`;
