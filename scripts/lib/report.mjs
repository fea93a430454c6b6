/**
 * Prints what a check found and sets the exit code.
 *
 * @param {readonly string[]} problems
 * @param {string} success what to say when there are none
 */
export function reportProblems(problems, success) {
  for (const problem of problems) console.error(problem);
  if (problems.length === 0) console.log(success);
  process.exitCode = problems.length === 0 ? 0 : 1;
}
