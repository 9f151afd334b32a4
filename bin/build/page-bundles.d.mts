import type { PageBundles } from '#ui/parts/page-bundles.ts';

/** The scripts of the pages, and what each page is sent for them. */
export interface BuiltPages {
  readonly scripts: readonly { readonly name: string; readonly code: string }[];
  readonly pages: PageBundles;
  /** Keys of the strings that the scripts of each page draw. */
  readonly drawn: Readonly<Record<string, readonly string[]>>;
}

export declare const pageBundles: (root: string) => Promise<BuiltPages>;
