// The most that node:http can do: the service's own bytes, from a Map. On the first request of an address, its response is
// fetched from the service.
import { createServer } from 'node:http';

const answers = new Map();

async function fetched(url) {
  const response = await fetch(process.env.SOURCE_URL + url);
  const body = Buffer.from(await response.arrayBuffer());
  const headers = { 'content-type': response.headers.get('content-type') ?? '', 'content-length': body.length };
  return { status: response.status, headers, body };
}

const server = createServer((request, response) => {
  const kept = answers.get(request.url);
  if (kept) {
    response.writeHead(kept.status, kept.headers);
    response.end(kept.body);
    return;
  }
  void fetched(request.url).then((answer) => {
    answers.set(request.url, answer);
    response.writeHead(answer.status, answer.headers);
    response.end(answer.body);
  });
});
server.listen(Number(process.env.PORT), '127.0.0.1');
process.on('SIGTERM', () => process.exit(0));
