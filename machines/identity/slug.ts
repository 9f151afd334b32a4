import { PANEL_ID_LENGTH } from '../kit/free-panel-id.ts';

/**
 * Makes a panel id from any text: `[a-z0-9_]`, at most 63 characters, accents removed; "" if nothing usable is left.
 * No underscore at either end: Home Assistant refuses entity ids that begin or end with one.
 */
export const panelSlug = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/ß/g, 'ss')
    .toLowerCase()
    .replace(/[^a-z0-9_]+/g, '_')
    .replace(/^_+/, '')
    .slice(0, PANEL_ID_LENGTH)
    .replace(/_+$/, '');
