// real-model-server.mjs MODEL LOG: serves a GGUF model as POST /PROGRAM/v1/chat/completions on a free
// port of 127.0.0.1, for real-model.sh. LOG gets a line for each event: 'PROGRAM asked', 'repeated'
// (a request that had been answered), 'held' (the second answer is ready: it is not sent, so that the
// program can be killed while it waits), and 'answered STATUS'. A program that has a line 'resumed' in
// LOG gets all of its answers. Needs node-llama-cpp.
import fs from 'node:fs';
import http from 'node:http';
import {createRequire} from 'node:module';
import {pathToFileURL} from 'node:url';

const packages = createRequire(`${process.cwd()}/build/real-model/package.json`);
const {getLlama, LlamaCompletion} = await import(pathToFileURL(packages.resolve('node-llama-cpp')));
const [modelPath, log] = process.argv.slice(2);
const longest = 256; // tokens of an answer: more says no more about the programs

// One thread: several wait for each other busily, and where others compute, too, that takes minutes.
const llama = await getLlama({gpu: false, build: 'never', logLevel: 'error', maxThreads: 1});
const model = await llama.loadModel({modelPath});
const context = await model.createContext({contextSize: 8192, threads: 1});
const completion = new LlamaCompletion({contextSequence: context.getSequence()});

function grammar(format) {
  if (format?.type === 'json_schema') {
    const schema = JSON.stringify(format.json_schema.schema).replaceAll('"anyOf":', '"oneOf":'); // which it knows
    return llama.createGrammarForJsonSchema(JSON.parse(schema));
  }
  return format?.type === 'json_object' ? llama.getGrammarFor('json') : undefined;
}

async function answer(asked, signal) {
  const prompt = asked.messages.map(({role, content}) => `${role}: ${content}\n`).join('') + 'assistant: ';
  const tokens = model.tokenize(prompt);
  if (tokens.length + longest > context.contextSize) {
    const message = `the prompt has ${tokens.length} tokens, and the model holds ${context.contextSize}`;
    return [400, {error: {message, code: 'context_length_exceeded'}}];
  }
  const {response, metadata} = await completion.generateCompletionWithMeta(tokens, {
    maxTokens: Math.min(asked.max_tokens ?? longest, longest),
    temperature: asked.temperature ?? 1,
    seed: asked.seed,
    grammar: await grammar(asked.response_format),
    signal,
  });
  const written = model.tokenize(response).length;
  return [200, {
    object: 'chat.completion',
    model: asked.model,
    choices: [{
      index: 0,
      message: {role: 'assistant', content: response},
      finish_reason: metadata.stopReason === 'maxTokens' ? 'length' : 'stop',
    }],
    usage: {prompt_tokens: tokens.length, completion_tokens: written, total_tokens: tokens.length + written},
  }];
}

const asked = {}; // program: number of requests
const answered = new Set();
let turn = Promise.resolve(); // the model answers one request at a time

async function serve(request, response) {
  let body = '';
  for await (const part of request.setEncoding('utf8')) body += part;
  const program = request.url.split('/')[1];
  const note = (event) => fs.appendFileSync(log, `${program} ${event}\n`);
  asked[program] = (asked[program] ?? 0) + 1;
  const held = asked[program] === 2 && !fs.readFileSync(log, 'utf8').includes(`${program} resumed`);
  note('asked');
  if (answered.has(program + body)) note('repeated');
  const gone = new AbortController();
  response.on('close', () => gone.abort());
  turn = turn.then(() => answer(JSON.parse(body), gone.signal)).catch((error) => [500, {error: {message: String(error)}}]);
  const [status, json] = await turn;
  if (held) return note('held');
  response.on('finish', () => {
    note(`answered ${status}`);
    if (status === 200) answered.add(program + body);
  });
  response.writeHead(status, {'Content-Type': 'application/json'}).end(JSON.stringify(json));
}

const server = http.createServer(serve).listen(0, '127.0.0.1', () => console.log(server.address().port));
