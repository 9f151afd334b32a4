#!/bin/busybox sh
# First process of the guest: mounts the host's root read-only, runs one bundle in it, and powers off.
/bin/busybox --install -s /bin
mount -t devtmpfs dev /dev
mount -t proc proc /proc
mount -t sysfs sysfs /sys
# shellcheck disable=SC2086 # parameters are several words
while read -r module parameters; do
  insmod "/modules/$module" $parameters || echo "SCONCE no-module $module"
done </modules/order
# By this word the host knows that its way of running the guest works.
echo "SCONCE started"
mount -t configfs config /sys/kernel/config
mkdir -p /host
if mount -t 9p -o ro,trans=virtio,version=9p2000.L,msize=262144,cache=loose host /host; then
  mount --move /dev /host/dev
  mount --move /proc /host/proc
  mount --move /sys /host/sys
  mount -t tmpfs tmp /host/tmp
  cp -r /bundle.mjs /dist /latency /node_modules /host/tmp/
  mkdir /host/tmp/bin
  cp /bin/busybox /host/tmp/bin/
  chroot /host /tmp/bin/busybox --install -s /tmp/bin
  # What a turn of voice starts; nothing runs them before.
  ln -s /usr/bin/arecord /usr/bin/aplay /host/tmp/bin/
  ifconfig lo 127.0.0.1 up
  SCONCE_BUNDLE=/tmp/dist/sconce.cjs HOME=/tmp chroot /host "$(cat /node)" /tmp/bundle.mjs
  echo "SCONCE exit $?"
  echo o > /host/proc/sysrq-trigger
else
  echo "SCONCE no-share"
  echo o > /proc/sysrq-trigger
fi
# The first process must not end before the machine does.
sleep 60
