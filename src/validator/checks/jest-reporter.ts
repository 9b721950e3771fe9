/**
 * A reporter for jest, as a module of its own: jest's JSON report beside it, with the name of each file's project, which
 * jest's own report lacks (as it lacks everything where `--bail` ended the run).
 */
export const JEST_REPORTER = `
const { writeFileSync } = require('node:fs')
const { join } = require('node:path')
module.exports = class {
  onRunComplete(_, results) {
    const testResults = results.testResults.map((file) => ({
      name: file.testFilePath,
      project: (file.displayName && file.displayName.name) || file.displayName,
      status: file.testExecError || file.failureMessage || file.numFailingTests > 0 ? 'failed' : 'passed',
      message: file.failureMessage,
      assertionResults: file.testResults.map(({ ancestorTitles, title, status, failureMessages }) => ({
        ancestorTitles, title, status, failureMessages,
      })),
    }))
    writeFileSync(join(__dirname, 'jest.json'), JSON.stringify({ testResults }))
  }
}
`
