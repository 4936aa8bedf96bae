import { STATUS, StatusError } from "../../engine/framework/errors.ts";
import type { LabAnswer, LabRequest } from "../../gen/lab/v1/lab_plain.ts";
import { coverageOf } from "../../scenario/search/coverage.ts";
import { familyFile } from "./family-file.ts";
import { inParts } from "./in-parts.ts";
import type { Questions } from "./questions.ts";

const COVERED_FILES = 200;

/**
 * Runs files to their end and reports their coverage; a file that cannot be run is part of the
 * answer.
 */
export async function findCoverage(
  questions: Questions,
  { files = [], question: name = "" }: LabRequest<"findCoverage">,
): Promise<LabAnswer<"findCoverage">> {
  if (files.length > COVERED_FILES) {
    const text = `files: expected at most ${COVERED_FILES}, found ${files.length}`;
    throw new StatusError(STATUS.invalidArgument, text);
  }
  return questions.run(name, files.length, async (question) => {
    const of = files.length;
    let done = 0;
    question.progress = { done, of };
    const covered = await inParts(
      question.workers,
      files,
      async (file) => {
        const one = await question.workers.do("cover", familyFile(file));
        done += 1;
        question.progress = { done, of };
        return one;
      },
      () => question.isStopped,
    );
    const { outcomes } = coverageOf(covered.flatMap(({ run }) => run ?? []));
    return {
      outcomes: outcomes.map(
        ({ name: outcome, group, words, by, reachable, files: reachedIn }) => ({
          ...{ name: outcome, group, words, by, reachable, files: reachedIn.length },
          reachedIn: [...reachedIn],
        }),
      ),
      problems: covered.flatMap(({ problem }) => problem ?? []),
      files: covered.length,
    };
  });
}
