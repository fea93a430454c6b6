/**
 * Counts the tests of vitest's JSON report. A test file that could not even be loaded counts as one failure.
 *
 * @typedef {{ status: string, assertionResults: { status: string }[] }} FileResult
 * @param {{ testResults: FileResult[] } | undefined} report
 */
export function countTests(report) {
  const counts = { passed: 0, failed: 0, skipped: 0 };
  for (const file of report?.testResults ?? []) {
    let failedHere = 0;
    for (const { status } of file.assertionResults) {
      if (status === 'passed') counts.passed += 1;
      else if (status === 'failed') failedHere += 1;
      else counts.skipped += 1;
    }
    if (file.status === 'failed' && failedHere === 0) failedHere = 1;
    counts.failed += failedHere;
  }
  return counts;
}
