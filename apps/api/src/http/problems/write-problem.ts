import type { ServerResponse } from 'node:http';
import type { ProblemDocument } from '@charter/problems';

/**
 * The content type of problems. Contains the character set, because some older clients read an unknown JSON type as
 * Latin-1.
 */
const PROBLEM_TYPE = 'application/problem+json; charset=utf-8';

/** A problem document as an HTTP answer, which the process can send or store. */
export type ProblemAnswer = Readonly<{ status: number; headers: Readonly<Record<string, string>>; body: string }>;

/**
 * Writes the problem document for a request. No other code writes problem documents. `instance` is the request's id.
 */
export function writeProblem(
  problem: ProblemDocument,
  instance: string,
  headers: Readonly<Record<string, string>> = {},
): ProblemAnswer {
  const body = JSON.stringify({ ...problem, instance });
  return { status: problem.status, headers: { ...headers, 'Content-Type': PROBLEM_TYPE }, body };
}

/** Sends a problem from code outside of Express. */
export function sendProblemAnswer(response: ServerResponse, { status, headers, body }: ProblemAnswer): void {
  response.writeHead(status, { ...headers, 'Content-Length': String(Buffer.byteLength(body)) }).end(body);
}
