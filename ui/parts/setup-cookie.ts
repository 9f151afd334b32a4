/** Cookie of a browser that starts a sign-in from the setup, read when it returns; holds no secret. */
export const setupCookie = { value: 'sconce_setup=1', path: '/api/v1/ha/oauth/callback', seconds: 600 } as const;
