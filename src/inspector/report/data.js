// What the page shows, out of the JSON in the page. src/inspector/report_rows.cpp writes it.
const data = JSON.parse(document.getElementById('data').textContent);
const text = (number) => (number >= 0 ? data.texts[number] : '');

// Each state has a symbol, a word and a colour.
const states = {
  kept: ['\u2713', 'kept', 's-kept'],
  skipped: ['\u2013', 'not taken', 's-none'],
  edited: ['\u270e', 'edited', 's-edit'],
  fresh: ['\u25cb', 'to run', 's-fresh'],
  part: ['\u25d0', 'part done', 's-run'],
  again: ['~', 'to run again', 's-decide'],
  decide: ['?', 'to decide', 's-decide'],
  wait: ['\u23f3', 'waits for you', 's-wait'],
  failed: ['\u2717', 'failed', 's-refuse'],
  refuse: ['\u2717', 'refused', 's-refuse'],
  damaged: ['\u2717', 'damaged', 's-refuse'],
  given: ['\u25b8', 'given', 's-none'],
  unknown: ['\u00b7', 'not planned', 's-none'],
};

const generation = ([number, at, seconds, attempts, usd, tokens, bytes, fence, state, why, identity,
  editor, more]) => ({number, at, seconds, attempts, usd, tokens, bytes, fence, state, why,
  identity, editor, more});

function state_of(action, reason, row) {
  if (reason === 'damaged' || (!action && row.damaged)) return 'damaged';
  if (reason === 'failed') return 'failed';
  if (action === 'refuse') return 'refuse';
  if (action === 'wait') return 'wait';
  if (action === 'decide') return 'decide';
  if (action === 'run') return reason === 'partial' ? 'part' : row.current ? 'again' : 'fresh';
  if (reason === 'not_taken') return 'skipped';
  if (row.current && row.current.editor >= 0) return 'edited';
  if (action === 'skip') return reason === 'edited' ? 'edited' : 'kept';
  return 'unknown';
}

// A row of the table: a stage, or an item of one.
function row_of(stage, list, number) {
  const [key, action, reason, why, error, generations] = list;
  const row = {stage, number, key, item: stage.fan_out, action: text(action), reason: text(reason),
    why: text(why), error: text(error), gens: generations.map(generation)};
  row.current = row.gens.find((one) => one.state === 0);
  row.damaged = row.gens.some((one) => one.state > 1);
  row.retried = error >= 0 || row.gens.some((one) => one.attempts > 1);
  row.edited = row.gens.some((one) => one.editor >= 0);
  row.again = row.gens.length > 1 || (row.current && row.current.number > 1);
  row.name = stage.fan_out ? `${stage.name}/${key}` : stage.name;
  return row;
}

function sum(rows, field) {
  return rows.reduce((total, row) => total + (row.current ? row.current[field] : 0), 0);
}

const is_stage = (stage) => !['input', 'secret', 'condition'].includes(stage.kind);

data.stages.forEach((stage, number) => {
  stage.number = number;
  stage.rows = stage.rows.map((list, at) => row_of(stage, list, at));
  const first = (stage.causes || [])[0] || {};
  const summary = stage.fan_out
    ? {current: stage.rows.find((row) => row.current), damaged: stage.rows.some((row) => row.damaged)}
    : stage.rows[0] || {};
  stage.reason = first.reason || '';
  stage.why = (first.text || '').replace(/^done: /, '');
  if (!is_stage(stage)) {
    stage.state = 'given';
  } else {
    stage.state = state_of(stage.action || '', stage.reason, summary);
    if (stage.fan_out && stage.state === 'again') stage.state = 'part';
  }
  if (!stage.fan_out && stage.rows.length) {
    Object.assign(stage.rows[0], {state: stage.state, action: stage.action || '',
      reason: stage.reason, why: stage.why});
  }
  for (const row of stage.rows) {
    if (!stage.fan_out) continue;
    row.state = state_of(row.action, row.reason, row);
    if (row.state !== 'unknown' || !stage.action || stage.action === 'skip') continue;
    row.state = row.current ? 'decide' : 'fresh';  // the list of items is not known yet
    row.why = stage.why;
  }
  stage.seconds = sum(stage.rows, 'seconds');
  stage.usd = sum(stage.rows, 'usd');
});
data.stages.forEach((stage) => {
  if (data.planned) return;  // then what the records took is all that is known
  const inputs = stage.rows.flatMap((row) => (row.current && row.current.more
    ? row.current.more.inputs : [])).map(([name]) => name.replace(/\[\]$/, ''));
  for (const name of new Set(inputs)) {
    const from = data.stages.findIndex((other) => other.name === name);
    if (from >= 0 && from !== stage.number) stage.takes.push([from, 'value']);
  }
});

// One row for each stage that is no fan-out, and one for each item.
const rows = data.stages.filter(is_stage).flatMap((stage) => {
  if (stage.rows.length) return stage.rows;
  const empty = row_of(stage, ['', -1, -1, -1, -1, []], 0);
  empty.item = false;
  return [Object.assign(empty, {name: stage.name, state: stage.state, why: stage.why})];
});
