import type { Endpoint, Expected, Row } from './wire.ts';

type Lines = (endpoint: Endpoint) => readonly string[];

const raw =
  (line: (endpoint: Endpoint) => string, lines: Lines, body: (endpoint: Endpoint) => string = () => ''): Row['bytes'] =>
  (endpoint) => {
    const content = body(endpoint);
    const length =
      content === '' ? [] : ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(content)}`];
    return `${[line(endpoint), ...lines(endpoint), ...length, 'Connection: close'].join('\r\n')}\r\n\r\n${content}`;
  };

const own = (endpoint: Endpoint): string => `127.0.0.1:${endpoint.port}`;
const get = (lines: Lines, method = 'GET'): Row['bytes'] =>
  raw((endpoint) => `${method} ${endpoint.plain} HTTP/1.1`, lines);
const active = (lines: Lines, method = 'GET'): Row['bytes'] =>
  raw(
    (endpoint) => `${method} ${endpoint.active} HTTP/1.1`,
    (endpoint) => [`Host: ${own(endpoint)}`, ...lines(endpoint)],
  );
const post = (lines: Lines, method = 'POST'): Row['bytes'] =>
  raw(
    (endpoint) => `${method} ${endpoint.write.path} HTTP/1.1`,
    lines,
    (endpoint) => endpoint.write.body,
  );
const hosted =
  (lines: Lines): Lines =>
  (endpoint) => [`Host: ${own(endpoint)}`, ...lines(endpoint)];
const target = (text: (endpoint: Endpoint) => string, lines: Lines, method = 'GET'): Row['bytes'] =>
  raw((endpoint) => `${method} ${text(endpoint)} HTTP/1.1`, lines);

const row = (expected: Expected, name: string, bytes: Row['bytes']): Row => ({ name, expected, bytes });
const hostRow = (expected: Expected, host: string): Row =>
  row(
    expected,
    `GET with Host ${JSON.stringify(host)}`,
    get(() => [`Host: ${host}`]),
  );

const activeRow =
  (expected: Expected) =>
  (lines: readonly string[]): Row =>
    row(
      expected,
      `active GET, ${lines.join(', ')}`,
      active(() => lines),
    );

const CHROME = 'User-Agent: Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/150.0 Safari/537.36';

/** The contract's pre-routing checks as bytes on the wire, for a peer on the loopback. */
export const checkTable: readonly Row[] = [
  row(
    'admitted',
    'GET without Host',
    get(() => []),
  ),
  row(
    'admitted',
    'HTTP/1.0 GET without Host',
    raw(
      (endpoint) => `GET ${endpoint.plain} HTTP/1.0`,
      () => [],
    ),
  ),
  row(
    'admitted',
    'HEAD without Host',
    get(() => [], 'HEAD'),
  ),
  row(
    'host-not-allowed',
    'GET with an empty Host',
    get(() => ['Host:']),
  ),
  row(
    'host-not-allowed',
    'GET in absolute-form with an empty Host',
    target(
      (endpoint) => `http://${own(endpoint)}${endpoint.plain}`,
      () => ['Host:'],
    ),
  ),
  ...[
    '127.0.0.1',
    '127.0.0.1:8888',
    '192.0.2.7',
    '10.0.0.1.',
    'localhost',
    'LOCALHOST:1',
    'localhost.',
    'panel.local',
    'Hall-Panel.LOCAL:8888',
    'panel.local.',
    'a.b.local',
  ].map((host) => hostRow('admitted', host)),
  ...[
    '[::1]',
    '[::1]:8888',
    '[fe80::1%25eth0]',
    '[fe80::1%eth0]:8888',
    '[2001:DB8::1]',
    '[::ffff:192.0.2.1]',
    '[0:0:0:0:0:0:0:1]:80',
  ].map((host) => hostRow('admitted', host)),
  ...[
    'example.org',
    'panel.local.example.org',
    'local',
    '.local',
    'panel..local',
    '256.1.1.1',
    '1.2.3',
    '010.0.0.1',
    '2130706433',
    '0x7f.0.0.1',
    '1.2.3.4.5',
  ].map((host) => hostRow('host-not-allowed', host)),
  ...[
    '::1',
    '[::1',
    '[::1]x',
    '[::1%]',
    '[]',
    '[fe80::g]',
    '[v1.x]',
    'user@localhost',
    'localhost:0',
    'localhost:65536',
    'localhost:x',
    'localhost/',
    'localhost, localhost',
    'local host',
    'a:b:c',
  ].map((host) => hostRow('host-not-allowed', host)),
  row(
    'host-not-allowed',
    'two Hosts',
    get((endpoint) => [`Host: ${own(endpoint)}`, 'Host: example.org']),
  ),
  row(
    'host-not-allowed',
    'two equal Hosts',
    get((endpoint) => [`Host: ${own(endpoint)}`, `host: ${own(endpoint)}`]),
  ),
  row(
    'host-not-allowed',
    'a foreign Host on an address that does not exist',
    target(
      () => '/nothing/here',
      () => ['Host: example.org'],
    ),
  ),
  row(
    'refused',
    'HEAD with a foreign Host',
    get(() => ['Host: example.org'], 'HEAD'),
  ),
  row(
    'host-not-allowed',
    'OPTIONS with a foreign Host',
    get(() => ['Host: example.org'], 'OPTIONS'),
  ),
  row(
    'admitted',
    'OPTIONS with a foreign Origin',
    get(
      hosted(() => ['Origin: http://example.org']),
      'OPTIONS',
    ),
  ),

  row(
    'admitted',
    'absolute-form with its own Host',
    target(
      (endpoint) => `http://${own(endpoint)}${endpoint.plain}`,
      hosted(() => []),
    ),
  ),
  row(
    'admitted',
    'absolute-form without Host',
    target(
      (endpoint) => `http://${own(endpoint)}${endpoint.plain}`,
      () => [],
    ),
  ),
  row(
    'host-not-allowed',
    'absolute-form of a foreign host',
    target(
      (endpoint) => `http://example.org${endpoint.plain}`,
      hosted(() => []),
    ),
  ),
  row(
    'host-not-allowed',
    'absolute-form of a foreign host, same Host',
    target(
      (endpoint) => `http://example.org${endpoint.plain}`,
      () => ['Host: example.org'],
    ),
  ),
  row(
    'host-not-allowed',
    'absolute-form that differs from Host',
    target(
      (endpoint) => `http://panel.local${endpoint.plain}`,
      hosted(() => []),
    ),
  ),
  row(
    'host-not-allowed',
    'absolute-form with user information',
    target(
      (endpoint) => `http://a@${own(endpoint)}${endpoint.plain}`,
      hosted(() => []),
    ),
  ),
  row(
    'host-not-allowed',
    'absolute-form with https',
    target(
      (endpoint) => `https://${own(endpoint)}${endpoint.plain}`,
      hosted(() => []),
    ),
  ),
  row(
    'host-not-allowed',
    'asterisk-form',
    target(
      () => '*',
      hosted(() => []),
      'OPTIONS',
    ),
  ),
  row(
    'host-not-allowed',
    'CONNECT',
    target(
      (endpoint) => own(endpoint),
      hosted(() => []),
      'CONNECT',
    ),
  ),
  row(
    'host-not-allowed',
    'CONNECT elsewhere',
    target(
      () => 'example.org:443',
      () => ['Host: example.org:443'],
      'CONNECT',
    ),
  ),

  row('admitted', 'POST without Origin and Referer', post(hosted(() => []))),
  row(
    'cross-origin-refused',
    'POST without Host',
    post(() => []),
  ),
  row(
    'host-not-allowed',
    'POST with an empty Host',
    post(() => ['Host:']),
  ),
  row(
    'cross-origin-refused',
    'POST in absolute-form without Host',
    raw(
      (endpoint) => `POST http://${own(endpoint)}${endpoint.write.path} HTTP/1.1`,
      () => [],
      (endpoint) => endpoint.write.body,
    ),
  ),
  row('admitted', 'POST with its own Origin', post(hosted((endpoint) => [`Origin: http://${own(endpoint)}`]))),
  row(
    'admitted',
    'POST with its own Origin under TLS',
    post(hosted((endpoint) => [`Origin: https://${own(endpoint)}`])),
  ),
  row(
    'admitted',
    'POST, Origin in other case',
    post(() => ['Host: Panel.local:8888', 'Origin: HTTP://pANEL.LOCAL:8888']),
  ),
  row(
    'admitted',
    'POST, default port written in Host',
    post(() => ['Host: panel.local:80', 'Origin: http://panel.local']),
  ),
  row(
    'admitted',
    'POST, default port written in Origin',
    post(() => ['Host: panel.local', 'Origin: http://panel.local:80']),
  ),
  row(
    'admitted',
    'POST behind TLS, no ports',
    post(() => ['Host: panel.local', 'Origin: https://panel.local']),
  ),
  row(
    'admitted',
    'POST, IPv6 in two spellings',
    post(() => ['Host: [2001:DB8:0::1]:8888', 'Origin: http://[2001:db8::1]:8888']),
  ),
  row(
    'cross-origin-refused',
    'POST, another port',
    post(() => ['Host: panel.local:8888', 'Origin: http://panel.local:8123']),
  ),
  row(
    'cross-origin-refused',
    'POST, no port against 8888',
    post(() => ['Host: panel.local:8888', 'Origin: http://panel.local']),
  ),
  row(
    'cross-origin-refused',
    'POST, https default against 80',
    post(() => ['Host: panel.local:80', 'Origin: https://panel.local']),
  ),
  row('cross-origin-refused', 'POST with Origin null', post(hosted(() => ['Origin: null']))),
  row(
    'cross-origin-refused',
    'POST with Origin null and its own Referer',
    post(hosted((endpoint) => ['Origin: null', `Referer: http://${own(endpoint)}/`])),
  ),
  row('cross-origin-refused', 'POST with a foreign Origin', post(hosted(() => ['Origin: http://example.org']))),
  row('cross-origin-refused', 'POST with an empty Origin', post(hosted(() => ['Origin:']))),
  row(
    'cross-origin-refused',
    'POST with an Origin that is no URL',
    post(hosted((endpoint) => [`Origin: ${own(endpoint)}`])),
  ),
  row(
    'cross-origin-refused',
    'POST with user information in Origin',
    post(hosted((endpoint) => [`Origin: http://${own(endpoint)}@example.org`])),
  ),
  row(
    'cross-origin-refused',
    'POST with a backslash in Origin',
    post(hosted((endpoint) => [`Origin: http://example.org\\@${own(endpoint)}`])),
  ),
  row(
    'cross-origin-refused',
    'POST with two Origins',
    post(hosted((endpoint) => [`Origin: http://${own(endpoint)}`, `Origin: http://${own(endpoint)}`])),
  ),
  row(
    'cross-origin-refused',
    'POST with a list in Origin',
    post(hosted((endpoint) => [`Origin: http://${own(endpoint)} http://example.org`])),
  ),
  row(
    'admitted',
    'POST with its own Referer',
    post(hosted((endpoint) => [`Referer: http://${own(endpoint)}/configure?x=1#y`])),
  ),
  row(
    'cross-origin-refused',
    'POST with a foreign Referer',
    post(hosted((endpoint) => [`Referer: http://example.org/http://${own(endpoint)}/`])),
  ),
  row('cross-origin-refused', 'POST with a Referer that is no URL', post(hosted(() => ['Referer: /configure']))),
  row('cross-origin-refused', 'POST with an empty Referer', post(hosted(() => ['Referer:']))),
  row(
    'admitted',
    'POST with its own Origin and Referer',
    post(hosted((endpoint) => [`Origin: http://${own(endpoint)}`, `Referer: http://${own(endpoint)}/configure`])),
  ),
  row(
    'admitted',
    'POST behind TLS with its own Origin and Referer',
    post(() => ['Host: panel.local', 'Origin: https://panel.local', 'Referer: https://panel.local/configure?x=1']),
  ),
  ...[
    'http://example.org/',
    'http://panel.local/',
    'http://panel.local:8123/',
    'http://panel.local:8888@example.org/',
    'http://panel.local:8888.example.org/',
    '/configure',
    'about:blank',
    'null',
    '',
  ].map((referer) =>
    row(
      'cross-origin-refused',
      `POST, own Origin and the Referer ${JSON.stringify(referer)}`,
      post(() => ['Host: panel.local:8888', 'Origin: http://panel.local:8888', `Referer: ${referer}`]),
    ),
  ),
  row(
    'admitted',
    'POST, own Origin and a Referer of the same authority under TLS',
    post(hosted((endpoint) => [`Origin: http://${own(endpoint)}`, `Referer: https://${own(endpoint)}/`])),
  ),
  row(
    'cross-origin-refused',
    'POST with its own Origin and two Referers',
    post(
      hosted((endpoint) => [
        `Origin: http://${own(endpoint)}`,
        `Referer: http://${own(endpoint)}/`,
        `Referer: http://${own(endpoint)}/`,
      ]),
    ),
  ),
  row(
    'cross-origin-refused',
    'POST with a foreign Origin and its own Referer',
    post(hosted((endpoint) => ['Origin: http://example.org', `Referer: http://${own(endpoint)}/`])),
  ),
  row(
    'host-not-allowed',
    'POST with a foreign Host and its Origin',
    post(() => ['Host: example.org', 'Origin: http://example.org']),
  ),
  ...['PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND'].map((method) =>
    row(
      'cross-origin-refused',
      `${method} with a foreign Origin`,
      post(
        hosted(() => ['Origin: http://example.org']),
        method,
      ),
    ),
  ),
  ...['PUT', 'PATCH', 'DELETE'].map((method) =>
    row(
      'admitted',
      `${method} without Origin`,
      post(
        hosted(() => []),
        method,
      ),
    ),
  ),

  row(
    'admitted',
    'ordinary GET from another site',
    get(hosted(() => ['Origin: http://example.org', 'Sec-Fetch-Site: cross-site'])),
  ),
  row(
    'admitted',
    'active GET by a tool',
    active(() => ['User-Agent: curl/8.5']),
  ),
  row(
    'admitted',
    'active GET without a user agent',
    active(() => []),
  ),
  row(
    'cross-origin-refused',
    'active GET, cross-site',
    active(() => ['Sec-Fetch-Site: cross-site']),
  ),
  row(
    'cross-origin-refused',
    'active GET, same-site',
    active((endpoint) => ['Sec-Fetch-Site: same-site', `Origin: http://${own(endpoint)}`]),
  ),
  ...[['Sec-Fetch-Site: nonsense'], [CHROME, 'Sec-Fetch-Site: nonsense']].map(activeRow('admitted')),
  ...[
    ['Sec-Fetch-Site: nonsense', 'Referer: http://example.org/'],
    [CHROME, 'Sec-Fetch-Site:'],
    ['Sec-Fetch-Site: none, Cross-Site'],
    ['Sec-Fetch-Site: none', 'Sec-Fetch-Site: none'],
  ].map(activeRow('cross-origin-refused')),
  row(
    'admitted',
    'active GET, same-origin',
    active(() => [CHROME, 'Sec-Fetch-Site: same-origin']),
  ),
  row(
    'admitted',
    'active GET, typed by hand',
    active(() => [CHROME, 'Sec-Fetch-Site: none']),
  ),
  row(
    'cross-origin-refused',
    'active GET, same-origin but a foreign Referer',
    active(() => [CHROME, 'Sec-Fetch-Site: same-origin', 'Referer: http://example.org/']),
  ),
  row(
    'cross-origin-refused',
    'active GET, same-origin and own Origin but a foreign Referer',
    active((endpoint) => [
      CHROME,
      'Sec-Fetch-Site: same-origin',
      `Origin: http://${own(endpoint)}`,
      'Referer: http://example.org/',
    ]),
  ),
  row(
    'cross-origin-refused',
    'active GET by a tool, own Origin but an empty Referer',
    active((endpoint) => [`Origin: http://${own(endpoint)}`, 'Referer:']),
  ),
  row(
    'admitted',
    'active GET, same-origin with own Origin and Referer',
    active((endpoint) => [
      CHROME,
      'Sec-Fetch-Site: same-origin',
      `Origin: http://${own(endpoint)}`,
      `Referer: http://${own(endpoint)}/logs`,
    ]),
  ),
  row(
    'cross-origin-refused',
    'active GET by a browser that says nothing',
    active(() => [CHROME]),
  ),
  row(
    'admitted',
    'active GET by a browser, own Referer',
    active((endpoint) => [CHROME, `Referer: http://${own(endpoint)}/`]),
  ),
  row(
    'cross-origin-refused',
    'active GET, Origin null',
    active(() => ['Origin: null']),
  ),
  row(
    'refused',
    'active HEAD, cross-site',
    active(() => ['Sec-Fetch-Site: cross-site'], 'HEAD'),
  ),
  row(
    'cross-origin-refused',
    'active GET with its own Origin and no Host',
    raw(
      (endpoint) => `GET ${endpoint.active} HTTP/1.1`,
      (endpoint) => [`Origin: http://${own(endpoint)}`],
    ),
  ),
  row(
    'cross-origin-refused',
    'active GET in another spelling',
    target(
      (endpoint) => endpoint.active.replace(/[a-z](?=[^/]*$)/, (char) => `%${char.charCodeAt(0).toString(16)}`),
      hosted(() => ['Sec-Fetch-Site: cross-site']),
    ),
  ),
  row(
    'cross-origin-refused',
    'active GET through dot segments',
    target(
      (endpoint) => `/x/%2e%2e${endpoint.active}`,
      hosted(() => ['Sec-Fetch-Site: cross-site']),
    ),
  ),
  row(
    'cross-origin-refused',
    'active GET in absolute-form',
    target(
      (endpoint) => `http://${own(endpoint)}${endpoint.active}`,
      hosted(() => ['Sec-Fetch-Site: cross-site']),
    ),
  ),

  row('bad-request', 'a line that is no request', () => 'NONSENSE\r\n\r\n'),
  row(
    'bad-request',
    'length and chunks at once',
    (endpoint) =>
      `POST ${endpoint.write.path} HTTP/1.1\r\nHost: ${own(endpoint)}\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
  ),
  row(
    'bad-request',
    'two lengths',
    (endpoint) =>
      `POST ${endpoint.write.path} HTTP/1.1\r\nHost: ${own(endpoint)}\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello`,
  ),
  row(
    'bad-request',
    'a space before the colon',
    (endpoint) => `GET ${endpoint.plain} HTTP/1.1\r\nHost : ${own(endpoint)}\r\n\r\n`,
  ),
];

/** Rows that need a name in `http_allowed_hosts`. */
export const allowedHostTable = (name: string): readonly Row[] => [
  hostRow('admitted', name),
  hostRow('admitted', `${name.toUpperCase()}.:8888`),
  hostRow('host-not-allowed', `x.${name}`),
  row(
    'admitted',
    'POST under the listed name',
    post(() => [`Host: ${name}`, `Origin: https://${name}`]),
  ),
];
