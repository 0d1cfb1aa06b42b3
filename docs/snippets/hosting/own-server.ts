import { createServer } from 'node:http';
import { isolationHeaders } from 'betwixt/vite';

createServer((request, response) => {
  // On every response: the page, the worker script, and errors too.
  for (const [name, value] of Object.entries(isolationHeaders())) response.setHeader(name, value);
  response.end(`… ${request.url}`);
}).listen(8080);
