import { cameraSessionSpec } from '#actors/camera-session.ts';
import type { Part } from '#actors/kit/part.ts';
import { cameraCapture } from '#drivers/camera/capture.ts';
import type { CameraDevice } from '#drivers/camera/device.ts';
import { createHomePeer } from '#drivers/camera/home-peer.ts';
import { createFrameHub } from '#drivers/camera/hub.ts';
import { createOpenTasks } from '#drivers/kit/open-tasks.ts';
import { rtspServer } from '#drivers/camera/rtsp/server.ts';
import { cameraStills } from '#drivers/camera/still.ts';
import { cameraHeights, encodeBounds } from '#machines/camera-session/events.ts';
import { isLanPeer } from '#machines/http/lan-peer.ts';
import type { PartDeps } from './deps.ts';

const elapsed = (): number => performance.now();

/** The camera's session, and the drivers that share its frames. */
export function cameraSessionPart({ registry, streamPort }: PartDeps, device: CameraDevice): Part {
  const hub = createFrameHub(elapsed);
  const open = createOpenTasks();
  const isHome = createHomePeer(() => {
    const address = registry.read('settings')?.context.values['ha_url'];
    return typeof address === 'string' ? address : '';
  }, elapsed);
  return cameraSessionSpec({
    registry,
    capture: cameraCapture({ device, hub, elapsed, open }),
    stream: rtspServer({ hub, elapsed, limits: { heights: cameraHeights, ...encodeBounds }, isLanPeer, isHome }),
    stills: cameraStills({ hub }),
    closed: open.closed,
    port: streamPort,
  });
}
