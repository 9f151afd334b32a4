import type { FilterDocument, IssueList, SyncDocument } from '#machines/entity-filter/documents.ts';
import { ask } from './send.ts';

/** The panel's answers about a dashboard. */
export interface KnownEntities {
  readonly filter: FilterDocument;
  readonly sync: SyncDocument;
  readonly issues: IssueList;
}

/** Reads the state of a dashboard; `path` adds its name to a route. Null if any request failed. */
export async function readEntities(path: (name: string) => string): Promise<KnownEntities | null> {
  const [filter, sync, issues] = await Promise.all([
    ask(path('entity-filter')),
    ask(path('entities/sync')),
    ask(path('entities/issues')),
  ]);
  if (!filter.ok || !sync.ok || !issues.ok) return null;
  // The routes' schemas guarantee these types.
  return {
    filter: filter.body as unknown as FilterDocument,
    sync: sync.body as unknown as SyncDocument,
    issues: issues.body as unknown as IssueList,
  };
}
