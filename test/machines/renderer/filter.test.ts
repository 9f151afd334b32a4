import { describe, expect, it } from 'vitest';

import { start } from './start.ts';

const filter = { sets: { lovelace: ['light.hall'] }, learn: true };

describe('the renderer with the filter of entities', () => {
  it('tells the page what dashboards are sent before it loads one, and at each change', () => {
    const { commands, send, ready, last } = start();
    send({ type: 'filter.changed', filter, held: false, known: null });
    ready();
    const order = commands.map(({ type }) => type).filter((type) => type === 'page.entities' || type === 'page.load');
    expect(order.lastIndexOf('page.load')).toBeGreaterThan(order.indexOf('page.entities'));
    expect(last('page.entities')).toEqual({ type: 'page.entities', filter });
    send({ type: 'filter.changed', filter: null, held: false, known: null });
    expect(last('page.entities')).toEqual({ type: 'page.entities', filter: null });
  });

  it('shows the offline page with the reason while the dashboard is held back, then the dashboard', () => {
    const { send, ready, last, facts, settle } = start();
    send({ type: 'filter.changed', filter: { sets: {}, learn: true }, held: true, known: null });
    ready();
    settle('shown', { path: '/glass' });
    expect(last('page.load')).toBeUndefined();
    expect(facts()).toMatchObject({ phase: 'waiting', verdict: { state: 'working', reason: 'preparing' } });
    send({ type: 'filter.changed', filter, held: false, known: null });
    expect(last('page.load')).toMatchObject({ path: '/lovelace/hall' });
  });

  it('leaves a dashboard that stands where it is', () => {
    const { send, show, facts, commands } = start();
    show();
    const loads = commands.filter(({ type }) => type === 'page.load').length;
    send({ type: 'filter.changed', filter: { sets: {}, learn: true }, held: true, known: null });
    expect(facts().phase).toBe('showing');
    expect(commands.filter(({ type }) => type === 'page.load')).toHaveLength(loads);
  });

  it('waits for the scan of a dashboard that is not known, two seconds at most, while the page before stays', () => {
    const { actor, send, show, last, pass } = start();
    const wanted: unknown[] = [];
    actor.on('page.wanted', ({ dashboard }) => void wanted.push(dashboard));
    show();
    const known = ['lovelace'];
    const go = (path: string) => send({ type: 'renderer.navigate', path, origin: 'api' });
    send({ type: 'filter.changed', filter, held: false, known });
    go('/lovelace/attic');
    expect(last('page.go')).toMatchObject({ path: '/lovelace/attic' });
    go('/kitchen/0');
    expect(wanted).toEqual(['kitchen']);
    expect(last('page.go')).toMatchObject({ path: '/lovelace/attic' });
    send({ type: 'filter.changed', filter, held: false, known: [...known, 'kitchen'] });
    expect(last('page.go')).toMatchObject({ path: '/kitchen/0' });
    go('/garden/0');
    pass(1900);
    expect(last('page.go')).toMatchObject({ path: '/kitchen/0' });
    pass(200);
    expect(last('page.go')).toMatchObject({ path: '/garden/0' });
    expect(wanted).toEqual(['kitchen', 'garden']);
  });

  it('goes where somebody else wants to go meanwhile, once', () => {
    const { commands, send, show, pass } = start();
    show();
    send({ type: 'filter.changed', filter, held: false, known: ['lovelace'] });
    send({ type: 'renderer.navigate', path: '/kitchen/0', origin: 'api' });
    send({ type: 'renderer.navigate', path: '/lovelace/hall', origin: 'api' });
    pass(2500);
    const goes = commands.flatMap((command) => (command.type === 'page.go' ? [command.path] : []));
    expect(goes).toEqual(['/lovelace/hall']);
  });

  it('passes on what the page reports', () => {
    const { actor, send, show } = start();
    const heard: unknown[] = [];
    const opened = { type: 'page.entity-opened', dashboard: 'lovelace', entityId: 'light.attic', at: 5 } as const;
    actor.on('page.entity-opened', (report) => void heard.push(report));
    show();
    send(opened);
    expect(heard).toEqual([opened]);
  });
});
