#include "store/work_table.hpp"

#include <algorithm>
#include <utility>

#include <fmt/chrono.h>
#include <fmt/format.h>

namespace resumable::store {
namespace {

std::chrono::sys_seconds wall_now() {
  return std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
}

}  // namespace

void WorkTable::take_over(std::string_view run, std::uint64_t fence) {
  std::erase_if(rows_,
                [&](const Row& row) { return row.run == run && row.state >= State::finished; });
  for (Row& row : rows_) {
    if (row.run != run) continue;
    row.fence = fence;
    row.stop = false;
  }
}

void WorkTable::publish(std::string_view run, std::uint64_t fence,
                        std::span<const WorkTask> tasks) {
  for (const WorkTask& task : tasks) {
    const auto there = std::ranges::find_if(rows_, [&](const Row& row) {
      return row.run == run && row.task.stage == task.stage && row.task.item == task.item;
    });
    if (there != rows_.end()) {
      if (there->task.identity == task.identity && there->task.program == task.program) continue;
      rows_.erase(there);
    }
    rows_.push_back({.run = std::string{run}, .task = task, .fence = fence});
  }
}

void WorkTable::free(Row& row) {
  row.state = State::ready;
  row.token = 0;
  row.worker = 0;
}

void WorkTable::reap(Now now) {
  for (const auto& [id, worker] : workers_) {
    if (worker.until >= now) continue;
    for (Row& row : rows_) {
      if (row.state != State::claimed || row.worker != id) continue;
      free(row);
      if (!row.told.empty()) row.told += ", ";
      row.told +=
          fmt::format("pid {} on {}, {:%FT%TZ}", worker.info.pid, worker.info.host, wall_now());
      if (++row.losses >= WorkQueue::most_losses) row.state = State::lost;
    }
  }
  std::erase_if(workers_, [&](const auto& one) { return one.second.until < now; });
}

std::vector<FinishedWork> WorkTable::collect(std::string_view run, Now now) {
  reap(now);
  std::vector<FinishedWork> through;
  for (Row& row : rows_) {
    if (row.run != run || row.state < State::finished) continue;
    FinishedWork& one = through.emplace_back();
    one.stage = row.task.stage;
    one.item = row.task.item;
    one.result = std::move(row.result);
    if (row.state == State::lost) one.lost = row.told;
    const auto by = workers_.find(row.worker);
    if (by != workers_.end()) one.by = by->second.info;
    one.by.id = row.worker;
  }
  std::erase_if(rows_,
                [&](const Row& row) { return row.run == run && row.state >= State::finished; });
  return through;
}

std::vector<WorkItem> WorkTable::withdraw(std::string_view run, bool stop) {
  std::vector<WorkItem> gone;
  for (Row& row : rows_) {
    if (row.run != run) continue;
    if (row.state == State::ready) {
      gone.push_back({.stage = row.task.stage, .item = row.task.item, .losses = row.losses});
    }
    row.stop = row.stop || stop;
  }
  std::erase_if(rows_, [&](const Row& row) { return row.run == run && row.state == State::ready; });
  return gone;
}

void WorkTable::end(std::string_view run) {
  std::erase_if(rows_, [&](const Row& row) { return row.run == run; });
}

std::uint64_t WorkTable::join(WorkerInfo worker, Now until) {
  worker.id = ++last_worker_;
  worker.since = wall_now();
  workers_.emplace(last_worker_, Joined{std::move(worker), until});
  return last_worker_;
}

Claimed WorkTable::claim(std::uint64_t worker, std::string_view pipeline, std::string_view program,
                         std::string_view run, std::size_t most) {
  Claimed found;
  for (Row& row : rows_) {
    const bool wanted = row.state == State::ready && row.task.pipeline == pipeline &&
                        (run.empty() || row.run == run);
    if (!wanted) continue;
    if (row.task.program != program) {
      ++found.of_others;
    } else if (workers_.contains(worker) && found.claims.size() < most &&
               row.fence == fence_of_(row.run)) {
      row.state = State::claimed;
      row.token = ++last_token_;
      row.worker = worker;
      row.since = wall_now();
      found.claims.push_back(
          {.run = row.run, .fence = row.fence, .token = row.token, .task = row.task});
    }
  }
  if (!found.claims.empty()) found.of_others = 0;
  return found;
}

WorkBeat WorkTable::beat(std::uint64_t worker, Now until, std::span<const std::uint64_t> held) {
  WorkBeat beat;
  const auto joined = workers_.find(worker);
  beat.known = joined != workers_.end();
  if (beat.known) joined->second.until = until;
  for (const std::uint64_t token : held) {
    const Row* row = find(token);
    if (row == nullptr) {
      beat.lost.push_back(token);
    } else if (row->stop) {
      beat.stopped.push_back(token);
    }
  }
  return beat;
}

const WorkTable::Row* WorkTable::find(std::uint64_t token) const {
  const auto row = std::ranges::find_if(
      rows_, [&](const Row& one) { return one.state == State::claimed && one.token == token; });
  return row == rows_.end() ? nullptr : &*row;
}

WorkTable::Row* WorkTable::find(std::uint64_t token) {
  return const_cast<Row*>(std::as_const(*this).find(token));
}

ClaimState WorkTable::state_of(const WorkClaim& claim) const {
  const Row* row = find(claim.token);
  if (row == nullptr) return ClaimState::lost;
  return row->fence == fence_of_(row->run) ? ClaimState::held : ClaimState::other_owner;
}

ClaimState WorkTable::finish(const WorkClaim& claim, std::string_view result) {
  const ClaimState state = state_of(claim);
  if (state != ClaimState::held) return state;
  Row* row = find(claim.token);
  row->state = State::finished;
  row->result = std::string{result};
  return state;
}

void WorkTable::give_back(const WorkClaim& claim) {
  if (Row* row = find(claim.token)) free(*row);
}

void WorkTable::leave(std::uint64_t worker) {
  for (Row& row : rows_) {
    if (row.state == State::claimed && row.worker == worker) free(row);
  }
  workers_.erase(worker);
}

std::vector<WorkerInfo> WorkTable::workers(Now now) const {
  std::vector<WorkerInfo> all;
  for (const auto& [id, worker] : workers_) {
    if (worker.until >= now) all.push_back(worker.info);
  }
  return all;
}

std::vector<WorkItem> WorkTable::work(std::string_view run) const {
  std::vector<WorkItem> all;
  for (const Row& row : rows_) {
    const bool is_open = row.run == run && row.state < State::finished;
    if (!is_open || row.fence != fence_of_(run)) continue;
    all.push_back({.stage = row.task.stage,
                   .item = row.task.item,
                   .worker = row.worker,
                   .since = row.since,
                   .losses = row.losses});
  }
  return all;
}

}  // namespace resumable::store
