/** Reports a tap on the way back. As with a touch, no page can send this. */
export const BACK = 'back';

/** As on the panel's own pages. */
const WORDS = 'Back';

/** The panel's accent; a login page gets none of the panel's own styles. */
const SHEET =
  'button{position:fixed;z-index:2147483647;top:12px;left:12px;display:flex;align-items:center;gap:12px;' +
  'min-height:56px;margin:0;padding:0 24px 0 20px;border:0;border-radius:999px;background:#f2a948;color:#231400;' +
  'font:600 18px/1.2 system-ui,sans-serif;box-shadow:0 2px 12px rgba(0,0,0,.35)}' +
  'button:focus-visible{outline:3px solid #231400;outline-offset:-6px}' +
  'button::before{content:"";width:9px;height:9px;border:solid;border-width:0 0 2px 2px;transform:rotate(45deg)}';

/** Pages of Home Assistant that a sign-in leads to, which have no way out of their own (seen with 2026.11). */
const LOGIN_PAGES = ['/auth/authorize', '/onboarding.html'];

/**
 * Draws a button over Home Assistant's login, in a closed shadow root, so that neither styles the other. Only over a
 * login that returns to one of the panel's own pages: a dashboard that asks for a login by itself has no page to go
 * back to. `attach` and `post` are the ones of the script around it.
 */
export const wayBackScript = (ownOrigin: string): string => `
  if (${JSON.stringify(LOGIN_PAGES)}.includes(location.pathname)
    && new URLSearchParams(location.search).get('redirect_uri')?.startsWith(${JSON.stringify(`${ownOrigin}/`)})) {
    addEventListener('DOMContentLoaded', () => {
      const host = document.createElement('div');
      const button = document.createElement('button');
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(${JSON.stringify(SHEET)});
      button.type = 'button';
      button.textContent = ${JSON.stringify(WORDS)};
      button.addEventListener('click', (event) => { if (event.isTrusted) post('${BACK}'); });
      const root = attach.call(host, { mode: 'closed' });
      root.adoptedStyleSheets = [sheet];
      root.append(button);
      document.documentElement.append(host);
    });
  }`;
