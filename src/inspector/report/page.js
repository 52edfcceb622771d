// The top of the page, and all of it in order.
const outcomes = {
  done: ['kept', 'done'], failed: ['failed', 'failed, progress saved'], running: ['part', 'running'],
  killed: ['refuse', 'killed: its process ended without saying why'], interrupted: ['again', 'interrupted, progress saved'],
  suspended: ['again', 'stopped early, resumable'], waiting: ['wait', 'waits for a person'],
  refused: ['refuse', 'refused: something has to be settled first'], created: ['fresh', 'nothing has run yet'],
};

function card(name, big, more, kind = '') {
  $('cards').append(el('div', {class: kind}, el('dt', {}, name), el('dd', {}, el('div', {class: 'big'}, big),
    more ? el('div', {class: 'more-text'}, more) : null)));
}

function draw_cards() {
  const stages = data.stages.filter(is_stage);
  const done = stages.filter((stage) => ['kept', 'skipped', 'edited'].includes(stage.state)).length;
  const items = rows.filter((row) => row.item);
  const have = items.filter((row) => row.current).length;
  card('Stages done', data.planned ? `${done} of ${stages.length}` : `${stages.length} known`, data.plan || '');
  if (items.length) card('Items with a value', have.toLocaleString('en'), `of ${count(items.length, 'item')} in ${count(stages.filter((stage) => stage.fan_out).length, 'fan-out')}`);
  const resumes = data.calls.filter((call) => call.resumed).length;
  const money = cost(data.saved.cost.usd, data.saved.cost.tokens);
  const time = duration(data.saved.seconds);
  card('Saved by resuming', resumes ? `${time}${money ? `, ${money}` : ''}` : '\u2013',
    resumes ? `in ${count(resumes, 'resume')}` : data.calls.length > 1 ? 'later calls found nothing left to do' : 'it was never resumed', resumes ? 'good' : '');
  const paid = cost(data.spent.usd, data.spent.tokens);
  card('Time spent', duration(stages.reduce((all, stage) => all + stage.seconds, 0)),
    paid ? `${paid} paid in all, failed attempts included` : 'on all current values');
  const bytes = data.space.reduce((all, [, , now, before]) => [all[0] + now, all[1] + before], [0, 0]);
  card('Space', size(bytes[0] + bytes[1]), bytes[1] ? `${size(bytes[1])} of it earlier generations` : 'no earlier generations');
}

function draw_top() {
  const [kind, words] = outcomes[data.state] || ['refuse', data.state];
  document.title = `${data.run} \u00b7 ${data.pipeline || 'run'} \u00b7 resumable report`;
  $('run').textContent = data.run;
  put($('crumbs'), [data.pipeline ? `${data.pipeline} \u00b7 ` : '', mono(data.store)]);
  put($('outcome'), [state(kind, words), data.owner ? ` by ${data.owner}` : '',
    data.at === null ? '' : ` \u00b7 ${moment(data.at, true)}`,
    data.started === null ? '' : ` \u00b7 begun ${moment(data.started, true)}`]);
  const banner = (bad, ...content) => $('banners').append(el('p', {class: `banner${bad ? ' bad' : ''}`}, ...content));
  if (data.damaged.length) {
    banner(true, `${count(data.damaged.length, 'record')} damaged or set aside: `,
      data.damaged.slice(0, 8).map((one, i) => [i ? ', ' : '', mono(`${one.path} (generation ${one.generation}, ${one.damage})`)]),
      data.damaged.length > 8 ? ` and ${data.damaged.length - 8} more` : '', '. ', mono(data.next[1]), ' reads everything and says what to do.');
  }
  for (const note of data.notes.slice(0, 12)) banner(false, note);
  if (data.notes.length > 12) banner(false, `and ${data.notes.length - 12} more notes: `, mono(data.next[0]));
}

function draw_footer() {
  put($('footer'), [`Made ${data.made} by resumable ${data.version}, as of the last program that worked on the run. `,
    'Only the program itself can see what has changed since then in its code or in input files. Values are not in this page. ',
    'Not recorded, so not shown: the times of failed attempts and waits, the requests behind completed redos, ',
    'generations before the last two, calls before the last 64. Type next: ', mono(data.next[0])]);
}

draw_top();
draw_cards();
draw_timeline();
draw_graph();
prepare_sheet();
prepare_table();
draw_files();
draw_space();
draw_footer();
$('main').hidden = false;
