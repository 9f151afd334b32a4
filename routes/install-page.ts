import { installStatus } from '#machines/maintenance/document.ts';
import type { InstallPageProps } from '#ui/pages/install-page.tsx';
import type { RouteDeps } from './kit/deps.ts';
import { type Refusal, restarting } from './kit/problem.ts';

/** What the page `/install` draws; a refusal while a part that it needs restarts. */
export function installPageOf({
  registry,
}: RouteDeps): { readonly ok: true; readonly props: Omit<InstallPageProps, 'status'> } | Refusal<'restarting'> {
  const maintenance = registry.read('maintenance')?.context;
  const copies = registry.read('config-copies')?.context;
  if (maintenance === undefined) return restarting('maintenance');
  if (copies === undefined) return restarting('config-copies');
  const revisions = copies.revisions.map(({ id, savedAt, changed }) => ({ id, exported_at: String(savedAt), changed }));
  return {
    ok: true,
    props: {
      job: installStatus(maintenance),
      revisions,
      lastBackupAt: maintenance.lastBackupAt,
      isSignedIn: registry.read('settings')?.context.secrets['ha_oauth'] === true,
    },
  };
}
