import type { AssetDraft } from '../assets/asset-draft.js';
import { codeProject, repositoryName } from './report-assets.js';
import type { SarifRun } from './sarif-runs.js';

/** Letters and digits only, in lower case: `Snyk/Code` is the name of the tool SnykCode. */
function plain(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}

/** Whether a part of an automation id names a run or a step of a pipeline rather than a project. */
function namesNoProject(part: string): boolean {
  if (/^(?:\.github|workflows)$|^language:/i.test(part)) return true;
  return /\.ya?ml(?:$|:)/i.test(part) || /^(?:[\d:.TZ_-]+|[\da-f]{8}-[\da-f-]{27})$/i.test(part);
}

/**
 * Unspecified: which part of an automation id names the project. It is all but the last component, which may be unique
 * to the run (SARIF 2.1.0, section 3.17.3). The tool's name alone names no project.
 */
function projectOfAutomation(automationId: string, toolName: string): string {
  const slash = automationId.lastIndexOf('/');
  const name = slash > 0 ? automationId.slice(0, slash) : automationId;
  const rest = plain(
    name
      .split('/')
      .filter((part) => !namesNoProject(part))
      .join(''),
  );
  return rest === '' || plain(toolName).startsWith(rest) ? '' : name;
}

/** The project of a run below the given base; null if it names none. */
export function projectOf({ repositories, automationId, tool }: SarifRun, baseId = ''): AssetDraft | null {
  const repository = repositories.find((one) => one.baseId !== '' && one.baseId === baseId) ?? repositories[0];
  if (repository) return codeProject(repositoryName(repository.uri));
  const project = projectOfAutomation(automationId, tool.driver.name);
  return project === '' ? null : codeProject(project);
}
