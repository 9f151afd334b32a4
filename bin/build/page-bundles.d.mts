import type { PageBundles } from '#ui/parts/page-bundles.ts';

/** A file that browsers load, by the name of its asset. */
export interface Asset {
  readonly name: string;
  readonly code: string;
}

/** The scripts of the pages, and what each page is sent for them. */
export interface BuiltPages {
  readonly scripts: readonly Asset[];
  readonly pages: PageBundles;
  /** Keys of the strings that the scripts of each page draw, and each script that is loaded later. */
  readonly drawn: Readonly<Record<string, readonly string[]>>;
}

export declare const pageBundles: (root: string) => Promise<BuiltPages>;
export declare const pageStyles: (root: string) => Promise<{ readonly styles: readonly Asset[] }>;
