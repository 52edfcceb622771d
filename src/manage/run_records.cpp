#include "manage/run_records.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "core/key.hpp"
#include "core/text.hpp"
#include "record/origin.hpp"
#include "record/record_index.hpp"
#include "resumable/error.hpp"

namespace resumable::manage {
namespace {

/// A record as the scan found it.
struct Seen {
  std::string path;
  std::uint64_t generation = 0;
  Tag tag;
  std::string header;
  Damage damage = Damage::none;
  std::error_code cause;
};

bool is_input(std::string_view path) { return path.starts_with("@input/"); }

std::string sentence(Damage damage, std::error_code cause) {
  switch (damage) {
    case Damage::newer: return "it was written by a newer version of the library";
    case Damage::foreign: return "it is not a record of this run";
    case Damage::unreadable: return "the operating system refused to read it: " + cause.message();
    case Damage::none:
    case Damage::torn: break;
  }
  return "its bytes are not those that were written";
}

std::string advice(const RecordProblem& problem) {
  switch (problem.damage) {
    case Damage::newer: return "use a newer program: it is left untouched";
    case Damage::foreign: return "move the file out of the run's folder";
    case Damage::unreadable: return "fix the cause, then verify again";
    case Damage::none:
    case Damage::torn: break;
  }
  if (is_input(problem.path)) return "resume with a value for this input: it is recorded again";
  if (!problem.current) {
    return "resume with ResumeOptions::verify_payloads: it is set aside; a newer one is "
           "intact";
  }
  return "resume with ResumeOptions::verify_payloads: it is set aside and made again";
}

class Reader {
 public:
  Reader(const CheckpointStore& store, std::string_view run, Payloads payloads, const Wait& wait)
      : store_(store), run_(run), payloads_(payloads), wait_(wait) {}

  RunRecords read(bool last) {
    last_ = last;
    scan();
    auto origin = record::find_origin(
        tags(), [&](RecordId id) { return get(std::string{id.path}, id.generation); });
    out_.uid = std::move(origin.uid);
    out_.pipeline = std::move(origin.pipeline);
    for (Seen& one : seen_) prove(std::move(one));
    note_current();
    return std::move(out_);
  }

 private:
  void scan() {
    store_.scan(run_, {.headers = true, .wait = wait_}, [&](const RecordHead& head) {
      if (head.quarantined) {
        ++out_.set_aside;
        return true;
      }
      seen_.push_back({std::string{head.id.path}, head.id.generation, head.tag,
                       std::string{head.header.value_or("")}, head.damage, head.cause});
      return true;
    });
  }

  record::Tags tags() const {
    record::Tags tags;
    for (const Seen& one : seen_) {
      if (one.damage == Damage::none) tags.push_back({{one.path, one.generation}, one.tag});
    }
    record::put_in_order(tags);
    return tags;
  }

  /// nullopt when it is damaged; who has it may erase it meanwhile.
  std::optional<StoredRecord> get(const std::string& path, std::uint64_t generation) const {
    try {
      auto record = store_.get(run_, {path, generation}, wait_);
      if (!record && !last_ && store_.owner(run_)) throw record::VanishedRecord{};
      return record;
    } catch (const Error& error) {
      if (error.errc() == Errc::damaged) return std::nullopt;
      throw;
    }
  }

  void prove(Seen one) {
    if (one.damage != Damage::none) return add_problem(one, one.damage);
    const auto reading = core::decode_tag(one.tag, {out_.uid, one.path, one.generation});
    if (reading.damage != Damage::none) return add_problem(one, reading.damage);
    auto header = core::decode_header(one.header, one.tag);
    if (!header) return add_problem(one, Damage::torn);
    Whole whole{one.path,     one.generation,        one.tag,
                reading.head, std::move(one.header), *std::move(header)};
    if (payloads_ == Payloads::prove) {
      one.damage = damage_of(whole, one.cause);
      if (one.damage != Damage::none) return add_problem(one, one.damage, whole.header.key);
    }
    out_.bytes += whole.header.payload_bytes;
    out_.whole.push_back(std::move(whole));
  }

  Damage damage_of(const Whole& one, std::error_code& cause) const {
    try {
      const auto record = get(one.path, one.generation);
      const bool same = record && record->tag == one.tag && record->header == one.text;
      return same && core::payload_matches(one.header, *record->payload) ? Damage::none
                                                                         : Damage::torn;
    } catch (const Error& error) {
      cause = error.info().cause;
      switch (error.errc()) {
        case Errc::damaged: return Damage::torn;
        case Errc::newer: return Damage::newer;
        case Errc::foreign: return Damage::foreign;
        case Errc::unreadable: return Damage::unreadable;
        default: throw;
      }
    }
  }

  void add_problem(const Seen& one, Damage damage, const std::string& key = {}) {
    out_.problems.push_back({.path = one.path,
                             .generation = one.generation,
                             .key = key.empty() ? one.path : key,
                             .damage = damage,
                             .current = false,
                             .file = store_.locate(run_, {one.path, one.generation}),
                             .what = sentence(damage, one.cause),
                             .next = {}});
  }

  void note_current() {
    for (RecordProblem& one : out_.problems) {
      const Whole* newest = out_.current(one.path);
      one.current = newest == nullptr || newest->generation < one.generation;
      one.next = advice(one);
    }
  }

  const CheckpointStore& store_;
  std::string run_;
  Payloads payloads_;
  const Wait& wait_;
  bool last_ = false;
  std::vector<Seen> seen_;
  RunRecords out_;
};

Errc code_of(Damage damage) {
  switch (damage) {
    case Damage::newer: return Errc::newer;
    case Damage::foreign: return Errc::foreign;
    case Damage::unreadable: return Errc::unreadable;
    case Damage::none:
    case Damage::torn: break;
  }
  return Errc::damaged;
}

}  // namespace

std::uint64_t RunRecords::highest_fence() const {
  std::uint64_t highest = 0;
  for (const Whole& one : whole) highest = std::max(highest, one.head.fence);
  return highest;
}

const Whole* RunRecords::find(std::string_view path, std::uint64_t generation) const {
  const auto at =
      std::ranges::lower_bound(whole, std::pair{path, generation}, {}, [](const Whole& one) {
        return std::pair{std::string_view{one.path}, one.generation};
      });
  return at != whole.end() && at->path == path && at->generation == generation ? &*at : nullptr;
}

const Whole* RunRecords::current(std::string_view path) const {
  const auto behind = std::ranges::upper_bound(
      whole, path, {}, [](const Whole& one) { return std::string_view{one.path}; });
  if (behind == whole.begin() || std::prev(behind)->path != path) return nullptr;
  return &*std::prev(behind);
}

bool exists(const CheckpointStore& store, std::string_view run) {
  bool found = false;
  store.runs(run, [&](std::string_view id) {
    found = id == run;
    return !found && id.starts_with(run);
  });
  return found;
}

RunRecords read_run(const CheckpointStore& store, std::string_view run, Payloads payloads,
                    const Wait& wait) {
  RunRecords records = record::look_until_found([&](bool last) {
    return Reader{store, run, payloads, wait}.read(last);
  });
  const bool empty = records.whole.empty() && records.problems.empty() && records.set_aside == 0;
  if (!empty || exists(store, run)) return records;
  throw Error(Errc::unknown_run,
              {.what = fmt::format("there is no run '{}' in {}", core::printable(run), store.url()),
               .run = std::string{run},
               .kept = "nothing was changed",
               .next = "list_runs() and `resumable list` say which runs there are"});
}

std::optional<record::RunRecord> run_record(const CheckpointStore& store, std::string_view run,
                                            const RunRecords& records) {
  const Whole* const row = records.current(core::run_key().path);
  const auto stored = row != nullptr ? store.get(run, {row->path, row->generation}) : std::nullopt;
  if (!stored) return std::nullopt;
  return record::decode_run(read_all(*stored->payload));
}

void refuse_problems(std::string_view run, const RunRecords& records) {
  if (records.problems.empty()) return;
  const RecordProblem& first = records.problems.front();
  throw Error(code_of(first.damage),
              {.what = fmt::format(
                   "{} of {} records of run '{}' cannot be used; the first is '{}', "
                   "generation {}: {}",
                   records.problems.size(), records.problems.size() + records.whole.size(),
                   core::printable(run), core::printable(first.key), first.generation, first.what),
               .run = std::string{run},
               .file = first.file,
               .kept = "nothing was changed",
               .next = first.next});
}

}  // namespace resumable::manage

namespace resumable {
inline namespace v0 {

Verification verify_run(const CheckpointStore& store, std::string_view run, const Wait& wait) {
  auto records = manage::read_run(store, run, manage::Payloads::prove, wait);
  return {.records = records.whole.size(),
          .bytes = records.bytes,
          .set_aside = records.set_aside,
          .problems = std::move(records.problems)};
}

}  // namespace v0
}  // namespace resumable
