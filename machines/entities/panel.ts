import type { AnyRow, LightModes } from '../kit/entity.ts';
import { type RowShape, shapeOf } from './shape.ts';

/** Who the panel is to Home Assistant. */
interface PanelIdentity {
  readonly panelId: string;
  readonly installId: string;
  readonly friendlyName: string;
  readonly manufacturer: string;
  readonly model: string;
  readonly version: string;
}

/** The panel as a device with its entities, whichever way they go to Home Assistant. */
export interface EntityPanel extends PanelIdentity {
  /** Address of the panel's own pages, null while unknown. */
  readonly configurationUrl: string | null;
  /** Rows to publish: those whose capability the panel has and that are exposed. */
  readonly shapes: readonly RowShape[];
}

/** What the device is made of. */
export interface PanelParts {
  readonly identity: PanelIdentity;
  /** The owner's `ha_expose_<key>` flags. */
  readonly expose: Readonly<Record<string, boolean>>;
  /** Capabilities that the profile declares absent. */
  readonly absent: readonly string[];
  /** Keys of rows whose thing this panel does not have, as found by looking. */
  readonly hidden: readonly string[];
  /** What lights were found to offer, by key; a row that is not in it offers what it says itself. */
  readonly modes: Readonly<Record<string, LightModes>>;
  /** Address that other machines reach, null while unknown. */
  readonly address: string | null;
  /** Port of the panel's pages, -1 while they are not served. */
  readonly port: number;
}

const pageAddress = (address: string | null, port: number): string | null =>
  address === null || address === '' || port < 1
    ? null
    : `http://${address.includes(':') ? `[${address}]` : address}:${port}/`;

/**
 * The panel with its entities: rows whose capability is absent by profile or that the owner hides are left out; one
 * whose capability was declared but does not work stays, unavailable.
 */
export const panelOf = (rows: readonly AnyRow[], parts: PanelParts): EntityPanel => ({
  panelId: parts.identity.panelId,
  installId: parts.identity.installId,
  friendlyName: parts.identity.friendlyName,
  manufacturer: parts.identity.manufacturer,
  model: parts.identity.model,
  version: parts.identity.version,
  configurationUrl: pageAddress(parts.address, parts.port),
  shapes: rows
    .filter((row) => row.capability === undefined || !parts.absent.includes(row.capability))
    .filter((row) => !parts.hidden.includes(row.key))
    .filter((row) => row.expose === undefined || parts.expose[row.expose] === true)
    .map((row) => shapeOf(row, parts.modes[row.key])),
});
