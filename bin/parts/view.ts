import { entityFilterScan } from '#actors/entity-filter-scan.ts';
import { entityFilterSpec } from '#actors/entity-filter.ts';
import { rendererSpec } from '#actors/renderer.ts';
import { readAccessToken } from '#actors/sign-in.ts';
import { filterDocument } from '#drivers/entity-filter/document.ts';
import { chromiumBrowser } from '#drivers/renderer/chromium.ts';
import { byProgram } from '#drivers/renderer/choose.ts';
import { firefox, foreignBrowser } from '#drivers/renderer/foreign.ts';
import { reachabilityProbe } from '#drivers/renderer/reachability-probe.ts';
import { emptyState, readPersisted } from '#machines/entity-filter/document.ts';
import type { Wiring } from './deps.ts';

export const viewParts: Wiring = ({ registry, renderer, profile, folder, now, version, questions, mark, overlay }) => [
  rendererSpec({
    registry,
    asked: renderer,
    simulated: profile.simulated,
    reachability: reachabilityProbe({ now }),
    browser: byProgram({
      builtin: chromiumBrowser({
        folder,
        accessToken: (force) => readAccessToken(registry, force),
        now,
        version,
        questions,
        mark,
        overlay,
      }),
      firefox: foreignBrowser(firefox, { folder, now }),
    }),
  }),
  entityFilterSpec({
    registry,
    scanner: entityFilterScan({ registry, now }),
    store: filterDocument({ folder, parse: readPersisted, empty: emptyState }),
  }),
];
