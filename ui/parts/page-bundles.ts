import { createContext } from 'hono/jsx';
import type { IconName } from '../icons.ts';
import type { PageName } from '../page-table.ts';

/** What the scripts of a page draw with: the build found it in them. */
export interface PageBundle {
  /** The strings that they read, as JSON. */
  readonly words: string;
  readonly icons: readonly IconName[];
}

/** The pages that have scripts which draw, by name. */
export type PageBundles = Readonly<Partial<Record<PageName, PageBundle>>>;

/** What every page is sent for its scripts; nothing where pages are only drawn. */
export const Bundles = createContext<PageBundles>({});
