import { ownField } from '#machines/kit/own-field.ts';

type Phase = 'on' | 'off';
const ports: Readonly<Record<string, number>> = { http: 80, https: 443 };
/** The compiler knows each of these names. */
const titles: Readonly<Record<Phase, string>> = { on: 'On', off: 'Off' };

export const portOf = (scheme: string): number | null => ownField(ports, scheme) ?? null;
export const titleOf = (phase: Phase): string => titles[phase];
export const fixed = ports['http'];
export const isFailure = (value: object): boolean => 'code' in value;
export const byName = (rows: readonly { readonly name: string }[]): object =>
  Object.fromEntries(rows.map((row) => [row.name, row]));
export const withName = (before: object, name: string): object => ({ ...before, [name]: true });
export const hear = (hosts: ReadonlyMap<string, string>, host: string): ReadonlyMap<string, string> =>
  new Map(hosts).set(host, hosts.get(host) ?? '');
