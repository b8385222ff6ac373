/** How much of a place a list shows. */
const longestPlace = 500;

/**
 * SQL of one of an issue's targets, in a line: `src/search.ts:42`, `GET /products/search`, a URL. It is the first by the index
 * that finds an issue's targets, so that it costs one look, however many there are.
 */
export const issuePlace = (issueId: string): string => `(
  SELECT left(CASE
           WHEN detail ? 'codeFile' THEN concat_ws(':', detail #>> '{codeFile,path}', detail #>> '{codeFile,line}')
           WHEN detail ? 'apiRoute' THEN concat_ws(' ', detail #>> '{apiRoute,operation}', detail #>> '{apiRoute,name}')
           WHEN detail ? 'graphqlResolver'
             THEN concat_ws('.', detail #>> '{graphqlResolver,parent}', detail #>> '{graphqlResolver,name}')
           ELSE coalesce(detail #>> '{webPage,url}', detail #>> '{webCrawledUrl,url}')
         END, ${longestPlace})
    FROM issue_targets WHERE issue_id = ${issueId} ORDER BY md5(target_uid) LIMIT 1)`;
