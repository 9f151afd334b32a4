/** The owner's names changed, or became known. */
export type IdentityEvent = { readonly type: 'identity.renamed' } & OwnerNames;

/** Who this panel is: the owner's choice, otherwise what the machine reports. */
export interface IdentityContext {
  /** `[a-z0-9_]{1,63}`; the owner's `panel_id` or one generated once from the host name. */
  readonly panelId: string;
  /**
   * 32 lower-case hex digits, generated once per machine; an identifier, so it stays out of status and diagnostics.
   * Known before the names: the settings wait for it if they hold a consent.
   */
  readonly installId: string;
  readonly friendlyName: string;
  readonly manufacturer: string;
  readonly model: string;
  /** Name and version of the operating system, `Debian GNU/Linux 13`. */
  readonly system: string;
  /** Version of this agent, semantic versioning. */
  readonly version: string;
  /** Eight hex digits that change with each build. */
  readonly build: string;
}

/** The owner's names; "" for one that was not chosen. */
export interface OwnerNames {
  readonly panelId: string;
  readonly friendlyName: string;
  readonly manufacturer: string;
  readonly model: string;
}

/** What the machine reports about itself; "" if it reports nothing. */
export interface MachineFacts {
  readonly hostName: string;
  readonly system: string;
  /** Maker as spelled by the firmware: a DMI vendor, or the prefix of the device tree's `compatible`. */
  readonly vendor: string;
  readonly product: string;
  /** 64 hex digits over the machine id and the first permanent MAC address; null while one of them is unknown. */
  readonly fingerprint: string | null;
  /**
   * The same over each permanent MAC address of the machine, so that the order in which cards come up does not
   * matter.
   */
  readonly fingerprints: readonly string[];
}

/** The stored section `identity`. */
export interface IdentityRecord {
  readonly installId: string;
  /** The machine it was generated on; null if unknown. */
  readonly fingerprint: string | null;
  /** Every fingerprint observed on this machine; [] in a record of an earlier version. */
  readonly fingerprints: readonly string[];
  /** The id in use while the owner has chosen none. */
  readonly autoPanelId: string;
}

/** Command of the driver of the stored record; answered by one `record.written`. */
export interface RecordCommand {
  readonly type: 'record.write';
  readonly record: IdentityRecord;
}

/** Reported by the identity's drivers. */
export type IdentityFact =
  /** `fresh` is 32 random hex digits, used if an install id is generated. */
  | { readonly type: 'machine.observed'; readonly facts: MachineFacts; readonly fresh: string }
  /** `stored` is the content of the section, not validated; null if it was never written. */
  | { readonly type: 'record.found'; readonly stored: unknown }
  | { readonly type: 'record.written'; readonly ok: boolean };

export interface IdentityActor {
  readonly id: 'identity';
  readonly context: IdentityContext;
  readonly event: never;
}
