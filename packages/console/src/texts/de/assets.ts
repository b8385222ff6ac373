import type { assets as english } from '../en/assets.js';

export const assets: typeof english = {
  backToAssets: '← Assets',
  class: 'Klasse',
  type: 'Typ',
  uri: 'URI',
  tags: 'Tags',
  found: 'Gefunden',
  issuesOfTheAsset: 'Befunde des Assets',
  noneWasFound: 'Keine gefunden.',
  scansOfTheAsset: 'Scans des Assets',
  itWasNotScannedYet: 'Noch nicht gescannt.',
  openIssues: 'Offene Befunde',
  tag: 'Tag',
  moreTags: 'Weitere Tags',
  noAssetMatches: 'Kein passendes Asset',
  noAssetYet: 'Noch keine Assets',
  reportsBringTheirAssetsAlong: 'Berichte bringen ihre Assets mit.',
  moreAssets: 'Weitere Assets',
};
