import type { AnyRow, EntitySurface, LightModes } from '../kit/entity.ts';
import { type RowShape, shapeOf } from './shape.ts';

/** Identity of the panel in Home Assistant. */
interface PanelIdentity {
  readonly panelId: string;
  readonly installId: string;
  readonly friendlyName: string;
  readonly manufacturer: string;
  readonly model: string;
  readonly version: string;
}

/** The panel as a device with its entities, independent of the transport to Home Assistant. */
export interface EntityPanel extends PanelIdentity {
  /** URL of the panel's own pages; null while unknown. */
  readonly configurationUrl: string | null;
  /** Rows that the panel may have: those whose capability the profile does not deny and that are exposed. */
  readonly shapes: readonly RowShape[];
  /**
   * Keys of those whose hardware was not found in this run. One that was announced before stays, since what is missing
   * may be unplugged or late; one that never was is withheld.
   */
  readonly hidden: readonly string[];
}

/** Inputs of the device. */
export interface PanelParts {
  readonly identity: PanelIdentity;
  /** The owner's `ha_expose_<key>` flags. */
  readonly expose: Readonly<Record<string, boolean>>;
  /** Capabilities that the profile declares absent. */
  readonly absent: readonly string[];
  /** Keys of rows whose hardware was not found in this run. */
  readonly hidden: readonly string[];
  /** Detected light modes by key; a row without an entry uses the modes it declares. */
  readonly modes: Readonly<Record<string, LightModes>>;
  /** Address that other machines can reach; null while unknown. */
  readonly address: string | null;
  /** Port of the panel's pages, -1 while they are not served. */
  readonly port: number;
}

const pageAddress = (address: string | null, port: number): string | null =>
  address === null || address === '' || port < 1
    ? null
    : `http://${address.includes(':') ? `[${address}]` : address}:${port}/`;

/** True if the row is offered there. */
export const isOnSurface = ({ surfaces }: Pick<AnyRow, 'surfaces'>, surface: EntitySurface): boolean =>
  surfaces === undefined || surfaces.includes(surface);

/**
 * The panel with its entities, as Home Assistant sees it there. Rows are left out if the profile declares their
 * capability absent, or the owner hides them. A row whose capability was declared but does not work stays, unavailable.
 */
export const panelOf = (rows: readonly AnyRow[], parts: PanelParts, surface: EntitySurface): EntityPanel => ({
  panelId: parts.identity.panelId,
  installId: parts.identity.installId,
  friendlyName: parts.identity.friendlyName,
  manufacturer: parts.identity.manufacturer,
  model: parts.identity.model,
  version: parts.identity.version,
  configurationUrl: pageAddress(parts.address, parts.port),
  shapes: rows
    .filter((row) => isOnSurface(row, surface))
    .filter((row) => row.capability === undefined || !parts.absent.includes(row.capability))
    .filter((row) => row.expose === undefined || parts.expose[row.expose] === true)
    .map((row) => shapeOf(row, parts.modes[row.key])),
  hidden: parts.hidden,
});
