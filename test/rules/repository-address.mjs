// Writes the address that others clone this repository from into README.md and package.json, from where the build gives
// it to Home Assistant's integration; where git knows one. Run at each release:
// node test/rules/repository-address.mjs
import { execFileSync } from 'node:child_process';
import { readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const readmeFile = `${root}README.md`;
const packageFile = `${root}package.json`;

/** Ends of names that only one network knows, or that are reserved (RFC 6761, RFC 6762, RFC 8375). */
const LOCAL =
  /(?:^|\.)(?:local|localdomain|localhost|lan|home|internal|intranet|corp|private|arpa|test|example|invalid)$/;

/**
 * The https address of a remote, without user, password and query; null where others cannot clone from it: a folder, a
 * bare name or IP address, a name of one network alone.
 */
export function publicAddress(remote) {
  const text = remote.trim();
  // `git@host:owner/name` is short for ssh.
  const [, shortHost, shortPath] = /^(?:[^@/\s]+@)?([^:/\s]+):(?!\/)(\S+)$/.exec(text) ?? [];
  const url = shortHost === undefined ? text : `ssh://${shortHost}/${shortPath}`;
  const [, scheme, authority, path] = /^(https?|ssh|git):\/\/([^/?#\s]+)\/([^?#\s]+?)\/?(?:[?#]\S*)?$/i.exec(url) ?? [];
  if (scheme === undefined) return null;
  // Of a backslash, a browser and Git make different hosts.
  const [, host = '', port] = /^(?:[^\\]*@)?([^@:\\]+)(?::(\d{1,5}))?$/.exec(authority.toLowerCase()) ?? [];
  if (!/^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9]$/.test(host) || LOCAL.test(host)) return null;
  if (!path.split('/').every((part) => /^[\w~][\w.~+-]*$/.test(part))) return null;
  // A port of ssh or git says nothing of https.
  const kept = scheme.toLowerCase() === 'https' && port !== undefined ? `:${port}` : '';
  return `https://${host}${kept}/${path}`;
}

const lines = (clone) => `\`\`\`sh
sudo apt-get update && sudo apt-get install -y git ca-certificates
${clone}
sudo sconce/bin/sconce install
\`\`\``;

const unknown = `${lines(`read -rp 'Address of Sconce: ' address && git clone "$address" sconce`)}

   The second line asks for an address: paste the one that the button **Code** copies (under HTTPS) on the web page on
   which you read this.`;

/** The README with the lines that clone from `address`, or with those that ask for it where that is null. */
export function withAddress(readme, address) {
  const part = /(<!-- address -->\n)[^]*?(\n<!-- end -->)/;
  if (!part.test(readme)) throw new Error('README.md has no part for the address');
  const text = address === null ? unknown : lines(`git clone ${address} sconce`);
  return readme.replace(part, (_all, start, end) => `${start}${text}${end}`);
}

/** The text of package.json with the repository at `address`, behind its licence. */
export function withRepository(text, address) {
  const { repository: _before, ...fields } = JSON.parse(text);
  const entries = Object.entries(fields);
  const behind = entries.findIndex(([name]) => name === 'license') + 1;
  const repository = ['repository', { type: 'git', url: `git+${address}` }];
  return `${JSON.stringify(Object.fromEntries(entries.toSpliced(behind, 0, repository)), null, 2)}\n`;
}

function origin() {
  try {
    return execFileSync('git', ['-C', root, 'remote', 'get-url', 'origin'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  } catch {
    return '';
  }
}

function main() {
  const address = publicAddress(origin());
  if (address === null) {
    console.log('repository-address: git knows no address here that others can clone from; nothing changes');
    return;
  }
  writeFileSync(readmeFile, withAddress(readFileSync(readmeFile, 'utf8'), address));
  writeFileSync(packageFile, withRepository(readFileSync(packageFile, 'utf8'), address));
  console.log(`repository-address: README.md clones from ${address}`);
}

if (process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) main();
