import { type Command, Option } from 'commander';
import type { Open } from './context.js';
import type { ImportOptions } from './import-report.js';
import { outputOption, readId, wordOption } from './options.js';
import { reportFormats, scanKinds, severities } from '../values.js';

const examples = `
Repository, branch and commit are those of the pipeline (GitHub, GitLab,
Jenkins, CircleCI, Buildkite, Azure), else of the Git checkout around the
present folder. Where a report names its repository or site, that counts.

A policy is YAML or JSON:
  failOn: high           # none as severe, or worse, may be there
  newOnly: true          # only new issues count, and those open again
  maximum: {medium: 10}  # so many of a severity may be there
  ignore:                # what does not count, until a day is over
    - {rule: log-injection, reason: accepted, until: 2027-05-31}
    - {path: "test/**", asset: "*/shop", reason: tests, until: 2027-05-31}

Where a tool runs over the parts of a repository, give each run a --category:
the reports of a category follow each other, and leave those of others alone.

Paths below the checkout become relative, so that a finding is the same on
every machine: below --root, else the pipeline's folder (GITHUB_WORKSPACE,
CI_PROJECT_DIR, WORKSPACE, BUILD_SOURCESDIRECTORY …), else Git's top level.

-o json prints {gate, reports}, whatever was asked; gate is null without one.

Exit codes: 6 where a gate (--fail-on, --policy) does not let it through; 7
where it is closed since a tool did not run, or not to its end, and where a
report is empty. --allow-empty lets both pass.

Examples:
  store scans import results.sarif --fail-on high --new-only
  store scans import results.sarif --branch main --resolve-gone --dry-run
  store scans import results.sarif --category front --resolve-gone
  store scans import zap.json --asset https://shop.example.com --policy .store-gate.yml --junit gate.xml
  nuclei -u https://shop.example.com -jsonl | store scans import - --format nuclei-jsonl --allow-empty`;

/** `scans import`. */
export function addImport(scans: Command, open: Open): void {
  scans
    .command('import')
    .summary("import other scanners' reports as scans, and let them pass or not")
    .description(
      'Import reports of other scanners (SARIF 2.1.0, OWASP ZAP, Nuclei, CycloneDX, Trivy, npm audit, GitLab, Burp; gzipped or not), each as a ' +
        'scan at its end, with its assets, issues and events. What could not be read, or was cut, is named.',
    )
    .argument('<files...>', 'the reports, or - for standard input')
    .addOption(new Option('--format <format>', 'found from the content if left out').choices(reportFormats))
    .option(
      '--mapping <file>',
      'a JSON file that says how a report without a format of its own is read (docs/scans.md)',
    )
    .option('--asset <name|uri>', 'what all findings are of, such as a repository; what the report says if left out')
    .option('--branch <name>', 'the branch that was scanned; that of the pipeline or checkout if left out')
    .option('--commit <id>', 'the commit that was scanned; that of the pipeline or checkout if left out')
    .option('--default-branch <name>', 'what others are merged into; that of the pipeline or checkout if left out')
    .option('--pull-request <number>', 'the pull request that was scanned; that of the pipeline if left out')
    .option('--committed-at <time>', 'when the commit was made; what the pipeline says if left out')
    .option('--profile-id <id>', 'the profile of the scan; one named after the scanner if left out', readId)
    .addOption(wordOption('--kind <kind>', 'the kind of the scan; that of the scanner if left out', scanKinds))
    .addOption(wordOption('--fail-on <severity>', 'end with 6 where an open issue is as severe, or worse', severities))
    .option('--new-only', 'let only new issues fail, and those that are open again')
    .option('--policy <file>', 'fail by a policy, such as .store-gate.yml')
    .option('--category <name>', 'what parts several runs of one tool, such as front; that of the report if left out')
    .option('--root <folder>', 'the checkout in which the tool ran; that of the pipeline, else of Git, if left out')
    .option('--allow-empty', 'take an empty report for a clean scan, and let tools pass that did not run')
    .option(
      '--resolve-gone',
      'resolve what the report before of this tool, category and branch had, and this one lacks',
    )
    .option('--dry-run', 'import nothing, and show what would come of it')
    .option('--summary <file>', 'add the results to a Markdown file, such as "$GITHUB_STEP_SUMMARY"')
    .option('--junit <file>', 'write the results as JUnit XML')
    .option('--sarif-out <file>', 'write the issues as SARIF, each new, unchanged or absent')
    .addOption(outputOption())
    .addHelpText('after', examples)
    .action(async (files: string[], options: ImportOptions) => {
      const { importReports } = await import('./import-report.js');
      await importReports(await open(), files, options);
    });
}
