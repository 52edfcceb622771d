// Empty workflows through a queue of DBOS Transact, to compare with bench_postgres `workers/empty`:
//
//     npm install --no-save @dbos-inc/dbos-sdk@5.3.0
//     node bench/dbos.mjs postgresql://localhost/dbos COUNT POLL_MS AT_A_TIME
//
// The time is that from the first enqueue until none is queued or running. The database must exist.
import { DBOS } from '@dbos-inc/dbos-sdk';

const [url, ...numbers] = process.argv.slice(2);
const [count, poll, atATime] = numbers.map(Number);
const empty = DBOS.registerWorkflow(async (n) => n, { name: 'empty' });
DBOS.setConfig({ name: 'bench', systemDatabaseUrl: url, logLevel: 'error' });
await DBOS.launch();
await DBOS.registerQueue('q', { workerConcurrency: atATime, minPollingIntervalMs: poll });

const seconds = () => performance.now() / 1000;
const begin = seconds();
for (let at = 0; at < count; at += 50) {
  const some = Array.from({ length: Math.min(50, count - at) }, (_, i) => at + i);
  await Promise.all(some.map((n) => DBOS.startWorkflow(empty, { queueName: 'q' })(n)));
}
while ((await DBOS.listQueuedWorkflows({ queueName: 'q', limit: 1 })).length > 0) {
  await new Promise((done) => setTimeout(done, 20));
}
console.log(`${Math.round(count / (seconds() - begin))} a second`);
await DBOS.shutdown();
