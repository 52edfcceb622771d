#!/usr/bin/env bash
# slurm.sh PROGRAMS: a job in a Slurm of one host, made for it: the script of docs/batch.md with
# `corpus`, preempted twice by a job of a partition that comes first. Slurm must queue it again each
# time and call it COMPLETED at the end, no section may be begun again once it is committed, and the
# corpus must be that of an uninterrupted run. Needs slurm-wlm and root; ends the daemons that it started.
set -euo pipefail

programs=$(realpath "$1")
source=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
folder=$(mktemp -d)
PATH=$PATH:/usr/sbin
daemons=()
end() {
  [[ -z ${job:-} ]] || { scancel --full "$job" && sleep 2; } 2>/dev/null || true
  [[ ${#daemons[@]} -eq 0 ]] || kill "${daemons[@]}" 2>/dev/null || true
  wait
  rm -rf "$folder"
}
trap end EXIT
fail() {
  printf 'slurm.sh: %s\n' "$1" >&2
  tail -n 20 "$folder"/*.log "$folder"/job.out >&2 || true
  exit 1
}

free_port() {
  local port
  for ((port = 20000 + RANDOM % 20000; ; ++port)); do
    (exec 3<>/dev/tcp/127.0.0.1/$port) 2>/dev/null || { echo $port; return; }
  done
}
export SLURM_CONF=$folder/slurm.conf
cat >"$SLURM_CONF" <<END
ClusterName=one
SlurmctldHost=$(hostname -s)(127.0.0.1)
SlurmctldPort=$(free_port)
SlurmdPort=$(free_port)
SlurmUser=root
AuthType=auth/none
AuthInfo=cred_expire=5
CredType=cred/none
ProctrackType=proctrack/pgid
TaskPlugin=task/none
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.pid
SlurmctldLogFile=$folder/slurmctld.log
SlurmdLogFile=$folder/slurmd.log
SelectType=select/linear
PreemptType=preempt/partition_prio
PreemptMode=REQUEUE
JobRequeue=1
KillWait=5
ReturnToService=2
NodeName=$(hostname -s) NodeAddr=127.0.0.1 State=UNKNOWN
PartitionName=low Nodes=ALL Default=YES PriorityTier=1 GraceTime=30 MaxTime=60
PartitionName=high Nodes=ALL PriorityTier=10 PreemptMode=OFF MaxTime=60
END
mkdir "$folder/state" "$folder/spool"
slurmctld -D >/dev/null 2>&1 &
daemons+=($!)
slurmd -D >/dev/null 2>&1 &
daemons+=($!)

# until SECONDS COMMAND...: tries it each second.
until_true() {
  local left=$1
  shift
  until "$@" >/dev/null 2>&1; do
    ((left-- > 0)) || return 1
    sleep 1
  done
}
is_idle() { [[ $(sinfo -h -o %t) == *idle* ]]; }
until_true 30 is_idle || fail "Slurm does not start"

command="$programs/corpus generate --city Yorkbori --target-words 3000 --section-words 100"
$command --start-time 2026-01-01T00:00:00Z --out "$folder/whole" >/dev/null 2>&1 ||
  fail "an uninterrupted run fails"
awk '/^```sh/ { code = 1; next } /^```/ && code { exit } code' \
  <(sed -n '/^## Slurm/,$p' "$source/docs/batch.md") >"$folder/job.sh"
grep -q 'simulate resume' "$folder/job.sh" || fail "docs/batch.md has no script for Slurm"
sed -i "s|./simulate resume|$command --start-time 2026-01-01T00:00:00Z --pace 1000 --out $folder/out \
--events $folder/events.jsonl|" "$folder/job.sh"

cd "$folder"
job=$(sbatch --parsable --output="$folder/job.out" job.sh) || fail "sbatch"
committed() { grep -cs '"event":"committed"' "$folder/events.jsonl" || true; }
has_more() { [[ $(committed) -gt $1 ]]; }
is() { scontrol show job "$job" | grep -q "$1"; }
for restart in 1 2; do
  until_true 90 has_more "$(($(committed) + 3))" || fail "job $job makes no progress"
  sbatch --wait --partition=high --output=/dev/null --wrap 'sleep 1' >/dev/null || fail "sbatch"
  until_true 90 is "Restarts=$restart" || fail "job $job was not queued again"
done
until_true 180 is 'JobState=COMPLETED' || fail "$(scontrol show job "$job")"

sections=$(sed -n 's/^{"event":"\(item_started\|committed\)".*"item":"\([^"]*\)".*/\1 \2/p' events.jsonl)
[[ -n $sections ]] || fail "no section was written"
again=$(awk '$1 == "committed" { done[$2] = 1; next } $2 in done' <<<"$sections")
[[ -z $again ]] || fail "begun again after a commit: $again"
diff -r --exclude=.resumable "$folder/whole" "$folder/out" >/dev/null || fail "another corpus"
echo "preempted twice, queued again, COMPLETED; $(grep -c ^committed <<<"$sections") sections, each committed once"
