// One idea: a long loop becomes resumable in small steps, which docs/long-loops.md walks through.
// Every block of code there is a piece of this file, which ctest proves. Each version of the loop
// is killed with SIGKILL in its 18th call of a model and started again, and what it asks is
// counted.
#include <csignal>
#include <iostream>

#include <resumable/resumable.hpp>

#include "long_loop/cold_store.hpp"
#include "long_loop/proof.hpp"

namespace rs = resumable;
using namespace std::chrono_literals;

namespace {

// ---- a: the plain loop -------------------------------------------------------------------------

struct Shift {
  std::size_t read = 0;
  int alarms = 0;
  std::string talk;  // all notes, for the next question

  void add(const Answer& answer) {
    ++read;
    alarms += answer.alarm ? 1 : 0;
    talk += answer.note + "\n";
  }
  NLOHMANN_DEFINE_TYPE_INTRUSIVE(Shift, read, alarms, talk)
};

Shift watch(const std::vector<Reading>& readings) {
  Shift shift;
  for (const Reading& reading : readings) {
    shift.add(ask(shift.talk, reading));  // imagine three seconds and a cent
  }
  return shift;
}

// ---- b: a stage of a pipeline ------------------------------------------------------------------

template <class Loop>
rs::Report run(Loop loop, rs::CheckpointStore& store, const rs::ResumeOptions& options) {
  rs::Pipeline pipeline{"cold-store"};
  const auto readings = pipeline.input("readings", logged());
  const auto shift = pipeline.stage("shift", inputs(readings), loop);
  pipeline.artifact(shift, "shift.json");
  return rs::resume(pipeline, store, options);
}

// ---- c: a step around what is expensive --------------------------------------------------------

Shift by_steps(rs::Context& ctx, const std::vector<Reading>& readings) {
  Shift shift;
  for (const Reading& reading : readings) {
    shift.add(ctx.step(resumable_key(reading), [&] { return ask(shift.talk, reading); }));
  }
  return shift;
}

// ---- d: the loop's state -----------------------------------------------------------------------

Shift by_progress(rs::Context& ctx, const std::vector<Reading>& readings) {
  auto shift = ctx.progress(Shift{}, {.every = 5, .interval = 30s});
  while (shift->read < readings.size()) {
    shift->add(ask(shift->talk, readings[shift->read]));
    shift.safepoint();  // the state is whole here
  }
  return *shift;
}

// ---- e: what grows -----------------------------------------------------------------------------

struct Turn {
  std::string note;
  int alarms = 0;  // up to here: earlier turns may have been left out
  NLOHMANN_DEFINE_TYPE_INTRUSIVE(Turn, note, alarms)
};

int alarms_in(const rs::History<Turn>& turns) { return turns.empty() ? 0 : turns.back().alarms; }

std::string talk_of(const rs::History<Turn>& turns) {
  std::string talk;
  turns.visit([&](const Turn& turn) { talk += turn.note + "\n"; },
              [&](std::size_t omitted) { talk += fmt::format("({} notes left out)\n", omitted); });
  return talk;
}

Shift by_history(rs::Context& ctx, const std::vector<Reading>& readings) {
  auto turns =
      ctx.history<Turn>({.compaction = {.first = 2, .last = 10, .threshold = 20, .every = 5}});
  while (turns.size() < readings.size()) {
    const Answer answer = ask(talk_of(turns), readings[turns.size()]);
    turns.push_back({answer.note, alarms_in(turns) + (answer.alarm ? 1 : 0)});  // committed
    turns.safepoint();
  }
  return {turns.size(), alarms_in(turns), talk_of(turns)};
}

// ---- f: budgets --------------------------------------------------------------------------------

rs::ResumeOptions in_time(std::chrono::milliseconds a_call, std::chrono::milliseconds all_calls) {
  return {.run = "monday", .budget = a_call, .run_budget = all_calls, .reserve = a_call / 10};
}

// ---- g: errors ---------------------------------------------------------------------------------

Shift with_retry(rs::Context& ctx, const std::vector<Reading>& readings) {
  auto turns =
      ctx.history<Turn>({.compaction = {.first = 2, .last = 10, .threshold = 20, .every = 5}});
  while (turns.size() < readings.size()) {
    const Reading& reading = readings[turns.size()];
    const Answer answer =
        ctx.step({.name = resumable_key(reading),
                  .retry = {.attempts = 4, .initial_delay = 500ms, .max_delay = 30s}},
                 [&] { return ask(talk_of(turns), reading); });
    turns.push_back({answer.note, alarms_in(turns) + (answer.alarm ? 1 : 0)});
    turns.safepoint();
  }
  return {turns.size(), alarms_in(turns), talk_of(turns)};
}

// ---- h: a list that grows ----------------------------------------------------------------------

Answer look(rs::Context& ctx, const Reading& reading) {
  const Answer answer = ask("", reading);
  if (answer.alarm && reading.minute == 0) {
    for (const int minute : {20, 40}) ctx.enqueue(logged_at(reading.hour, minute));
  }
  return answer;
}

rs::Report run_queue(rs::CheckpointStore& store, const rs::ResumeOptions& options) {
  rs::Pipeline pipeline{"cold-store"};
  const auto readings = pipeline.input("readings", logged());
  const auto answers = pipeline.queue("answers", inputs(each(readings)), look);
  const auto shift = pipeline.stage("shift", inputs(answers), [](const std::vector<Answer>& all) {
    Shift sum;
    for (const Answer& answer : all) sum.add(answer);
    return sum;
  });
  pipeline.artifact(shift, "shift.json");
  return rs::resume(pipeline, store, options);
}

// ---- in trouble --------------------------------------------------------------------------------

template <class Loop>
Start start_of(Loop loop) {
  return [=](rs::CheckpointStore& store, const rs::ResumeOptions& options) {
    return run(loop, store, options);
  };
}

void use_up_budgets(const Start& loop) {
  call_takes = 5ms;
  expect(start(loop, in_time(100ms, 1h)) == 75, "the budget of a call ends it");
  expect(start(loop, in_time(100ms, 50ms)) == 99, "the budget of the run is used");
  int code = 75;
  for (int calls = 0; code == 75 && calls < 100; ++calls) code = start(loop, in_time(100ms, 1h));
  expect(code == 0, "several calls complete it");
}

}  // namespace

int main() {
  const auto progress = start_of(by_progress);
  const auto history = start_of(by_history);
  const auto retry = start_of(with_retry);
  std::cout << "killed in the 18th call, then started again\n";
  tell_killed("watch", start_of(watch), 17);
  tell_killed("by_steps", start_of(by_steps), 0);
  tell_killed("by_progress", progress, 2);
  tell_killed("by_history", history, 0);
  tell_killed("with_retry", retry, 0);
  tell_killed("run_queue", run_queue, 0);
  std::cout << "Ctrl+C in the 18th call, then started again\n";
  tell("by_progress", progress, 0, [&] {
    in_call_18 = press_ctrl_c;
    expect(start(progress) == 128 + SIGINT, "Ctrl+C ends it");
  });
  std::cout << "ended by the budgets of a call and of the run, then given more\n";
  tell("by_history", history, 0, [&] { use_up_budgets(history); });
  std::cout << "an error in the 18th call, then started again\n";
  tell("by_history", history, 0, [&] {
    in_call_18 = [] { throw std::runtime_error("the model is gone"); };
    expect(start(history) == 1, "an error ends it");
  });
  std::cout << "HTTP 429 in the 18th call\n";
  tell("with_retry", retry, 0, [&] {
    in_call_18 = [] { throw rs::Retryable("HTTP 429", 5ms); };
    expect(start(retry) == 0, "it asks once more by itself");
  });
  return failures == 0 ? 0 : 1;
}
