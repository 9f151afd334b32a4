import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A server's key, and the certificates that it sends. */
export interface ServerKeys {
  readonly key: string;
  readonly cert: string;
}

/** An authority of a test's own. */
export interface TestAuthority {
  /** Its certificate as PEM. */
  readonly pem: string;
  /** Makes a server's certificate; `altNames` as openssl writes them: `IP:127.0.0.1`. */
  readonly issue: (name: string, options: { readonly altNames: string; readonly days?: DayRange }) => ServerKeys;
  /** Makes an authority below this one; what it issues is sent with its own certificate. */
  readonly below: (name: string) => TestAuthority;
}

/** From which day on and up to which one a certificate is valid, counted from today. */
export interface DayRange {
  readonly from: number;
  readonly to: number;
}

const VALID: DayRange = { from: -1, to: 2 };
const EXTENSIONS = {
  authority: 'basicConstraints=critical,CA:TRUE\nkeyUsage=critical,keyCertSign,cRLSign\nsubjectKeyIdentifier=hash\n',
  server: (altNames: string): string => `basicConstraints=CA:FALSE\nsubjectAltName=${altNames}\n`,
};

function openssl(...args: readonly string[]): void {
  execFileSync('openssl', args, { stdio: 'pipe' });
}

const flags = (values: Readonly<Record<string, string>>): readonly string[] =>
  Object.entries(values).flatMap(([flag, value]) => [`-${flag}`, value]);

const KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'] as const;

/** `YYYYMMDDhhmmssZ`, as openssl takes it. */
const dayOf = (days: number): string =>
  new Date(Date.now() + days * 86_400_000).toISOString().replaceAll(/[-:T]|\.\d+/g, '');

/** Makes files of certificates in `folder`, which the caller removes. */
export function certificates(folder: string) {
  const at = (file: string): string => join(folder, file);
  const read = (file: string): string => readFileSync(at(file), 'utf8');
  writeFileSync(at('index'), '');
  writeFileSync(at('index.attr'), 'unique_subject = no\n');
  writeFileSync(
    at('ca.conf'),
    [
      '[ca]',
      'default_ca=own',
      '[own]',
      `database=${at('index')}`,
      `new_certs_dir=${folder}`,
      'rand_serial=yes',
      'default_md=sha256',
      'policy=any',
      '[any]',
      'commonName=supplied',
      '',
    ].join('\n'),
  );

  /** Signs `name` by `signer`, or by itself. */
  const sign = (name: string, signer: string, extensions: string, { from, to }: DayRange): void => {
    writeFileSync(at(`${name}.ext`), extensions);
    openssl('req', ...KEY, '-keyout', at(`${name}.key`), '-out', at(`${name}.csr`), '-subj', `/CN=${name}`);
    const files = { in: `${name}.csr`, out: `${name}.crt`, keyfile: `${signer}.key`, extfile: `${name}.ext` };
    openssl(
      'ca',
      '-batch',
      '-notext',
      ...flags({ config: at('ca.conf'), startdate: dayOf(from), enddate: dayOf(to) }),
      ...flags(Object.fromEntries(Object.entries(files).map(([flag, file]) => [flag, at(file)]))),
      ...(signer === name ? ['-selfsign'] : flags({ cert: at(`${signer}.crt`) })),
    );
  };
  const authorityOf = (name: string, chain: string): TestAuthority => ({
    pem: read(`${name}.crt`),
    issue: (server, { altNames, days = VALID }) => {
      sign(server, name, EXTENSIONS.server(altNames), days);
      return { key: read(`${server}.key`), cert: read(`${server}.crt`) + chain };
    },
    below: (lower) => {
      sign(lower, name, EXTENSIONS.authority, VALID);
      return authorityOf(lower, read(`${lower}.crt`));
    },
  });
  return {
    authority: (name: string): TestAuthority => {
      sign(name, name, EXTENSIONS.authority, VALID);
      return authorityOf(name, '');
    },
    /** A server's certificate that only itself vouches for. */
    selfSigned: (name: string, altNames: string): ServerKeys => {
      sign(name, name, EXTENSIONS.server(altNames), VALID);
      return { key: read(`${name}.key`), cert: read(`${name}.crt`) };
    },
  };
}
