import type { BlockHeader } from "../../store/types.ts";
import { Fact, Facts, LongId } from "../../widgets/Facts.tsx";

/** The fourteen fields covered by a block's hash. */
export function HeaderFacts({ header }: { header: BlockHeader }) {
  const hashes = [
    ["last block", header.lastBlockId?.hash ?? ""],
    ["last commit", header.lastCommitHash],
    ["data", header.dataHash],
    ["validators", header.validatorsHash],
    ["next validators", header.nextValidatorsHash],
    ["consensus", header.consensusHash],
    ["app", header.appHash],
    ["last results", header.lastResultsHash],
    ["evidence", header.evidenceHash],
    ["proposer", header.proposerAddress],
  ] as const;
  return (
    <Facts>
      <Fact name="version">block {header.version?.block}</Fact>
      <Fact name="chain id">{header.chainId}</Fact>
      <Fact name="height">{header.height}</Fact>
      <Fact name="time">
        <span className="mono">{header.time}</span>
      </Fact>
      {hashes.map(([name, hash]) => (
        <Fact key={name} name={name}>
          {hash === "" ? (
            <span className="faint">empty</span>
          ) : (
            <LongId id={hash} name={`${name} hash`} />
          )}
        </Fact>
      ))}
    </Facts>
  );
}
