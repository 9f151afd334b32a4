/** The owner's names changed, or became known. */
export type IdentityEvent = { readonly type: 'identity.renamed' } & OwnerNames;

/** Who this panel is: what the owner chose, else what the machine says. */
export interface IdentityContext {
  /** `[a-z0-9_]{1,63}`; the owner's `panel_id` or one generated once from the host name. */
  readonly panelId: string;
  /** 32 lower-case hex digits, generated once per machine; an identifier, so it stays out of status and diagnostics. */
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

/** What the owner chose; "" where nothing was. */
export interface OwnerNames {
  readonly panelId: string;
  readonly friendlyName: string;
  readonly manufacturer: string;
  readonly model: string;
}

/** What the machine says about itself; "" where it says nothing. */
export interface MachineFacts {
  readonly hostName: string;
  /** Name and version of the operating system. */
  readonly system: string;
  /** Maker as the firmware spells it: a DMI vendor, or the prefix of the device tree's `compatible`. */
  readonly vendor: string;
  readonly product: string;
  /** 64 hex digits over the machine id and the first permanent MAC address; null while one of them is unknown. */
  readonly fingerprint: string | null;
  /**
   * The same over each permanent MAC address of the machine: which card comes up first must not make it another one.
   */
  readonly fingerprints: readonly string[];
}

/** What is stored in section `identity`. */
export interface IdentityRecord {
  readonly installId: string;
  /** The machine it was generated on; null when that could not be told. */
  readonly fingerprint: string | null;
  /** Every fingerprint that this machine was seen with; [] in a record of an earlier version. */
  readonly fingerprints: readonly string[];
  /** The id in force while the owner chose none. */
  readonly autoPanelId: string;
}

/** What the driver of the stored record is told; answered by one `record.written`. */
export interface RecordCommand {
  readonly type: 'record.write';
  readonly record: IdentityRecord;
}

/** What the identity's actors report. */
export type IdentityFact =
  /** `fresh` is 32 hex digits of randomness, used when an install id is generated. */
  | { readonly type: 'machine.observed'; readonly facts: MachineFacts; readonly fresh: string }
  /** `stored` is what the section holds, unjudged; null when it was never written. */
  | { readonly type: 'record.found'; readonly stored: unknown }
  | { readonly type: 'record.written'; readonly ok: boolean };

/** What the actor of who this panel is shows to the rest of the house. */
export interface IdentityActor {
  readonly id: 'identity';
  readonly context: IdentityContext;
  readonly event: never;
}
