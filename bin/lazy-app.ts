import { chunk } from '#machines/kit/chunk.ts';
import type { App } from '#routes/app.ts';
import type { RouteDeps, StatusReader } from '#routes/kit/deps.ts';
import { healthPaths } from '#routes/status/health-line.ts';

const routes = chunk(() => import('#routes/app.ts'));

/** Answers that need no routes do not wait for them to load. */
const early: ReadonlySet<string> = new Set(healthPaths);

/** The application as the listener uses it: routes and pages, loaded at the first use. */
export interface LazyApp extends Pick<App, 'fetch' | 'maxBodyBytes' | 'takesFile' | 'isActiveGet'> {
  /** Loads them; rejects if they cannot be loaded: the agent serves nothing then, and must not go on. */
  readonly load: () => Promise<void>;
  /** What a request for that target waits for before it is admitted; null if it need not wait. */
  readonly whenLoaded: (method: string, rawTarget: string) => Promise<void> | null;
}

/** The application with its routes still to be loaded; `status` loads the reader of the status document. */
export function lazyApp(sources: Omit<RouteDeps, 'status'>, status: () => Promise<StatusReader>): LazyApp {
  let app: App | null = null;
  let isOver = false;
  const make = async (): Promise<App> => {
    const [{ createApp }, reader] = await Promise.all([routes(), status()]);
    return createApp({ ...sources, status: reader });
  };
  let loading: Promise<App> | null = null;
  const load = async (): Promise<App> => {
    try {
      return (app = await (loading ??= make()));
    } finally {
      isOver = true;
    }
  };
  return {
    load: async () => {
      await load();
    },
    // `load` reports a failure, and so does the request itself once it is handled.
    whenLoaded: (method, rawTarget) =>
      isOver || (method === 'GET' && early.has(rawTarget))
        ? null
        : load().then(
            () => {},
            () => {},
          ),
    fetch: (request, env) =>
      app === null ? load().then((loaded) => loaded.fetch(request, env)) : app.fetch(request, env),
    maxBodyBytes: (method, path) => app?.maxBodyBytes(method, path) ?? 0,
    takesFile: (method, path) => app?.takesFile(method, path) ?? false,
    isActiveGet: (path, query) => app?.isActiveGet(path, query) ?? false,
  };
}
