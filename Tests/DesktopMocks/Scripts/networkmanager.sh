#!/bin/sh
# NetworkManager in network and mount namespaces of its own, on the bus that DBUS_SYSTEM_BUS_ADDRESS names.
# It manages eth0, one end of a veth pair. Usage: networkmanager.sh DIRECTORY (for its files)
set -e
if [ -z "$IN_NAMESPACE" ]; then exec env IN_NAMESPACE=1 unshare --net --mount "$0" "$@"; fi

mount --make-rprivate /
# With a read-only /sys NetworkManager does not wait for udev, which does not run here.
mount -t sysfs -o ro sysfs /sys
for directory in /var/lib/NetworkManager /etc/NetworkManager /run/NetworkManager; do
    mkdir -p $directory
    mount -t tmpfs tmpfs $directory
done
mkdir -p /etc/NetworkManager/system-connections

cat > "$1/NetworkManager.conf" <<X
[main]
plugins=keyfile
auth-polkit=false
dns=none
rc-manager=unmanaged
systemd-resolved=false
no-auto-default=*
[connectivity]
enabled=false
[device]
managed=1
[keyfile]
unmanaged-devices=interface-name:peer0
X

ip link set lo up
ip link add eth0 type veth peer name peer0
ip link set peer0 up

exec NetworkManager --no-daemon --config="$1/NetworkManager.conf" --config-dir="$1/none" \
    --system-config-dir="$1/none" --pid-file="$1/NetworkManager.pid" --state-file="$1/NetworkManager.state"
