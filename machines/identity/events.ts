export type IdentityEvent =
  | { readonly type: 'identity.renamed'; readonly panelId: string; readonly friendlyName: string; readonly manufacturer: string; readonly model: string }
  | { readonly type: 'identity.stop' };

/** Who this panel is: what the owner chose, else what the machine says. */
export interface IdentityContext {
  /** `[a-z0-9_]{1,63}`; the owner's `panel_id` or one minted once from the host name. */
  readonly panelId: string;
  /** 32 lower-case hex digits, minted once per machine; an identifier, so it stays out of status and diagnostics. */
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
