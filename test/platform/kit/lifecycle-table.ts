import { type PanelName, panelNames, type PanelView, perPanel } from './lifecycle-panels.ts';

/** What all panels say at one moment. */
export type Views = Readonly<Record<PanelName, PanelView>>;

/** A row: what happened, and what one panel said while it lasted and once it was over. */
interface Row {
  readonly event: string;
  readonly panel: PanelName;
  readonly away: string;
  readonly during: string;
  readonly back: string;
  readonly after: string;
}

/** States that a panel went through since `from`, with their sources; `normal` only says that a minute has passed. */
export const statesSince = (now: PanelView, from: PanelView): readonly string[] =>
  now.words.slice(from.words.length).filter((word) => word !== 'normal');

/** Verdict and counts as on the health line, and `unprobed` where no ping was sent for five minutes. */
const countsOf = ({ verdict, probes, misses, unprobed }: PanelView): string =>
  verdict === null ? 'absent' : `${verdict} n=${probes} miss=${misses}${unprobed ? ' unprobed' : ''}`;

/** Collects rows, and prints them as a table. */
export function lifecycleTable() {
  const rows: Row[] = [];
  return {
    note: (event: string, before: Views, during: Views, after: Views): void => {
      for (const panel of panelNames) {
        rows.push({
          event,
          panel,
          away: statesSince(during[panel], before[panel]).join(', ') || (during[panel].words.at(-1) ?? '-'),
          during: countsOf(during[panel]),
          back: statesSince(after[panel], during[panel]).join(', ') || (after[panel].words.at(-1) ?? '-'),
          after: countsOf(after[panel]),
        });
      }
    },
    print: (): void => {
      const lines = [
        ['event', 'panel', 'while it lasts', 'verdict', 'afterwards', 'verdict'],
        ...rows.map(({ event, panel, away, during, back, after }) => [event, panel, away, during, back, after]),
      ];
      const widths = [0, 1, 2, 3, 4, 5].map((at) => Math.max(...lines.map((cells) => cells[at]?.length ?? 0)));
      for (const cells of lines)
        console.log(
          cells
            .map((cell, at) => cell.padEnd(widths[at] ?? 0))
            .join(' | ')
            .trimEnd(),
        );
    },
  };
}

/** The last state of each panel since `before`; `same` where nothing changed. */
export const lastStates = (now: Views, before: Views): Readonly<Record<PanelName, string>> =>
  perPanel((name) => statesSince(now[name], before[name]).at(-1) ?? 'same');
