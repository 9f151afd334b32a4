import { createContext } from 'hono/jsx';
import type { IconName } from '../icons.ts';
import type { PageName } from '../page-table.ts';

/** What a page's scripts draw with, as found by the build. */
export interface PageBundle {
  /** Their strings, as JSON. */
  readonly words: string;
  readonly icons: readonly IconName[];
}

/** Pages with scripts that draw, by name. */
export type PageBundles = Readonly<Partial<Record<PageName, PageBundle>>>;

/** What each page is sent for its scripts; empty if pages are only drawn. */
export const Bundles = createContext<PageBundles>({});
