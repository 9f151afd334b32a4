/** A profile to start from, with a comment on every section; it passes the schema as it is. */
export const templateYaml = (): string => `# A profile says what a panel has and which driver of Sconce reaches it.
# It never carries commands, scripts, paths or addresses that are fetched.
schema: 1
# Stable name for programs: lower-case letters and digits, single dots and dashes inside.
id: my-panel
version: 0.1.0
# Name for people.
display_name: My panel
metadata:
  author: Your name
  # SPDX identifier.
  license: MIT
  # draft is untried, experimental was tried in part, verified works on the hardware.
  maturity: draft
  # Systems on which it was run.
  tested_firmware: []
  # What does not work or was not tried.
  limitations:
    - Nothing was tried.
  # Shown, never fetched.
  links: []
requires:
  # Every driver that is named below.
  drivers: [screen.auto, input.evdev, volume.system, loudspeaker.system, power.system]
match:
  # Only profiles that come with Sconce are chosen automatically; these rules say which machines it is meant for.
  priority: 100
  fallback: false
  any:
    - priority: 100
      all:
        - { field: devicetree_model, op: starts_with, values: [my panel] }
platform:
  # linux, android or simulated.
  os: linux
hardware:
  screen: { driver: screen.auto }
  volume: { driver: volume.system }
  loudspeaker: { driver: loudspeaker.system }
  power: { driver: power.system }
  # auto uses the camera that the system shows; absent means that there is none. A driver says which one:
  # camera: { driver: camera.v4l2, options: { rotate: 180 } }
  camera: auto
  # The same of the microphone:
  # microphone: { driver: microphone.system, options: { source: alsa_input.usb-mic } }
  microphone: auto
input: { driver: input.evdev }
display:
  physical_ppi: 160
provisioning:
  packages: []
`;
