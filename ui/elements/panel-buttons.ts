import { closest } from './closest.ts';

/** What a page may want on the panel's own screen; its browser gives this to the panel's own pages only. */
interface PanelBridge {
  readonly wants: (what: string) => void;
}

const bridge = (): PanelBridge | undefined =>
  // Set by the panel's browser before a page starts.
  (window as { readonly sconcePanel?: PanelBridge }).sconcePanel;

/** Shows what is only for the panel's own screen (`data-wants`), and hides what is for other screens. */
export function suitPlace(root: ParentNode): void {
  const isPanel = bridge() !== undefined;
  for (const element of Array.from(root.querySelectorAll<HTMLElement>('[data-wants],[data-at-panel],[data-elsewhere]')))
    element.hidden = 'elsewhere' in element.dataset === isPanel;
}

/** Starts the buttons for the panel's own screen: what they ask for is shown there, and nowhere else. */
export function startPanelButtons(): void {
  document.addEventListener('click', (event) => {
    const wanted = closest(event, '[data-wants]')?.dataset['wants'];
    if (wanted !== undefined) bridge()?.wants(wanted);
  });
}
