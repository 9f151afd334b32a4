import { execFile, spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildSync } from 'esbuild';

import { download, DOWNLOAD_BOUNDS, type DownloadDeps } from '#drivers/announcer/download.ts';
import { SYSTEM_BUNDLES } from '#drivers/kit/system-trust.ts';
import { isOnPanel } from '#machines/announcer/source.ts';

import { leakWarnings } from '../leak-warnings.ts';
import { authority, opensslInstalled, type Authority } from './authority.ts';
import { playerRules } from './rules.ts';
import { serve, type Source } from './source.ts';
import { wav } from './tones.ts';

let folder = '';
const never = new AbortController().signal;
const bytes = wav(440, 0.1);
const file = (): string => join(folder, 'sound');
const deps = (more: Partial<DownloadDeps> = {}): DownloadDeps => ({
  rules: playerRules.source,
  ownPort: 1,
  homeAssistant: '',
  bounds: DOWNLOAD_BOUNDS,
  ...more,
});
const within = (bounds: Partial<DownloadDeps['bounds']>): DownloadDeps =>
  deps({ bounds: { ...DOWNLOAD_BOUNDS, ...bounds } });
async function reason(href: string, using = deps(), signal = never): Promise<string> {
  const outcome = await download(href, file(), using, signal);
  return outcome.ok ? 'fetched' : outcome.reason;
}

const run = promisify(execFile);
/** A private mount namespace. */
const OWN_MOUNTS = ['--mount', '--propagation', 'private'];
/** A copy of the system's certificates in place of the real ones, for this process alone. */
const ENTER = 'set -e; cp -a /etc/ssl "$1/ssl"; mkdir "$1/local"; mount --bind "$1/ssl" /etc/ssl\n';
/** As an administrator installs an authority; the hooks for other programs' stores stay out. */
const INSTALL =
  'cp "$AUTHORITY" "$1/local/home.crt"; mkdir "$1/hooks"; update-ca-certificates --localcertsdir "$1/local" --hooksdir "$1/hooks" >/dev/null 2>&1';
const canUpdate =
  spawnSync('unshare', [
    ...OWN_MOUNTS,
    'sh',
    '-c',
    'mount --bind /etc/ssl /mnt && command -v update-ca-certificates && test -f "$1"',
    'sh',
    SYSTEM_BUNDLES[0],
  ]).status === 0;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sconce-download-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('over http', () => {
  let source: Source;
  let asked: string[] = [];
  beforeAll(async () => {
    source = await serve((request, response) => {
      const path = request.url ?? '';
      asked.push(path);
      const hop = /^\/hop\/(\d+)$/.exec(path)?.[1];
      if (hop !== undefined)
        response.writeHead(302, { location: hop === '0' ? '/sound' : `/hop/${Number(hop) - 1}` }).end();
      else if (path === '/sound') response.writeHead(200, { 'content-length': bytes.length }).end(bytes);
      else if (path === '/loop') response.writeHead(307, { location: '/loop' }).end();
      else if (path === '/nowhere') response.writeHead(302).end();
      else if (path === '/file') response.writeHead(302, { location: 'file:///etc/passwd' }).end();
      else if (path === '/self')
        response.writeHead(302, { location: `${source.url.replace('127.0.0.1', 'localhost')}/sound` }).end();
      else if (path === '/declared') response.writeHead(200, { 'content-length': 33 * 1024 * 1024 }).write('RIFF');
      else if (path === '/endless') {
        response.writeHead(200);
        const more = (): void => {
          while (response.write(Buffer.alloc(65_536))) if (response.destroyed) return;
        };
        response.on('drain', more);
        more();
      } else if (path === '/cut') {
        response.writeHead(200, { 'content-length': 1000 });
        response.write('RIFF');
        setImmediate(() => response.destroy());
      } else if (path === '/stall') response.writeHead(200).write('RIFF');
      else if (path === '/drip') {
        response.writeHead(200);
        const drip = setInterval(() => response.write('.'), 10);
        response.on('close', () => clearInterval(drip));
      } else if (path !== '/silent') response.writeHead(Number(path.slice(1))).end();
    });
  });
  afterAll(() => source.end());
  beforeEach(() => {
    asked = [];
  });

  it('writes what was sent, for the owner alone', async () => {
    expect(await reason(`${source.url}/sound`)).toBe('fetched');
    expect(readFileSync(file()).equals(bytes)).toBe(true);
    expect(statSync(file()).mode & 0o777).toBe(0o600);
  });

  it('follows ten redirects, and not eleven', async () => {
    expect(await leakWarnings(async () => expect(await reason(`${source.url}/hop/9`)).toBe('fetched'))).toEqual([]);
    expect(asked).toHaveLength(11);
    rmSync(file());
    expect(await reason(`${source.url}/hop/10`)).toBe('too-many-redirects');
    expect(asked).toHaveLength(22);
  });

  it.each([
    ['/loop', 'too-many-redirects'],
    ['/nowhere', 'bad-redirect'],
    ['/file', 'bad-redirect'],
    ['/404', 'source-gone'],
    ['/403', 'source-refused'],
    ['/304', 'source-refused'],
    ['/503', 'source-failed'],
    ['/declared', 'too-large'],
    ['/endless', 'too-large'],
    ['/cut', 'source-cut'],
  ])('%s: %s', async (path, expected) => expect(await reason(`${source.url}${path}`)).toBe(expected));

  it('is bounded in size while it streams', async () => {
    expect(await reason(`${source.url}/endless`, within({ bytes: 1_000_000 }))).toBe('too-large');
    expect(statSync(file(), { throwIfNoEntry: false })?.size ?? 0).toBeLessThanOrEqual(1_000_000);
  });

  it.each([
    ['/stall', { readMs: 50 }, 'read-timeout'],
    ['/silent', { readMs: 50 }, 'read-timeout'],
    ['/drip', { wholeMs: 100 }, 'download-timeout'],
  ])('%s within %o: %s', async (path, bounds, expected) =>
    expect(await reason(`${source.url}${path}`, within(bounds))).toBe(expected),
  );

  it('ends at once when it is replaced', async () => {
    const replaced = new AbortController();
    const outcome = reason(`${source.url}/drip`, deps(), replaced.signal);
    setImmediate(() => replaced.abort(new Error('replaced')));
    expect(await outcome).not.toBe('fetched');
  });

  it('refuses the panel itself: by address, by name, and after a redirect', async () => {
    // What another test gave up on may still come in, so only what is asked for here counts.
    const own = deps({ ownPort: source.port });
    for (const host of ['127.0.0.1', '127.1', '0.0.0.0', 'localhost', '[::ffff:127.0.0.1]', '2130706433']) {
      // oxlint-disable-next-line no-await-in-loop -- one spelling after another
      expect(await reason(`http://${host}:${source.port}/sound`, own), host).toBe('own-address');
    }
    expect(asked).not.toContain('/sound');
    const other = await serve((_, response) => response.writeHead(302, { location: `${source.url}/sound` }).end());
    expect(await reason(other.url, own)).toBe('own-address');
    expect(asked).not.toContain('/sound');
    await other.end();
  });

  it('tells nothing of the panel itself, nor of where it was sent from there', async () => {
    const quiet = deps({ rules: { ...playerRules.source, isOnPanel } });
    for (const path of ['/404', '/503', '/loop', '/file', '/cut', '/declared'])
      // oxlint-disable-next-line no-await-in-loop -- one path after another
      expect(await reason(`${source.url}${path}`, quiet), path).toBe('source-on-panel');
    const other = await serve((_, response) => response.writeHead(302, { location: 'http://no-such.invalid/' }).end());
    expect(await reason(other.url, quiet)).toBe('source-on-panel');
    await other.end();
  });

  it('says what cannot be reached', async () => {
    const closed = await serve(() => {});
    await closed.end();
    expect(await reason(closed.url)).toBe('source-unreachable');
    expect(await reason('http://no-such-name.invalid/a')).toBe('name-unknown');
    expect(await reason('ftp://127.0.0.1/a')).toBe('bad-address');
  });

  it('says that the disk refuses', async () => {
    for (const path of ['/proc/nowhere', '/dev/full', join(folder, 'no', 'folder')]) {
      // oxlint-disable-next-line no-await-in-loop -- one place after another
      expect(await download(`${source.url}/sound`, path, deps(), never), path).toMatchObject({
        ok: false,
        reason: 'disk-failed',
      });
    }
  });
});

describe.skipIf(!opensslInstalled)(
  `over https${opensslInstalled ? '' : ' (skipped: package openssl is not installed)'}`,
  () => {
    let keys = '';
    let own: Authority;
    let source: Source;
    let named: Source;
    let down: Source;
    beforeAll(async () => {
      keys = mkdtempSync(join(tmpdir(), 'sconce-authority-'));
      own = authority(keys, 'home', 'IP:127.0.0.1');
      const other = authority(keys, 'other', 'DNS:other.invalid');
      source = await serve((_, response) => response.writeHead(200).end(bytes), own);
      named = await serve((_, response) => response.writeHead(200).end(bytes), other);
      down = await serve((_, response) => response.writeHead(302, { location: 'http://127.0.0.1:9/sound' }).end(), own);
    });
    afterAll(async () => {
      await Promise.all([source.end(), named.end(), down.end()]);
      rmSync(keys, { recursive: true, force: true });
    });

    it('refuses an authority that the system does not trust, and takes it once it is in the bundle', async () => {
      const bundle = join(folder, 'bundle.crt');
      copyFileSync(join(keys, 'other-ca.crt'), bundle);
      const using = deps({ bundles: [bundle] });
      expect(await reason(source.url, using)).toBe('certificate-untrusted');
      copyFileSync(own.bundle, bundle);
      expect(await reason(source.url, using)).toBe('fetched');
    });

    it('refuses a certificate for another name', async () =>
      expect(await reason(named.url, deps({ bundles: [join(keys, 'other-ca.crt')] }))).toBe('certificate-other-name'));

    it('is not talked out of it by the environment', async () => {
      process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
      try {
        expect(await reason(source.url, deps({ bundles: [join(keys, 'other-ca.crt')] }))).toBe('certificate-untrusted');
      } finally {
        delete process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
      }
    });

    it('is never led from https down to http', async () =>
      expect(await reason(down.url, deps({ bundles: [own.bundle] }))).toBe('redirect-to-http'));

    it('needs a bundle', async () =>
      expect(await reason(source.url, deps({ bundles: [join(folder, 'none')] }))).toBe('no-trust-store'));

    it('says that a connection was not made in time', async () => {
      const mute = createServer(() => {});
      await new Promise<void>((resolve) => {
        mute.listen(0, '127.0.0.1', resolve);
      });
      // A server that listens on TCP has an AddressInfo.
      const { port } = mute.address() as AddressInfo;
      expect(
        await reason(
          `https://127.0.0.1:${port}/`,
          deps({ bundles: [own.bundle], bounds: { ...DOWNLOAD_BOUNDS, connectMs: 50 } }),
        ),
      ).toBe('connect-timeout');
      mute.close();
    });

    it.skipIf(!canUpdate)(
      `takes an authority that update-ca-certificates installed${canUpdate ? '' : ' (skipped: needs a mount namespace and the package ca-certificates)'}`,
      async () => {
        const program = join(folder, 'fetch.cjs');
        const contents = `import { download, DOWNLOAD_BOUNDS } from './drivers/announcer/download.ts';
import { firstHop, isOnPanel, isPanelItself, nextHop, toldOf } from './machines/announcer/source.ts';
const [href = '', file = ''] = process.argv.slice(2);
void download(href, file, { rules: { firstHop, nextHop, isPanelItself, isOnPanel, toldOf }, ownPort: 1, homeAssistant: new URL(href).origin, bounds: DOWNLOAD_BOUNDS }, new AbortController().signal)
  .then((outcome) => process.stdout.write(outcome.ok ? 'fetched' : outcome.reason));`;
        buildSync({
          stdin: { contents, resolveDir: join(import.meta.dirname, '../../..'), loader: 'ts' },
          bundle: true,
          platform: 'node',
          format: 'cjs',
          outfile: program,
          logLevel: 'error',
        });
        const { NODE_EXTRA_CA_CERTS: _, SSL_CERT_FILE: __, ...env } = process.env;
        const fetchAs = async (install: string): Promise<string> => {
          const place = mkdtempSync(join(folder, 'place-'));
          const { stdout } = await run(
            'unshare',
            [
              ...OWN_MOUNTS,
              'sh',
              '-c',
              `${ENTER}${install}\nexec "$NODE" "$2" "$3" "$1/sound"`,
              'sh',
              place,
              program,
              source.url,
            ],
            {
              env: { ...env, NODE: process.execPath, AUTHORITY: own.bundle },
              timeout: 60_000,
            },
          );
          return stdout;
        };
        expect(await fetchAs('')).toBe('certificate-untrusted');
        expect(await fetchAs(INSTALL)).toBe('fetched');
      },
      130_000,
    );
  },
);
