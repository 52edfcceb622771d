#include "store/write_behind.hpp"

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

#include "resumable/digest.hpp"
#include "store/check.hpp"
#include "sys/process.hpp"

namespace resumable::store {
namespace {

bool is_in_memory(const Batch& batch) {
  return std::ranges::all_of(batch.puts,
                             [](const Put& put) { return put.payload->view().has_value(); });
}

std::uint64_t bytes_of(const Batch& batch) {
  std::uint64_t bytes = 0;
  for (const Put& put : batch.puts) bytes += put.header.size() + put.payload->size();
  return bytes;
}

}  // namespace

WriteBehind::WriteBehind(Lease& next, const QueueLimits& limits)
    : next_(next), limits_(limits), pid_(sys::SystemProcess{}.pid()) {
  thread_ = std::thread{[this] { work(); }};
}

WriteBehind::~WriteBehind() {
  {
    const std::scoped_lock lock{guard_};
    ends_ = true;
    changed_.notify_all();
  }
  thread_.join();
}

std::shared_ptr<WriteBehind> WriteBehind::make(Lease& next, const QueueLimits& limits) {
  return {new WriteBehind{next, limits}, [](WriteBehind* queue) {
            if (sys::SystemProcess{}.pid() == queue->pid_) delete queue;
          }};
}

std::size_t WriteBehind::HeldPayload::read(std::uint64_t at, std::span<char> to) const {
  if (at >= bytes_.size()) return 0;
  return bytes_.substr(static_cast<std::size_t>(at)).copy(to.data(), to.size());
}

/// One allocation holds all bytes: a commit is copied often, and is small.
WriteBehind::Commit WriteBehind::copy_of(const Batch& batch) {
  Commit commit;
  std::vector<Seal> seals;
  seals.reserve(batch.puts.size());
  std::size_t size = 0;
  for (const Put& put : batch.puts) {
    const std::string_view bytes = *put.payload->view();
    if (put.seal) seals.push_back((*put.seal)(digest(bytes)));
    const std::size_t header = put.seal ? seals.back().header.size() : put.header.size();
    size += put.id.path.size() + header + bytes.size();
  }
  for (const RecordId& id : batch.erases) size += id.path.size();
  commit.held = std::make_unique_for_overwrite<char[]>(size);
  char* to = commit.held.get();
  const auto keep = [&](std::string_view text) -> std::string_view {
    char* const begin = to;
    to += text.copy(to, text.size());
    return {begin, text.size()};
  };
  commit.bytes = bytes_of(batch);
  commit.puts.reserve(batch.puts.size());
  commit.payloads.reserve(batch.puts.size());
  auto seal = seals.begin();
  for (const Put& put : batch.puts) {
    Put copy{.id = {keep(put.id.path), put.id.generation},
             .tag = put.tag,
             .header = put.header,
             .payload = &commit.payloads.emplace_back(keep(*put.payload->view()))};
    if (put.seal) {
      copy.tag = seal->tag;
      copy.header = (seal++)->header;
    }
    copy.header = keep(copy.header);
    commit.puts.push_back(copy);
  }
  commit.erases.reserve(batch.erases.size());
  for (const RecordId& id : batch.erases) commit.erases.push_back({keep(id.path), id.generation});
  return commit;
}

void WriteBehind::check_error() const {
  if (error_) std::rethrow_exception(error_);
}

bool WriteBehind::has_room(std::uint64_t bytes) const {
  return waiting_.size() + writing_.size() < limits_.commits && bytes_ + bytes <= limits_.bytes;
}

template <class Ready>
void WriteBehind::await(std::unique_lock<std::mutex>& lock, const Wait& wait, Ready ready) {
  const auto over = [&] { return error_ || ready(); };
  const bool in_time = wait.deadline ? changed_.wait_until(lock, wait.stop, *wait.deadline, over)
                                     : changed_.wait(lock, wait.stop, over);
  check_error();
  if (!in_time) check_wait(wait);
}

Ticket WriteBehind::push(const Batch& batch, const Wait& wait) {
  if (!is_in_memory(batch) || bytes_of(batch) > limits_.bytes / 4) return commit_now(batch, wait);
  if (sys::SystemProcess{}.pid() != pid_) return next_.commit(batch);  // which refuses it
  Commit commit = copy_of(batch);
  std::unique_lock lock{guard_};
  await(lock, wait, [&] { return has_room(commit.bytes); });
  commit.ticket = ++last_;
  bytes_ += commit.bytes;
  waiting_.push_back(std::move(commit));
  changed_.notify_all();
  return last_;
}

Ticket WriteBehind::commit_now(const Batch& batch, const Wait& wait) {
  if (sys::SystemProcess{}.pid() == pid_) {
    std::unique_lock lock{guard_};
    await(lock, wait, [&, until = last_] { return is_over(until); });
  }
  next_.commit(batch, {.durability = Durability::full, .wait = wait});
  const std::scoped_lock lock{guard_};
  return ++last_;
}

bool WriteBehind::is_over(Ticket ticket) const {
  if (!writing_.empty()) return writing_.front().ticket > ticket;
  return waiting_.empty() || waiting_.front().ticket > ticket;
}

Ticket WriteBehind::durable() const noexcept {
  const std::scoped_lock lock{guard_};
  if (!writing_.empty()) return writing_.front().ticket - 1;
  return waiting_.empty() ? last_ : waiting_.front().ticket - 1;
}

void WriteBehind::wait(Ticket ticket, const Wait& wait) {
  std::unique_lock lock{guard_};
  await(lock, wait, [&] { return is_over(ticket); });
}

void WriteBehind::wait_for(RecordId id, const Wait& wait) {
  std::unique_lock lock{guard_};
  const auto has = [&](const Commit& commit) {
    return std::ranges::any_of(commit.puts, [&](const Put& put) {
      return put.id.generation == id.generation && put.id.path == id.path;
    });
  };
  await(lock, wait,
        [&] { return std::ranges::none_of(waiting_, has) && std::ranges::none_of(writing_, has); });
}

void WriteBehind::work() {
  std::unique_lock lock{guard_};
  for (;;) {
    changed_.wait(lock, [&] { return ends_ || !waiting_.empty(); });
    if (waiting_.empty() || error_) return;
    writing_.swap(waiting_);  // allocates nothing: an exception would end the process
    lock.unlock();
    std::exception_ptr error;
    try {
      write(writing_);
    } catch (...) {
      error = std::current_exception();
    }
    lock.lock();
    if (error) {
      error_ = error;  // what was not written stays: durable() never passes it
      changed_.notify_all();
      return;
    }
    for (const Commit& commit : writing_) bytes_ -= commit.bytes;
    writing_.clear();
    changed_.notify_all();
  }
}

void WriteBehind::write(const std::deque<Commit>& group) {
  using Id = std::pair<std::string_view, std::uint64_t>;
  std::set<Id> erased;
  for (const Commit& commit : group) {
    for (const RecordId& id : commit.erases) erased.emplace(id.path, id.generation);
  }
  std::vector<Put> puts;
  for (const Commit& commit : group) {
    for (const Put& put : commit.puts) {
      if (erased.erase({put.id.path, put.id.generation}) == 0) puts.push_back(put);
    }
  }
  std::vector<RecordId> erases;
  erases.reserve(erased.size());
  for (const auto& [path, generation] : erased) erases.push_back({path, generation});
  next_.commit({puts, erases});
}

}  // namespace resumable::store
