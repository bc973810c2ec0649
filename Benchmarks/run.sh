#!/bin/sh
# Runs a built benchmark in a private network namespace (no root needed): run.sh PROGRAM [ARGUMENTS]
set -eu
if [ -z "${BENCHMARK_NETWORK:-}" ]; then
    BENCHMARK_NETWORK=1 exec unshare -rnm "$0" "$@"
fi
# The resolver is this host, where a benchmark listens; nobody outside of this mount namespace sees the file.
resolver=$(mktemp)
echo "nameserver 127.0.0.1" >"$resolver"
mount --bind "$resolver" /etc/resolv.conf
rm "$resolver"
ip link set lo up
ip link add bench0 type veth peer name bench1
ip link set bench1 up
ip link set bench0 up
ip addr add 10.0.0.2/24 dev bench0
ip route add default dev bench0 proto static
exec "$@"
