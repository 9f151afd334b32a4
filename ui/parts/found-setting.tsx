export interface FoundSetting {
  readonly href: string;
  readonly label: string;
  /** Title of its group. */
  readonly group: string;
  readonly help: string;
}

/** The row of a found setting; the whole row is the link. */
export const FoundRow = ({ setting: { href, label, group, help } }: { readonly setting: FoundSetting }) => (
  <li>
    <a class="found-link" href={href}>
      <b>{label}</b>
      <span class="hint">{group}</span>
      <span class="hint found-help">{help}</span>
    </a>
  </li>
);
