import { chunk } from '#machines/kit/chunk.ts';
import type { App } from '#routes/app.ts';
import type { RouteDeps, StatusReader } from '#routes/kit/deps.ts';

const routes = chunk(() => import('#routes/app.ts'));

/** Answers that are known without the routes are not held up by loading them. */
const early: ReadonlySet<string> = new Set(['/health', '/api/v1/health']);

/** The application as the listener uses it: routes and pages, loaded at the first use. */
export interface LazyApp extends Pick<App, 'fetch' | 'maxBodyBytes' | 'isActiveGet'> {
  /** Loads them; resolves also where they cannot be loaded, and requests are refused then. */
  readonly load: () => Promise<void>;
  /** What a request for that target waits for before it is judged; null where it need not wait. */
  readonly whenLoaded: (method: string, rawTarget: string) => Promise<void> | null;
}

/** The application with its routes still to be loaded; `status` loads what makes the status document. */
export function lazyApp(sources: Omit<RouteDeps, 'status'>, status: () => Promise<StatusReader>): LazyApp {
  let app: App | null = null;
  let isOver = false;
  const load = async (): Promise<App> => {
    const [{ createApp }, reader] = await Promise.all([routes(), status()]);
    return (app ??= createApp({ ...sources, status: reader }));
  };
  const settle = async (): Promise<void> => {
    try {
      await load();
    } catch (failure) {
      if (!isOver) sources.report(failure);
    } finally {
      isOver = true;
    }
  };
  let loading: Promise<void> | null = null;
  const once = (): Promise<void> => (loading ??= settle());
  return {
    load: once,
    whenLoaded: (method, rawTarget) => (isOver || (method === 'GET' && early.has(rawTarget)) ? null : once()),
    fetch: (request, env) =>
      app === null ? load().then((loaded) => loaded.fetch(request, env)) : app.fetch(request, env),
    maxBodyBytes: (method, path) => app?.maxBodyBytes(method, path) ?? 0,
    isActiveGet: (path, query) => app?.isActiveGet(path, query) ?? false,
  };
}
