// Tables of any length: rows become elements a hundred at a time, as somebody scrolls to them.
const page_size = 100;

function lazy(body, more, line) {
  let list = [];
  let shown = 0;
  const add = () => {
    const next = list.slice(shown, shown + page_size);
    shown += next.length;
    body.append(...next.map(line));
    more.hidden = shown >= list.length;
    more.textContent = `Show more: ${(list.length - shown).toLocaleString('en')} are left`;
  };
  more.addEventListener('click', add);
  if ('IntersectionObserver' in window) {
    new IntersectionObserver((seen) => { if (seen.some((one) => one.isIntersecting)) add(); },
      {rootMargin: '200px'}).observe(more);
  }
  return (now) => {
    list = now;
    shown = 0;
    body.replaceChildren();
    add();
  };
}

const columns = [
  ['Stage or item', (row) => row.name, ''],
  ['State', (row) => states[row.state][1], ''],
  ['Why', (row) => why_of(row), 'wide'],
  ['Saved', (row) => (row.current ? row.current.at : null), ''],
  ['Took', (row) => (row.current ? row.current.seconds : null), 'num'],
  ['Attempts', (row) => (row.current ? row.current.attempts : null), 'num'],
  ['Cost', (row) => (row.current ? row.current.usd : null), 'num'],
  ['Generation', (row) => (row.current ? row.current.number : null), 'num'],
  ['Size', (row) => (row.current ? row.current.bytes : null), 'num'],
];
let sorted_by = -1;
let descending = false;

// Of what is kept, why it was made; of the others, why they are to run.
function why_of(row) {
  if (row.error) return row.error;
  if (row.current && ['kept', 'edited', 'unknown'].includes(row.state)) return text(row.current.why);
  return row.why || (row.reason || '').replaceAll('_', ' ');
}

function line(row) {
  const one = row.current;
  const cell = (label, words, kind = '') => el('td', {class: kind, 'data-label': label}, words);
  return el('tr', {},
    el('td', {class: 'wide'}, link(row.name, () => open_row(row))),
    el('td', {}, state(row.state), ' ', row.edited && row.state !== 'edited' ? tag('edited', 's-edit') : null,
      row.damaged && row.state !== 'damaged' ? tag('damaged', 's-refuse') : null),
    el('td', {class: 'wide'}, why_of(row)),
    cell('saved', one ? moment(one.at) : '\u2013'),
    cell('took', one ? duration(one.seconds) : '\u2013', 'num'),
    cell('attempts', one ? one.attempts : '\u2013', 'num'),
    cell('cost', (one && cost(one.usd, one.tokens)) || '\u2013', 'num'),
    cell('generation', one ? one.number : '\u2013', 'num'),
    cell('size', one ? size(one.bytes) : '\u2013', 'num'));
}

// What the search looks at: name, state, reasons, names of inputs and of people.
function haystack(row) {
  if (!row.hay) {
    const parts = [row.name, states[row.state][1], row.why, row.reason, row.error];
    for (const one of row.gens) {
      parts.push(text(one.why), text(one.editor), one.identity);
      if (one.more) parts.push(...one.more.inputs.map(([name]) => name), ...one.more.exports);
    }
    row.hay = parts.join('\n').toLowerCase();
  }
  return row.hay;
}

const marks = {
  '': () => true, edited: (row) => row.edited, retried: (row) => row.retried, damaged: (row) => row.damaged,
  again: (row) => row.again, left: (row) => !['kept', 'edited', 'skipped', 'unknown'].includes(row.state),
};

function wanted() {
  const words = $('search').value.toLowerCase().split(/\s+/).filter(Boolean);
  const stage = $('by-stage').value;
  const kind = $('by-state').value;
  const mark = marks[$('by-mark').value];
  const list = rows.filter((row) => (!stage || row.stage.number === Number(stage)) &&
    (!kind || row.state === kind) && mark(row) && words.every((word) => haystack(row).includes(word)));
  if (sorted_by < 0) return list;
  const value = columns[sorted_by][1];
  const order = descending ? -1 : 1;
  const compare = (a, b) => (typeof a === 'string' ? a.localeCompare(b) : a - b);
  return list.sort((a, b) => {
    const [left, right] = [value(a), value(b)];
    if (left === null || right === null) return (left === null) - (right === null);
    return order * compare(left, right);
  });
}

let fill_rows = null;

function update() {
  const list = wanted();
  fill_rows(list);
  $('count').textContent = list.length === rows.length ? count(rows.length, 'row')
    : `${count(list.length, 'row')} of ${rows.length.toLocaleString('en')}`;
}

function show_items(stage) {
  $('filters').reset();
  $('by-stage').value = stage.number;
  update();
  $('h-table').scrollIntoView();
  $('search').focus({preventScroll: true});
}

function head_of(table, names, sort) {
  const cells = names.map(([name, , kind], i) => el('th', {scope: 'col', class: kind === 'wide' ? '' : kind},
    sort ? el('button', {type: 'button', on: () => sort(i)}, name) : name));
  table.tHead.append(el('tr', {}, cells));
  return cells;
}

function prepare_table() {
  const option = (value, words) => el('option', {value}, words);
  const stages = data.stages.filter(is_stage);
  put($('by-stage'), [option('', 'all'), stages.map((stage) => option(stage.number, stage.name))]);
  const used = [...new Set(rows.map((row) => row.state))];
  put($('by-state'), [option('', 'all'), used.map((name) => option(name, states[name][1]))]);
  put($('by-mark'), [option('', 'all'), option('left', 'to do'), option('edited', 'edited'),
    option('retried', 'retried'), option('again', 'made again'), option('damaged', 'damaged')]);
  fill_rows = lazy($('table').tBodies[0], $('more'), line);
  const cells = head_of($('table'), columns, (i) => {
    descending = sorted_by === i ? !descending : i > 2;
    sorted_by = i;
    cells.forEach((cell, at) => (at === i
      ? cell.setAttribute('aria-sort', descending ? 'descending' : 'ascending') : cell.removeAttribute('aria-sort')));
    update();
  });
  $('filters').addEventListener('input', update);
  $('filters').addEventListener('submit', (event) => event.preventDefault());
  $('filters').addEventListener('reset', () => setTimeout(update));
  update();
}

function draw_files() {
  const kinds = [['kept', 'as exported'], ['edited', 'edited since'], ['again', 'missing'], ['refuse', 'not readable']];
  $('files').hidden = !data.artifacts.length;
  if (!data.artifacts.length) return;
  const changed = data.artifacts.filter((one) => one[3] > 0);
  $('files-text').textContent = `${count(data.artifacts.length, 'file')} below the run's folder, ` +
    (changed.length ? `${changed.length} not as exported.` : 'all as they were exported.');
  head_of($('files-table'), [['File', , ''], ['Now', , ''], ['Made by', , '']], null);
  const rest = data.artifacts.filter((one) => one[3] === 0);
  lazy($('files-table').tBodies[0], $('files-more'), ([path, stage, number, kind]) => {
    const row = data.stages[stage].rows[number];
    return el('tr', {}, el('td', {class: 'wide mono'}, path), el('td', {}, state(...kinds[kind])),
      el('td', {}, link(row.name, () => open_row(row))));
  })(changed.concat(rest));
}

function draw_space() {
  const most = Math.max(1, ...data.space.map(([, , now, before]) => now + before));
  head_of($('space'), [['Records of', , ''], ['', , ''], ['Records', , 'num'], ['Current', , 'num'], ['Earlier', , 'num']], null);
  $('space').tBodies[0].append(...data.space.map(([name, records, now, before]) => {
    const meter = svg('svg', {viewBox: '0 0 100 10', preserveAspectRatio: 'none', 'aria-hidden': 'true'},
      svg('rect', {class: 'now', width: 100 * now / most, height: 10}),
      svg('rect', {class: 'before', x: 100 * now / most, width: 100 * before / most, height: 10}));
    return el('tr', {}, el('td', {class: 'wide'}, name.startsWith('@') ? `${name} (the library's own)` : name),
      el('td', {}, el('span', {class: 'meter'}, meter)), el('td', {class: 'num'}, records.toLocaleString('en')),
      el('td', {class: 'num'}, size(now)), el('td', {class: 'num'}, before ? size(before) : '\u2013'));
  }));
}
