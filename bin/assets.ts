import { fstatSync, openSync, readSync } from 'node:fs';
import { extname } from 'node:path';
import type { Asset, RouteDeps } from '#routes/kit/deps.ts';

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.txt': 'text/plain; charset=utf-8',
  '.zip': 'application/zip',
};

/** Digits that hold the length of the index (bin/pack.mjs). */
const digits = 10;

/** Where a piece begins after the index, and its length in bytes. */
type Place = readonly [from: number, bytes: number];

/** A row of the index, as written by bin/pack.mjs. */
interface Row {
  readonly name: string;
  readonly body: Place;
  readonly br?: Place;
  readonly gzip?: Place;
}

/**
 * The assets of the pages, read from one file on each request: kept in memory, they would cost 1.5 MB even while no one
 * views a page. The file stays open, so that a rebuild cannot replace it under a running agent. Throws if it is missing
 * or damaged.
 */
export function openAssets(file: string): RouteDeps['assets'] {
  const pack = openSync(file, 'r');
  const read = ([from, length]: Place): Uint8Array<ArrayBuffer> => {
    const bytes = new Uint8Array(length);
    for (let got = 0; got < length;) {
      const more = readSync(pack, bytes, got, length - got, from + got);
      if (more === 0) throw new Error(`${file} is cut short`);
      got += more;
    }
    return bytes;
  };
  const text = (place: Place): string => Buffer.from(read(place)).toString('latin1');
  const behind = digits + Number(text([0, digits]));
  // Written by the build; its shape is ours.
  const rows = JSON.parse(text([digits, behind - digits])) as readonly Row[];
  const pieces = rows.flatMap(({ body, br, gzip }) => [body, ...[br, gzip].filter((piece) => piece !== undefined)]);
  const end = Math.max(...pieces.map(([from, length]) => from + length));
  if (fstatSync(pack).size < behind + end) throw new Error(`${file} is cut short`);
  const form =
    ([from, length]: Place) =>
    () =>
      read([behind + from, length]);
  const coded = ({ br, gzip }: Row): Asset['coded'] => ({
    ...(br === undefined ? {} : { br: form(br) }),
    ...(gzip === undefined ? {} : { gzip: form(gzip) }),
  });
  return new Map(
    rows.flatMap((row) => {
      const type = types[extname(row.name)];
      return type === undefined ? [] : [[row.name, { type, body: form(row.body), coded: coded(row) }]];
    }),
  );
}
