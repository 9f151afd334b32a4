import { expect, it } from 'vitest';
import { pageStyles } from '#bin/build/page-bundles.mjs';
import { eachPage } from '#ui/page-table.ts';
import { root, scripts } from './page-bundles.ts';

/** Bytes of all scripts, and of all styles, of one page (look: "Weight"). */
const mostBytes = { script: 40_000, style: 20_000 };

/** The explorer's own files do not count (look: "the explorer aside"). */
const aside = new Set(['explorer.js', 'explorer.css']);

const { styles } = await pageStyles(root);
const sizes = new Map([...scripts, ...styles].map(({ name, code }) => [name, Buffer.byteLength(code)]));

const weightOf = (names: readonly string[]): number =>
  names.filter((name) => !aside.has(name)).reduce((sum, name) => sum + (sizes.get(name) ?? Number.NaN), 0);

it.each(eachPage)(
  'the scripts and styles of the page $page are within their weights',
  ({ scripts: own, styles: of = [] }) => {
    const script = weightOf(own.map((name) => `${name}.js`));
    expect(script).toBeGreaterThan(1000);
    expect(script).toBeLessThan(mostBytes.script);
    const style = weightOf(['app', ...of].map((name) => `${name}.css`));
    expect(style).toBeGreaterThan(1000);
    expect(style).toBeLessThan(mostBytes.style);
  },
);
