/** What a browser that begins a sign-in in the setup tells the address to which it comes back; it holds no secret. */
export const setupCookie = { value: 'sconce_setup=1', path: '/api/v1/ha/oauth/callback', seconds: 600 } as const;
