import { isSameAuthority, parseAuthority, parseOrigin, type Authority } from './authority.ts';
import type { Admission, AdmissionError, AdmissionPolicy, RawRequest } from './events.ts';
import { isLanPeer } from './lan-peer.ts';
import { remembering } from './remember.ts';
import { parseTarget } from './target.ts';

type Refusal = Extract<Admission, { admitted: false }>;

const refuse = (error: AdmissionError, message: string): Refusal => ({ admitted: false, status: 403, error, message });

const PEER = 'This panel answers only to machines on its own network. Connect from the same network as the panel.';
const HOST =
  'The host name of this request is not one of this panel. Open the panel by its IP address or its .local name, or add the name to http_allowed_hosts on Configure.';
const TWO_HOSTS = 'This request carries more than one Host header. Send exactly one.';
const TARGET = 'The request line does not name a page of this panel. Send a path such as /health.';
const TWO_NAMES =
  'The request line and the Host header name different hosts. Send the same host in both, or only a path.';
const NO_HOST =
  'A request that changes something must say which host it is for. Send a Host header with the address of the panel.';
const ORIGIN =
  "The Origin or Referer of this request does not name this panel, so another site may have sent it. Do it on the panel's own pages, or send neither header. A proxy in front must pass on the Host header.";
const SITE = "A page of another site sent this request. Do it on the panel's own pages, or use a command-line client.";
const NAVIGATION =
  "This address starts real work, and the browser did not say which page asked for it. Open it from the panel's own pages, or use a command-line client.";

const hostOf = remembering(64, parseAuthority);
const targetOf = remembering(256, (raw) => {
  const parsed = parseTarget(raw);
  return parsed === null ? null : { target: { path: parsed.path, query: parsed.query }, authority: parsed.authority };
});

function valuesOf(rawHeaders: readonly string[], name: string): readonly string[] {
  const values: string[] = [];
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const key = rawHeaders[index];
    if (key?.length === name.length && key.toLowerCase() === name) values.push((rawHeaders[index + 1] ?? '').trim());
  }
  return values;
}

const isAllowedHost = (authority: Authority, policy: AdmissionPolicy): boolean =>
  authority.kind !== 'name' ||
  authority.host === 'localhost' ||
  authority.host.endsWith('.local') ||
  policy.allowedHosts.some((name) => name.toLowerCase().replace(/\.$/, '') === authority.host);

/** The host that a request is for, null if it names none; or the refusal. */
function judgeHost(
  hosts: readonly string[],
  named: Authority | null,
  policy: AdmissionPolicy,
): Authority | null | Refusal {
  if (hosts.length > 1) return refuse('host-not-allowed', TWO_HOSTS);
  const [text] = hosts;
  const host = text === undefined ? null : hostOf(text);
  // An empty Host header is present, but is no name of this panel.
  if (text !== undefined && (host === null || !isAllowedHost(host, policy))) return refuse('host-not-allowed', HOST);
  if (named === null) return host;
  if (!isAllowedHost(named, policy)) return refuse('host-not-allowed', HOST);
  if (host !== null && !isSameAuthority(named, host, 80)) return refuse('host-not-allowed', TWO_NAMES);
  return named;
}

function isOwn(values: readonly string[], host: Authority | null): boolean {
  const source = values.length === 1 ? parseOrigin(values[0] ?? '') : null;
  // A port that is missing in Host is the default of the page's scheme: a proxy in front may use TLS.
  return source !== null && host !== null && isSameAuthority(source.authority, host, source.defaultPort);
}

/**
 * True if Origin and Referer name this panel; null without either. If both are sent, both must match: the panel's own
 * pages send both, by their referrer policy (`same-origin`).
 */
function isFromThisPanel(rawHeaders: readonly string[], host: Authority | null): boolean | null {
  const said = [valuesOf(rawHeaders, 'origin'), valuesOf(rawHeaders, 'referer')].filter(({ length }) => length > 0);
  return said.length === 0 ? null : said.every((values) => isOwn(values, host));
}

const BROWSER = /mozilla\/|chrome\/|chromium\/|safari\/|firefox\//i;

/**
 * Values of `Sec-Fetch-Site` for a page of another site; no page can set this header, so other values come from
 * programs.
 */
const OTHER_SITE = /\b(?:cross|same)-site\b/i;

function judgeActiveGet(rawHeaders: readonly string[], host: Authority | null): Refusal | null {
  const sites = valuesOf(rawHeaders, 'sec-fetch-site').filter((site) => site !== '');
  if (sites.length > 1 || sites.some((site) => OTHER_SITE.test(site))) return refuse('cross-origin-refused', SITE);
  const own = isFromThisPanel(rawHeaders, host);
  if (own === false) return refuse('cross-origin-refused', ORIGIN);
  if (own === true || sites.length === 1) return null;
  return valuesOf(rawHeaders, 'user-agent').some((agent) => BROWSER.test(agent))
    ? refuse('cross-origin-refused', NAVIGATION)
    : null;
}

function judgeWrite(rawHeaders: readonly string[], host: Authority | null): Refusal | null {
  if (host === null || valuesOf(rawHeaders, 'host').length === 0) return refuse('cross-origin-refused', NO_HOST);
  return isFromThisPanel(rawHeaders, host) === false ? refuse('cross-origin-refused', ORIGIN) : null;
}

/**
 * The contract's pre-routing checks, in its order: the peer, the Host (or the authority of an absolute-form target, RFC
 * 9112, section 3.2.2), then Origin or Referer of requests that may change something or start real work. Every method
 * but GET, HEAD and OPTIONS may change something.
 */
export function admit(request: RawRequest, policy: AdmissionPolicy): Admission {
  if (!isLanPeer(request.peerAddress, policy.ownPrefixes)) return refuse('peer-not-local', PEER);
  const named = targetOf(request.rawTarget);
  const host = judgeHost(valuesOf(request.rawHeaders, 'host'), named?.authority ?? null, policy);
  if (host !== null && 'error' in host) return host;
  if (named === null) return refuse('host-not-allowed', TARGET);
  const { target } = named;
  const reads = request.method === 'GET' || request.method === 'HEAD';
  const refusal =
    reads && policy.activeGets(target.path, target.query)
      ? judgeActiveGet(request.rawHeaders, host)
      : reads || request.method === 'OPTIONS'
        ? null
        : judgeWrite(request.rawHeaders, host);
  return refusal ?? { admitted: true, target };
}
