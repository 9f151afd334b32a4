// Home Assistant's integration, as a folder to copy and as an archive.
import { createWriteStream, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import yazl from 'yazl';

/** What Python leaves behind. */
const isLeft = (name) => name === '__pycache__' || name.endsWith('.pyc');

/** The names of all files below a folder, in one order on every machine. */
const filesIn = (folder, below = '') =>
  readdirSync(join(folder, below), { withFileTypes: true })
    .filter(({ name }) => !isLeft(name))
    .flatMap((entry) => {
      const name = join(below, entry.name);
      return entry.isDirectory() ? filesIn(folder, name) : [name];
    })
    .toSorted((a, b) => (a < b ? -1 : 1));

/**
 * The manifest with the version of this build, which Home Assistant shows and compares, and with where its pages lead:
 * `address` is the repository's, undefined while that is unknown. Keys are in Home Assistant's order: domain, name,
 * then the alphabet's.
 */
export function stamped(text, version, address) {
  const { domain, name, ...others } = JSON.parse(text);
  if (typeof others.version !== 'string') throw new Error('the manifest of the integration names no version');
  const page = address?.replace(/^git\+/, '').replace(/\.git$/, '');
  const links = page === undefined ? {} : { documentation: page, issue_tracker: `${page}/issues` };
  const sorted = Object.entries({ ...others, ...links, version }).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `${JSON.stringify({ domain, name, ...Object.fromEntries(sorted) }, null, 2)}\n`;
}

/** The repository's address in package.json, where a release has written it. */
function repositoryAddress(root) {
  const { repository } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return repository?.url;
}

/** The earliest moment that the format knows, so that the same files give the same archive. */
const mtime = new Date(1980, 0, 1);

async function archive(file, entries) {
  const zip = new yazl.ZipFile();
  for (const { name, bytes } of entries) zip.addBuffer(bytes, name, { mtime, mode: 0o100644 });
  zip.end();
  await pipeline(zip.outputStream, createWriteStream(file));
}

/**
 * Writes the folder `companion`: the tree that a repository of the integration has, and `sconce.zip`, to be unpacked
 * into Home Assistant's configuration folder. Returns the path of the archive.
 */
export async function companion(root, fresh, version) {
  const from = join(root, 'drivers/companion');
  const out = join(fresh, 'companion');
  const integration = 'custom_components/sconce';
  const address = repositoryAddress(root);
  const entries = filesIn(join(from, integration)).map((name) => {
    const bytes = readFileSync(join(from, integration, name));
    return {
      name: `${integration}/${name}`,
      bytes: name === 'manifest.json' ? Buffer.from(stamped(bytes.toString('utf8'), version, address)) : bytes,
    };
  });
  const beside = filesIn(join(from, 'distribution')).map((name) => ({
    name,
    bytes: readFileSync(join(from, 'distribution', name)),
  }));
  const licence = { name: 'LICENSE', bytes: readFileSync(join(root, 'LICENSE')) };
  for (const { name, bytes } of [...entries, ...beside, licence]) {
    mkdirSync(dirname(join(out, name)), { recursive: true });
    writeFileSync(join(out, name), bytes);
  }
  const file = join(out, 'sconce.zip');
  await archive(file, entries);
  return file;
}
