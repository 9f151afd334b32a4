import type { FilterDocument, IssueList, SyncDocument } from '#machines/entity-filter/documents.ts';
import { ask } from './send.ts';

/** What the panel tells of a dashboard. */
export interface KnownEntities {
  readonly filter: FilterDocument;
  readonly sync: SyncDocument;
  readonly issues: IssueList;
}

/** Asks the panel how a dashboard stands, with `path` naming it; null where not all of it was answered. */
export async function readEntities(path: (name: string) => string): Promise<KnownEntities | null> {
  const [filter, sync, issues] = await Promise.all([
    ask(path('entity-filter')),
    ask(path('entities/sync')),
    ask(path('entities/issues')),
  ]);
  if (!filter.ok || !sync.ok || !issues.ok) return null;
  // The routes answer with their own schemas.
  return {
    filter: filter.body as unknown as FilterDocument,
    sync: sync.body as unknown as SyncDocument,
    issues: issues.body as unknown as IssueList,
  };
}
