#!/usr/bin/env bash
# radosgw.sh COMMAND...: runs COMMAND while a radosgw of its own serves S3 from memory, on ports of
# the loopback interface. RESUMABLE_TEST_S3 is its endpoint; it has an empty bucket named `bucket`,
# and a user with the credentials of tests/s3/server.hpp. Needs radosgw, ceph-mon, ceph-osd and curl.
set -euo pipefail

id=AKIDEXAMPLE secret=wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY
dir=$(mktemp -d)
pids=()
finish() {
  [[ ${#pids[@]} -eq 0 ]] || kill -9 "${pids[@]}" 2>/dev/null || true
  wait 2>/dev/null || true
  rm -rf "$dir"
}
trap finish EXIT
mkdir "$dir"/{mon,osd,rgw,run}
mon=$((20000 + RANDOM % 5000)) port=$((25000 + RANDOM % 5000))
fsid=$(cat /proc/sys/kernel/random/uuid)
export CEPH_CONF=$dir/ceph.conf

cat >"$CEPH_CONF" <<END
[global]
fsid = $fsid
mon host = [v1:127.0.0.1:$mon]
public addr = 127.0.0.1
cluster addr = 127.0.0.1
auth cluster required = none
auth service required = none
auth client required = none
run dir = $dir/run
admin socket = $dir/run/\$name.socket
log file = $dir/\$name.log
mon data = $dir/mon
mon allow pool size one = true
mon max pg per osd = 1000
osd data = $dir/osd
osd objectstore = memstore
memstore device bytes = 2147483648
osd pool default size = 1
osd pool default min size = 1
osd pool default pg num = 4
osd crush chooseleaf type = 0
osd crush update on start = false
osd class update on start = false
[client.rgw]
rgw data = $dir/rgw
rgw frontends = beast endpoint=127.0.0.1:$port
END

quietly() { "$@" >>"$dir/out" 2>&1 || { cat "$dir/out" >&2; exit 1; }; }
start() { "$@" -f >>"$dir/out" 2>&1 & pids+=($!); }

quietly monmaptool --create --addv a "[v1:127.0.0.1:$mon]" --fsid "$fsid" "$dir/monmap"
quietly ceph-mon -i a --mkfs --monmap "$dir/monmap"
start ceph-mon -i a
disk=$(cat /proc/sys/kernel/random/uuid)
quietly timeout 60 ceph osd new "$disk"
quietly ceph-osd -i 0 --mkfs --osd-uuid "$disk"
start ceph-osd -i 0
quietly timeout 60 ceph osd crush add osd.0 1 root=default host=here
quietly timeout 120 radosgw-admin -n client.rgw user create --uid=test --display-name=test \
  --access-key="$id" --secret="$secret"
start radosgw -n client.rgw
export RESUMABLE_TEST_S3=http://127.0.0.1:$port
quietly curl -fsS --retry 100 --retry-delay 1 --retry-connrefused -X PUT \
  --aws-sigv4 aws:amz:us-east-1:s3 --user "$id:$secret" "$RESUMABLE_TEST_S3/bucket" \
  -H 'x-amz-content-sha256: e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'

"$@"
