#!/bin/sh
# Drives the programs of the field that are on the PATH against a node: grpcurl, Prometheus, and Cosmovisor through a
# real halt. Says of each that is not there how it is had.
set -eu
cd "$(dirname "$0")/.."
home=$(mktemp -d); pids=
finish() { for pid in $pids; do kill -- "-$pid" 2>/dev/null || true; done; wait; rm -rf "$home"; }
trap finish EXIT
rest=127.0.0.1:21317 grpc=127.0.0.1:29090 rpc=127.0.0.1:26697 prometheus=127.0.0.1:29091
doors="--rest $rest --grpc $grpc --rpc $rpc"

# Waits for a command to succeed, a minute at most.
await() { for _ in $(seq 120); do "$@" >/dev/null 2>&1 && return 0; sleep 0.5; done; echo "not seen: $*" >&2; return 1; }
# Runs a program beside this one until it is ended, whatever it then ends with. It is ended with all that it has
# started: after an upgrade Cosmovisor 1.5 passes a signal to the program before, and leaves the second one running.
begin() { setsid "$@" & pids="$! $pids"; }
end() { for pid in $pids; do kill -- "-$pid" 2>/dev/null || true; wait "$pid" || true; done; pids=; }
# Succeeds if nothing answers there.
gone() { ! curl -s "$rest/health" >/dev/null; }

if command -v grpcurl >/dev/null; then
  begin node bin/chainlab.mjs start --ephemeral --speed 10 --quiet $doors
  await grpcurl -plaintext $grpc list
  grpcurl -plaintext $grpc list | grep -qx cosmos.upgrade.v1beta1.Query
  grpcurl -plaintext $grpc describe cosmos.evidence.v1beta1.Equivocation | grep -q consensus_address
  grpcurl -plaintext $grpc cosmos.bank.v1beta1.Query/TotalSupply | grep -q stake
  grpcurl -plaintext $grpc cosmos.staking.v1beta1.Query/Validators | grep -q cosmos.crypto.ed25519.PubKey
  grpcurl -plaintext -d '{"path":"/cosmos.upgrade.v1beta1.Query/CurrentPlan"}' $grpc cosmos.base.tendermint.v1beta1.Service/ABCIQuery | grep -q height
  grpcurl -plaintext -max-time 20 $grpc lab.v1.Watch/Blocks 2>/dev/null | grep -q -m 1 height
  ! grpcurl -plaintext -d '{"module_name":"x"}' $grpc cosmos.upgrade.v1beta1.Query/ModuleVersions >"$home/refused" 2>&1
  grep -q ErrorInfo "$home/refused"
  end
  echo "grpcurl: passed"
else
  echo "grpcurl is not on the PATH, and was skipped: go install github.com/fullstorydev/grpcurl/cmd/grpcurl@v1.9.3"
fi

if command -v prometheus >/dev/null; then
  begin node bin/chainlab.mjs start --ephemeral --speed 10 --quiet $doors
  await curl -sf $rest/metrics
  cat > "$home/prometheus.yml" <<SETTINGS
scrape_configs:
  - job_name: chainlab
    scrape_interval: 1s
    static_configs: [{ targets: ["$rest", "$rpc"] }]
SETTINGS
  begin prometheus --config.file="$home/prometheus.yml" --storage.tsdb.path="$home/tsdb" \
    --web.listen-address=$prometheus --log.level=error
  asked() { curl -sfG $prometheus/api/v1/query --data-urlencode "query=$1" | grep -q "\"result\":\[{"; }
  await asked 'sum(up) == 2'
  await asked 'cometbft_consensus_latest_block_height > 1'
  await asked 'histogram_quantile(0.5, cometbft_consensus_block_interval_seconds_bucket) > 0'
  await asked 'cosmos_validator_watcher_validated_blocks{name="val-0"} > 1'
  end
  echo "Prometheus: passed"
else
  echo "Prometheus is not on the PATH, and was skipped: apt-get install prometheus"
fi

if command -v cosmovisor >/dev/null; then
  cat > "$home/up.yaml" <<'SCENARIO'
scenario: 1
name: up
title: Up
genesis: { validators: 4 }
binaries: { v2: { modules: { bank: 5 }, handlers: [v2] } }
steps: [{ upgrade: { name: v2, at: 30, until: decided } }]
SCENARIO
  node bin/chainlab.mjs init --home "$home/lab" --scenario "$home/up.yaml"
  node bin/chainlab.mjs cosmovisor-home --home "$home/lab" --binaries v1,v2 > "$home/settings"
  set -a; . "$home/settings"; set +a
  begin cosmovisor run start --home "$home/lab" --speed 10 --quiet $doors
  await sh -c "curl -s $rest/lab/v1/nodes/val-0 | grep -q '\"binary\":\"v2\"'"
  await sh -c "curl -s $rest/lab/v1/nodes/val-0 | grep -Eq '\"height\":\"?(3[1-9]|[4-9].)'"
  grep -q '"height": *30' "$home/lab/data/upgrade-info.json"
  test "$(readlink -f "$home/lab/cosmovisor/current")" = "$(readlink -f "$home/lab/cosmovisor/upgrades/v2")"
  ls -d "$home"/lab/data-backup-* >/dev/null
  end
  await gone
  # Started again, it goes on with the second binary from the same home.
  begin cosmovisor run start --home "$home/lab" --speed 10 --quiet $doors
  await sh -c "curl -s $rest/lab/v1/nodes/val-0 | grep -q '\"binary\":\"v2\"'"
  end
  await gone
  echo "Cosmovisor: passed"
else
  echo "cosmovisor is not on the PATH, and was skipped: go install cosmossdk.io/tools/cosmovisor/cmd/cosmovisor@v1.5.0"
fi
