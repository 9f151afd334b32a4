import { describe, expect, it } from 'vitest';
import { lazyApp } from '#bin/lazy-app.ts';
import { fakeDeps } from '#test/fakes/route-deps.ts';

describe('routes that cannot be loaded', () => {
  const failing = () => lazyApp(fakeDeps(), () => Promise.reject(new Error('damaged')));

  it('fail the loading, so that the agent does not go on without them', async () => {
    await expect(failing().load()).rejects.toThrow('damaged');
  });

  it('hold up no request for ever', async () => {
    const app = failing();
    await app.whenLoaded('GET', '/');
    expect(app.whenLoaded('GET', '/')).toBeNull();
    await expect(app.fetch(new Request('http://panel.invalid/'), {})).rejects.toThrow('damaged');
  });
});

describe('a health check', () => {
  it.each(['/health', '/api/v1/health'])('waits for no routes: %s', (path) => {
    const app = lazyApp(fakeDeps(), () => Promise.reject(new Error('not asked for')));
    expect(app.whenLoaded('GET', path)).toBeNull();
  });
});
