import type { ServerResponse } from 'node:http';
import type { ProblemDocument } from '@charter/problems';

/** Names the character set, because older clients read JSON of an unknown type as Latin-1. */
const PROBLEM_TYPE = 'application/problem+json; charset=utf-8';

/** An answer, ready to be sent or stored. */
export type ProblemAnswer = Readonly<{ status: number; headers: Readonly<Record<string, string>>; body: string }>;

/** Writes the problem document of a request. No other code writes one. `instance` is the id of the request. */
export function writeProblem(
  problem: ProblemDocument,
  instance: string,
  headers: Readonly<Record<string, string>> = {},
): ProblemAnswer {
  const body = JSON.stringify({ ...problem, instance });
  return { status: problem.status, headers: { ...headers, 'Content-Type': PROBLEM_TYPE }, body };
}

/** Sends a problem from code that runs outside Express. */
export function sendProblemAnswer(response: ServerResponse, { status, headers, body }: ProblemAnswer): void {
  response.writeHead(status, { ...headers, 'Content-Length': String(Buffer.byteLength(body)) }).end(body);
}
