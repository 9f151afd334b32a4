import { build } from 'esbuild';

/** The table of the pages, by their names; `root` is the folder of the sources. */
export async function readPageTable(root) {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: ['ui/page-table.ts'],
    bundle: true,
    format: 'esm',
    platform: 'neutral',
    write: false,
    logLevel: 'warning',
  });
  const { pageTable } = await import(`data:text/javascript,${encodeURIComponent(outputFiles[0].text)}`);
  return pageTable;
}

/** The stylesheets of single pages. */
export const stylesOf = (table) => [...new Set(Object.values(table).flatMap(({ styles = [] }) => styles))];
