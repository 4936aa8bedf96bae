import { STATUS, StatusError } from "../../engine/framework/errors.ts";
import type { LabAnswer, LabRequest } from "../../gen/lab/v1/lab_plain.ts";
import { readFamily } from "../../scenario/search/family.ts";
import { MOST_ANCESTORS } from "../../scenario/search/lineage.ts";
import type { Violation } from "../../scenario/search/search.ts";
import { wireProblems } from "../summary.ts";
import { familyFile } from "./family-file.ts";
import { noReturnOn } from "./no-return-parts.ts";
import type { Questions } from "./questions.ts";

const MOST_FUTURES = 1_000;

const NO_POINTS: LabAnswer<"findNoReturn"> = {
  ...{ problems: [], points: [], cliff: -1, unavoidable: -1, height: 0, scenario: "" },
  stopped: false,
};

/**
 * Computes the probability of a case's failure from each of its points; problems of the file are
 * part of the answer.
 */
export async function findNoReturn(
  questions: Questions,
  request: LabRequest<"findNoReturn">,
): Promise<LabAnswer<"findNoReturn">> {
  const { seed = 0, number = 0, futures = 0, ancestors = [], question: name = "" } = request;
  const { kind, property } = request;
  const end = kind && property ? { end: { kind: kind as Violation["kind"], property } } : {};
  if (futures < 1 || futures > MOST_FUTURES) {
    const text = `futures: expected a number from 1 to ${MOST_FUTURES}, found ${futures}`;
    throw new StatusError(STATUS.invalidArgument, text);
  }
  if (ancestors.length > MOST_ANCESTORS) {
    const text = `ancestors: expected at most ${MOST_ANCESTORS}, found ${ancestors.length}`;
    throw new StatusError(STATUS.invalidArgument, text);
  }
  const family = familyFile(request.family);
  const read = readFamily(family);
  if ("problems" in read) return { ...NO_POINTS, problems: wireProblems(read.problems) };
  return questions.run(name, futures, async (question) => {
    question.progress = { done: 0, of: futures };
    const {
      points,
      cliff = -1,
      unavoidable = -1,
      violation,
      scenario,
    } = await noReturnOn(
      question.workers,
      { family, seed, number, ancestors, futures, ...end },
      (done, of) => {
        question.progress = { done, of };
      },
      () => question.isStopped,
    );
    return {
      points: points.map(({ height, command, ended, futures: ran }) => ({
        ...{ height, command, ended, futures: ran },
      })),
      ...{ cliff, unavoidable, height: violation.height, scenario },
      problems: [],
      stopped: question.progress.done < futures,
    };
  });
}
