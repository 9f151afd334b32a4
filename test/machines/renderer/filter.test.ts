import { describe, expect, it } from 'vitest';

import { start } from './start.ts';

const filter = { sets: { lovelace: ['light.hall'] }, learn: true };

describe('the renderer with the filter of entities', () => {
  it('tells the page what dashboards are sent before it loads one, and at each change', () => {
    const { commands, send, ready, last } = start();
    send({ type: 'filter.changed', filter, held: false });
    ready();
    const order = commands.map(({ type }) => type).filter((type) => type === 'page.entities' || type === 'page.load');
    expect(order.lastIndexOf('page.load')).toBeGreaterThan(order.indexOf('page.entities'));
    expect(last('page.entities')).toEqual({ type: 'page.entities', filter });
    send({ type: 'filter.changed', filter: null, held: false });
    expect(last('page.entities')).toEqual({ type: 'page.entities', filter: null });
  });

  it('shows the calm page with the reason while the dashboard is held back, then the dashboard', () => {
    const { send, ready, last, facts, settle } = start();
    send({ type: 'filter.changed', filter: { sets: {}, learn: true }, held: true });
    ready();
    settle('shown', { path: '/glass' });
    expect(last('page.load')).toBeUndefined();
    expect(facts()).toMatchObject({ phase: 'waiting', verdict: { state: 'working', reason: 'preparing' } });
    send({ type: 'filter.changed', filter, held: false });
    expect(last('page.load')).toMatchObject({ path: '/lovelace/hall' });
  });

  it('leaves a dashboard that stands where it is', () => {
    const { send, show, facts, commands } = start();
    show();
    const loads = commands.filter(({ type }) => type === 'page.load').length;
    send({ type: 'filter.changed', filter: { sets: {}, learn: true }, held: true });
    expect(facts().phase).toBe('showing');
    expect(commands.filter(({ type }) => type === 'page.load')).toHaveLength(loads);
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
