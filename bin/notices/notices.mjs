// Collects the licences of what is bundled, from the packages themselves, when it is bundled.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));

/** Licences that may be bundled, by SPDX identifier: each lets a program be distributed under its own licence. */
const allowed = ['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', 'MIT'];

/**
 * Texts for packages that contain none: the terms that their package.json names, and the holder that their README
 * names.
 */
const supplied = {
  '@hono/zod-openapi': 'hono-middleware.txt',
  '@hono/zod-validator': 'hono-middleware.txt',
};

const isLicence = (file) => /^(?:licen[cs]e|copying|notice)(?:[.-]|$)/i.test(file);

const textsIn = (folder) =>
  readdirSync(folder)
    .filter(isLicence)
    .toSorted()
    .map((file) => readFileSync(join(folder, file), 'utf8').replaceAll('\r\n', '\n').trim());

/** What is compiled into a package from elsewhere: the headers of its native code. */
function vendored(folder) {
  const vendor = join(folder, 'vendor');
  return existsSync(vendor) ? readdirSync(vendor).flatMap((name) => textsIn(join(vendor, name))) : [];
}

/** Folders of the packages whose code is in what esbuild wrote, by its metafiles. */
export function bundledPackages(metafiles) {
  const inputs = metafiles.flatMap(({ outputs }) =>
    Object.values(outputs).flatMap(({ inputs: of }) => Object.entries(of)),
  );
  const folders = inputs
    .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
    .flatMap(([path]) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []);
  return [...new Set(folders)].toSorted((one, other) => (one < other ? -1 : 1));
}

const rule = '-'.repeat(80);
const preface = `Sconce itself has the MIT License, in the file LICENSE beside this one.
It is built with these packages; packages with the same text stand together.
`;

/** One package with its licence, or what is wrong with it. */
function readPackage(root, folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
  const title = `${name} ${version}`;
  if (!allowed.includes(license)) return { problem: `${title} has the licence ${JSON.stringify(license)}` };
  const own = textsIn(join(root, folder));
  const extra = supplied[name];
  if (own.length === 0 && extra === undefined) return { problem: `${title} brings no text of its licence` };
  const texts = own.length === 0 ? [readFileSync(join(here, extra), 'utf8').trim()] : own;
  // Some only link to these terms, which must be passed on in full.
  const terms = license === 'Apache-2.0' && !texts.some((text) => text.includes('TERMS AND CONDITIONS FOR USE'));
  const apache = terms ? [readFileSync(join(here, 'Apache-2.0.txt'), 'utf8').trim()] : [];
  return { title: `${title} (${license})`, text: [...texts, ...vendored(join(root, folder)), ...apache].join('\n\n') };
}

/**
 * The notices for the packages in these folders below `root`; throws if one has no licence text, or a licence that is
 * not allowed.
 */
export function noticesOf(root, folders) {
  const packages = folders.map((folder) => readPackage(root, folder));
  const problems = packages.flatMap(({ problem }) => problem ?? []);
  if (problems.length > 0) throw new Error(`cannot be passed on: ${problems.join('; ')}`);
  const titles = new Map();
  for (const { title, text } of packages) titles.set(text, [...(titles.get(text) ?? []), title]);
  const sections = [...titles].map(([text, names]) => `${rule}\n${names.join('\n')}\n${rule}\n\n${text}\n`);
  return [preface, ...sections].join('\n');
}
