// The sheet: why a stage or an item is as it is, what it was made of, and what became of it.
const past = [];

function link(words, action) {
  return el('button', {class: 'name', type: 'button', on: action}, words);
}

function stage_named(name) {
  const plain = name.replace(/\[\]$/, '');
  return data.stages.find((stage) => stage.name === plain);
}

// What will happen, and what that comes from: the inputs that are not simply kept, and theirs.
function chain(stage, told = new Set()) {
  if (['kept', 'skipped', 'edited'].includes(stage.state)) return null;
  told.add(stage);
  const list = el('ul', {class: 'why'});
  for (const [from] of stage.takes) {
    const other = data.stages[from];
    if (told.has(other) || !is_stage(other) || ['kept', 'skipped', 'unknown'].includes(other.state)) continue;
    list.append(el('li', {}, link(other.name, () => open_stage(other)), ' ', state(other.state),
      other.why ? `: ${other.why}` : '', chain(other, told)));
  }
  return list.childNodes.length ? list : null;
}

// Why a generation was made, and why its changed inputs had been made again.
function history(one, told = new Set()) {
  const list = el('ul', {class: 'why'});
  for (const name of (one.more && one.more.changed) || []) {
    const other = stage_named(name);
    if (!other || told.has(other)) continue;
    told.add(other);
    const last = other.fan_out
      ? other.rows.flatMap((row) => row.gens.filter((made) => made.state === 0 && made.number > 1))
      : other.rows.flatMap((row) => row.gens.filter((made) => made.state === 0));
    const whys = new Map();
    for (const made of last) whys.set(made.why, (whys.get(made.why) || 0) + 1);
    const words = other.fan_out
      ? [...whys].map(([why, times]) => `${count(times, 'item')}: ${text(why)}`).join('; ')
      : last.map((made) => text(made.why)).join('');
    list.append(el('li', {}, link(other.name, () => open_stage(other)), is_stage(other) ? ' was made again: ' : ' was given: ',
      words || 'not recorded', other.fan_out || !last.length ? null : history(last[0], told)));
  }
  return list.childNodes.length ? list : null;
}

function fact(list, name, ...value) {
  const shown = value.flat(9).filter((one) => one !== null && one !== undefined && one !== '');
  if (shown.length) put(list, [el('dt', {}, name), el('dd', {}, ...shown)]);
}

const mono = (words) => (words ? el('span', {class: 'mono'}, words) : '');

function from_to(before, now) {
  return before && before !== now ? [mono(before), ' \u2192 ', mono(now)] : mono(now);
}

function generation_box(row, one, before) {
  const kinds = ['current', 'earlier', 'damaged', 'set aside'];
  const facts = el('dl', {});
  const more = one.more || {};
  const old = (before && before.more) || {};
  fact(facts, 'made because', text(one.why), history(one));
  fact(facts, 'saved', one.at === null ? '' : `${moment(one.at, true)} in ${duration(one.seconds)}`);
  fact(facts, 'attempts', one.at === null ? '' : one.attempts > 1
    ? `${one.attempts}; when the earlier ones ended is not recorded` : '1');
  fact(facts, 'cost', cost(one.usd, one.tokens));
  fact(facts, 'edited by', text(one.editor));
  fact(facts, 'collides at', (more.collisions || []).map((path) => [mono(path || '/'), ' ']));
  fact(facts, 'fingerprint', from_to(old.fingerprint, more.fingerprint));
  fact(facts, 'identity', from_to(before && before.identity, one.identity));
  fact(facts, 'inputs', (more.inputs || []).map(([name, identity], i) => {
    const known = stage_named(name);
    const was = (old.inputs || []).find(([other]) => other === name);
    return [i ? ', ' : '', known ? link(name, () => open_stage(known)) : name, ' ',
      from_to(was && was[1], identity)];
  }));
  fact(facts, 'code', more.revision ? `revision ${more.revision}, ${more.codec}, schema ${more.schema}` : '');
  fact(facts, 'artifacts', (more.exports || []).map((path, i) => [i ? ', ' : '', mono(path)]));
  fact(facts, 'size', size(one.bytes));
  return el('div', {class: 'gen'}, el('h4', {}, `Generation ${one.number} \u00b7 ${kinds[one.state]} `,
    one.editor >= 0 ? tag('edited', 's-edit') : null), facts);
}

function generations(row) {
  if (!row || !row.gens.length) return el('p', {class: 'soft'}, 'It has no value yet.');
  return row.gens.map((one, i) => generation_box(row, one, row.gens[i - 1])).reverse();
}

function causes_of(stage) {
  const list = (stage.causes || []).slice(1);
  if (!list.length) return null;
  return [el('h3', {}, 'Further reasons'), el('ul', {class: 'why'}, list.map((cause) =>
    el('li', {}, cause.text, cause.detail ? ` \u2013 ${cause.detail}` : '')))];
}

function neighbours(stage) {
  const facts = el('dl', {class: 'facts'});
  const names = (list) => list.map((other, i) => [i ? ', ' : '', link(other.name, () => open_stage(other))]);
  fact(facts, 'depends on', names(stage.takes.map(([from]) => data.stages[from])));
  fact(facts, 'read by', names((stage.readers || []).map((at) => data.stages[at])));
  fact(facts, 'artifacts', (stage.patterns || []).map((path, i) => [i ? ', ' : '', mono(path)]));
  return facts;
}

function items_of(stage) {
  const groups = new Map();
  for (const row of stage.rows) {
    const why = row.state === 'kept' && row.current ? text(row.current.why) : row.why || row.reason;
    const name = `${row.state}\n${why}`;
    groups.set(name, (groups.get(name) || []).concat(row.number));
  }
  const list = el('ul', {class: 'why'}, [...groups].slice(0, 30).map(([name, numbers]) => {
    const [kind, why] = name.split('\n');
    const first = stage.rows[numbers[0]];
    return el('li', {}, state(kind), ` ${count(numbers.length, 'item')}, such as `,
      link(first.key, () => open_row(first)), why ? `: ${why}` : '');
  }));
  return [el('h3', {}, 'Items'), list, groups.size > 30 ? el('p', {class: 'soft'}, `and ${groups.size - 30} more reasons`) : null,
    el('button', {type: 'button', on: () => { close_sheet(); show_items(stage); }}, `Show its ${count(stage.rows.length, 'item')} in the table`)];
}

function show(title, body, stage, again) {
  const sheet = $('sheet');
  if (!sheet.open) past.length = 0;
  past.push(again);
  $('back').hidden = past.length < 2;
  $('sheet-title').textContent = title;
  $('sheet-body').replaceChildren();
  put($('sheet-body'), body);
  mark_graph(stage);
  if (!sheet.open) sheet.showModal();
  sheet.scrollTop = 0;
}

function command(stage, key) {
  const plain = (word) => (/^[\w.,:/@%+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);
  const target = key === undefined ? stage.name : `${stage.name}/${key}`;
  return [el('h3', {}, 'In a terminal'), el('pre', {}, `${data.program} explain ${plain(data.run)} ${plain(target)} --store ${plain(data.store)}`)];
}

function open_stage(stage) {
  const lead = el('p', {class: 'lead'}, state(stage.state), stage.why ? `: ${stage.why}` : '');
  const row = stage.rows[0];
  show(stage.name, [is_stage(stage) ? lead : el('p', {class: 'lead'}, `${stage.kind} of the pipeline`),
    chain(stage), row && row.error && !stage.fan_out ? el('pre', {}, row.error) : null, causes_of(stage), neighbours(stage),
    stage.fan_out ? items_of(stage) : stage.kind === 'secret' ? el('p', {class: 'soft'}, 'Secrets are not recorded.')
      : [el('h3', {}, 'What was made, and why'), generations(row)],
    is_stage(stage) && data.planned ? command(stage) : null], stage, () => open_stage(stage));
}

function open_row(row) {
  if (!row.item) return open_stage(row.stage);
  const why = row.why || row.reason.replaceAll('_', ' ');
  show(row.key, [el('p', {class: 'crumbs'}, 'item of ', link(row.stage.name, () => open_stage(row.stage))),
    el('p', {class: 'lead'}, state(row.state), why ? `: ${why}` : ''),
    row.error ? el('pre', {}, row.error) : null,
    chain(row.stage), el('h3', {}, 'What was made, and why'), generations(row),
    data.planned ? command(row.stage, row.key) : null], row.stage, () => open_row(row));
}

function close_sheet() { $('sheet').close(); }

function prepare_sheet() {
  const sheet = $('sheet');
  $('close').addEventListener('click', close_sheet);
  $('back').addEventListener('click', () => { past.pop(); past.pop()(); });
  sheet.addEventListener('close', () => { if (!sheet.open) mark_graph(null); });
  sheet.addEventListener('click', (event) => { if (event.target === sheet) close_sheet(); });
}
