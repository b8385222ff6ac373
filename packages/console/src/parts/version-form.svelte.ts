import { problemOf, type Problem } from '../api/problem.js';
import { say, sayWithLink, type ToastLink } from './toasts.svelte.js';
import { texts } from '../texts/texts.js';
import { changesOf, type Version } from './versions.svelte.js';

interface Edited<T> {
  kept: 'mine' | 'theirs';
  version: Version<T>;
}

interface Resource<T, Form, Body extends object> {
  /** The resource to edit, as it was read; without it, a new one is made. */
  read: Version<T> | undefined;
  /** What the form shows for it. */
  formOf: (value?: T) => Form;
  bodyOf: (form: Form) => Body;
  nameOf: (value: T) => string;
  /** Makes it, and returns what to say, and where it is seen. */
  add: (body: Body) => Promise<string | { text: string; link: ToastLink }>;
  /** Saves what was changed over the version that was read; null if the user goes on editing. */
  save: (before: Version<T>, changes: Partial<Body>) => Promise<Edited<T> | null>;
  /** Called after each attempt, since one that failed may have shown what others changed. */
  onsubmitted: () => Promise<void>;
  onclose: () => void;
}

/** The form of a resource that several people may edit at once: it adds one, or saves changes to the version that was read. */
export class VersionForm<T, Form extends object, Body extends object> {
  version = $state.raw<Version<T>>();
  /** The fields, bound to their controls. */
  readonly fields: Form;
  problem = $state.raw<Problem | null>(null);
  isBusy = $state(false);
  private readonly resource: Resource<T, Form, Body>;

  constructor(resource: Resource<T, Form, Body>) {
    this.resource = resource;
    this.version = resource.read;
    this.fields = $state(resource.formOf(resource.read?.value));
  }

  /** Whether a control differs from the version that was read. */
  get isChanged(): boolean {
    const { bodyOf, formOf } = this.resource;
    return JSON.stringify(bodyOf(this.fields)) !== JSON.stringify(bodyOf(formOf(this.version?.value)));
  }

  /** Shows the failure of what is done meanwhile, and that the form is busy. */
  async work(act: () => Promise<void>): Promise<void> {
    this.isBusy = true;
    this.problem = null;
    try {
      await act();
    } catch (error) {
      this.problem = problemOf(error);
    } finally {
      this.isBusy = false;
    }
  }

  readonly submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    await this.work(() => (this.version ? this.change(this.version) : this.add()));
    await this.resource.onsubmitted();
  };

  private async add(): Promise<void> {
    const { add, bodyOf, onclose } = this.resource;
    const done = await add(bodyOf(this.fields));
    if (typeof done === 'string') say(done);
    else sayWithLink(done.text, done.link);
    onclose();
  }

  private async change(before: Version<T>): Promise<void> {
    const { bodyOf, formOf, nameOf, save, onclose } = this.resource;
    const result = await save(before, changesOf(bodyOf(this.fields), bodyOf(formOf(before.value))));
    if (!result) return;
    if (result.kept === 'mine') {
      say(texts.parts.isSaved(nameOf(result.version.value)));
      onclose();
    } else {
      this.version = result.version;
      Object.assign(this.fields, formOf(result.version.value));
      say(texts.parts.isAsTheyLeftIt(nameOf(result.version.value)));
    }
  }
}
