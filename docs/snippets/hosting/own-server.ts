import { createServer } from 'node:http';
import { isolationHeaders } from 'betwixt/vite';

createServer((request, response) => {
  // With everything that is sent: the page, the worker's script, and errors too.
  for (const [name, value] of Object.entries(isolationHeaders())) response.setHeader(name, value);
  response.end(`… ${request.url}`);
}).listen(8080);
