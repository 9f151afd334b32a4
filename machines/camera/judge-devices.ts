import type { CameraScan, VideoDevice } from './events.ts';

/** Kernel drivers of codecs, scalers and picture processors: they have video nodes and see nothing. */
const PROCESSORS =
  /^(bcm2835-(codec|isp)|pispbe|rpi-?hevc.*|rpivid|hantro-vpu|rkvdec2?|rockchip-rga|rga|cedrus|sun\w+-(deinterlace|rotate)|coda|vdoa|imx-(pxp|vdic|media)|mxc-jpeg|meson-vdec|meson-ge2d|mtk-(vcodec|jpeg|mdp).*|s5p-(mfc|jpeg|g2d)|exynos-gsc|venus.*|qcom-venus.*|iris|amphion.*|wave5.*|vicodec|vim2m|visl|pxp|stm32-(dma2d|jpeg)|ti-vpe|e5010-jpeg)$/i;

/** Words in a node's name that say the same where the driver is not known. */
const PROCESSOR_NAME =
  /codec|decode|encode|(^|[-_ ])(dec|enc|isp|m2m|mem2mem|scaler|jpeg|rga|vpu|gsc|output|vid-out|stats|params|metadata|embedded)([-_: \d]|$)/i;

/**
 * Whether a node gives pictures of the room, as far as the kernel's description tells; opening it would be the only
 * proof.
 */
export function isCamera(device: VideoDevice): boolean {
  if (device.driver !== null && PROCESSORS.test(device.driver)) return false;
  if (PROCESSOR_NAME.test(device.name)) return false;
  return device.index === null || device.index === 0;
}

/** The verdict on one scan: `devices` is null when the system would not list them. */
export function judgeDevices(devices: readonly VideoDevice[] | null, suppressed: boolean): CameraScan {
  if (suppressed) return { found: 'none', detail: 'suppressed_by_profile' };
  if (devices === null) return { found: 'none', detail: 'undetermined' };
  const cameras = devices.filter(isCamera);
  if (cameras.length === 0) return { found: 'none', detail: 'not_enumerated' };
  return {
    found: 'devices',
    count: cameras.length,
    refused: cameras.filter((camera) => camera.access === 'refused').length,
  };
}
