import type { Settings } from './settings.js';

/** One worker's share of a node's settings. */
export function sharesOf(settings: Settings, workers: number): Partial<Settings> {
  const part = (whole: number, least: number): number => Math.max(least, Math.ceil(whole / workers));
  const { responseCacheMegabytes, quotas } = settings;
  return {
    maxConnections: part(settings.maxConnections, 10),
    bodyMemoryMegabytes: part(settings.bodyMemoryMegabytes, 1),
    answerMemoryMegabytes: part(settings.answerMemoryMegabytes, 1),
    databasePoolSize: part(settings.databasePoolSize, 2),
    searchPoolSize: part(settings.searchPoolSize, 1),
    responseCacheMegabytes: responseCacheMegabytes === 0 ? 0 : part(responseCacheMegabytes, 1),
    quotas: { ...quotas, searches: { ...quotas.searches, limit: part(quotas.searches.limit, 1) } },
  };
}
