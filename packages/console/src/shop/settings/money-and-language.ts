interface Choice {
  value: string;
  label: string;
}

const byLabel = (one: Choice, other: Choice) => one.label.localeCompare(other.label);

/** All currencies by their names in the reader's language. */
export function currencies(reader: string): Choice[] {
  const names = new Intl.DisplayNames(reader, { type: 'currency' });
  return Intl.supportedValuesOf('currency').map((value) => ({
    value,
    label: `${value} – ${names.of(value) ?? value}`,
  }));
}

const common =
  'ar-EG bg-BG cs-CZ da-DK de-AT de-CH de-DE el-GR en-AU en-CA en-GB en-IE en-IN en-NZ en-US es-ES es-MX et-EE fi-FI fr-BE fr-CA ' +
  'fr-CH fr-FR he-IL hr-HR hu-HU id-ID it-CH it-IT ja-JP ko-KR lt-LT lv-LV nb-NO nl-BE nl-NL pl-PL pt-BR pt-PT ro-RO sk-SK sl-SI ' +
  'sv-SE th-TH tr-TR uk-UA vi-VN zh-CN zh-TW';

/** Languages with their countries, the chosen one among them. */
export function languages(reader: string, chosen: string): Choice[] {
  const names = new Intl.DisplayNames(reader, { type: 'language' });
  const codes = new Set([...common.split(' '), ...(chosen === '' ? [] : [chosen])]);
  return [...codes].map((value) => ({ value, label: names.of(value) ?? value })).sort(byLabel);
}
