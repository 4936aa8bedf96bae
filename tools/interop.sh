#!/bin/sh
# Drives the programs of the field that are on the PATH against a node: grpcurl, and Cosmovisor through a real halt.
set -eu
cd "$(dirname "$0")/.."
home=$(mktemp -d); daemon=
finish() { [ -z "$daemon" ] || { kill "$daemon" 2>/dev/null || true; wait "$daemon" 2>/dev/null || true; }; rm -rf "$home"; }
trap finish EXIT
doors="--rest 127.0.0.1:21317 --grpc 127.0.0.1:29090 --rpc 127.0.0.1:26697"

# Waits for a command to succeed, a minute at most.
await() { for _ in $(seq 120); do "$@" >/dev/null 2>&1 && return 0; sleep 0.5; done; echo "not seen: $*" >&2; return 1; }

if command -v grpcurl >/dev/null; then
  node bin/chainlab.mjs start --ephemeral --speed 10 --quiet $doors & daemon=$!
  await grpcurl -plaintext 127.0.0.1:29090 list
  grpcurl -plaintext 127.0.0.1:29090 cosmos.bank.v1beta1.Query/TotalSupply | grep -q stake
  grpcurl -plaintext 127.0.0.1:29090 cosmos.staking.v1beta1.Query/Validators | grep -q cosmos.crypto.ed25519.PubKey
  kill "$daemon"; wait "$daemon"; daemon=
  echo "grpcurl: passed"
else
  echo "grpcurl is not on the PATH: go install github.com/fullstorydev/grpcurl/cmd/grpcurl@v1.9.3"
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
  UNSAFE_SKIP_BACKUP=true cosmovisor run start --home "$home/lab" --speed 10 $doors & daemon=$!
  await sh -c 'curl -s 127.0.0.1:21317/lab/v1/nodes/val-0 | grep -q "\"binary\":\"v2\""'
  kill "$daemon"; wait "$daemon"; daemon=
  echo "Cosmovisor: passed"
else
  echo "cosmovisor is not on the PATH: go install cosmossdk.io/tools/cosmovisor/cmd/cosmovisor@v1.5.0"
fi
