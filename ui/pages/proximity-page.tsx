import type { ProximityDocument } from '#machines/proximity/document.ts';
import type { StatusDocument } from '#machines/status.ts';
import { ProximityView } from '../parts/proximity-view.tsx';
import { Shell } from '../parts/shell.tsx';

/** `/proximity-setup`: the proximity sensor and its guided calibration. */
export const ProximityPage = ({
  status,
  doc,
}: {
  readonly status: StatusDocument;
  readonly doc: ProximityDocument;
}) => (
  <Shell status={status} page="proximity">
    <sconce-proximity>
      <ProximityView doc={doc} />
    </sconce-proximity>
    <p class="said" role="status" data-said="proximity"></p>
  </Shell>
);
