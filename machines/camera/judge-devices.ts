import type { CameraScan, VideoDevice } from './events.ts';

/** Kernel drivers of codecs, scalers and picture processors: they have video nodes but no lens. */
const PROCESSORS =
  /^(bcm2835-(codec|isp)|pispbe|rpi-?hevc.*|rpivid|hantro-vpu|rkvdec2?|rockchip-rga|rga|cedrus|sun\w+-(deinterlace|rotate)|coda|vdoa|imx-(pxp|vdic|media)|mxc-jpeg|meson-vdec|meson-ge2d|mtk-(vcodec|jpeg|mdp).*|s5p-(mfc|jpeg|g2d)|exynos-gsc|venus.*|qcom-venus.*|iris|amphion.*|wave5.*|vicodec|vim2m|visl|pxp|stm32-(dma2d|jpeg)|ti-vpe|e5010-jpeg)$/i;

/** Words in a node's name that mean the same if the driver is unknown. */
const PROCESSOR_NAME =
  /codec|decode|encode|(^|[-_ ])(dec|enc|isp|m2m|mem2mem|scaler|jpeg|rga|vpu|gsc|output|vid-out|stats|params|metadata|embedded)([-_: \d]|$)/i;

/** True if a node should give pictures of the room, by the kernel's description; only opening it would prove it. */
export function isCamera(device: VideoDevice): boolean {
  if (device.driver !== null && PROCESSORS.test(device.driver)) return false;
  if (PROCESSOR_NAME.test(device.name)) return false;
  return device.index === null || device.index === 0;
}

/** Judges one scan; `devices` is null if the system would not list them. */
export function judgeDevices(devices: readonly VideoDevice[] | null, suppressed: boolean): CameraScan {
  if (suppressed) return { found: 'none', detail: 'suppressed_by_profile' };
  if (devices === null) return { found: 'none', detail: 'undetermined' };
  const cameras = devices.filter(isCamera);
  const [first] = cameras;
  if (first === undefined) return { found: 'none', detail: 'not_enumerated' };
  return {
    found: 'devices',
    count: cameras.length,
    refused: cameras.filter((camera) => camera.access === 'refused').length,
    chosen: first.name,
  };
}
