#include "manage/run_reader.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "core/remedy.hpp"
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
  std::string header;  ///< with Payloads::leave
  Damage damage = Damage::none;
  std::error_code cause;
  bool whole = false;  ///< it was proved
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

void advise(RecordProblem& problem) {
  switch (problem.damage) {
    case Damage::newer: problem.next = "use a newer program: it is left untouched"; return;
    case Damage::foreign: problem.next = "move the file out of the run's folder"; return;
    case Damage::unreadable: return;  // what to do depends on its cause
    case Damage::none:
    case Damage::torn: break;
  }
  if (is_input(problem.path)) {
    problem.next = "resume with a value for this input: it is recorded again";
    return;
  }
  problem.next = problem.current ? "resume: it is set aside and made again"
                                 : "resume: it is set aside; a newer one is intact";
  problem.advice = {{.option = Option::verify_payloads}};
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
    payloads_ == Payloads::leave ? prove_headers() : prove_records();
    note_current();
    return std::move(out_);
  }

 private:
  /// Payloads come with their headers, which are read once.
  void scan() {
    const ScanOptions what{.headers = payloads_ == Payloads::leave, .wait = wait_};
    store_.scan(run_, what, [&](const RecordHead& head) {
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

  /// nullopt if it is damaged; the owner may erase it meanwhile.
  std::optional<StoredRecord> get(const std::string& path, std::uint64_t generation) const {
    try {
      auto record = store_.get(run_, {path, generation}, wait_);
      if (!record) must_be_damage();
      return record;
    } catch (const Error& error) {
      if (error.errc() == Errc::damaged) return std::nullopt;
      throw;
    }
  }

  /// A record that was there is gone.
  void must_be_damage() const {
    if (!last_ && store_.owner(run_)) throw record::VanishedRecord{};
  }

  void prove_headers() {
    for (Seen& one : seen_) {
      const auto head = proved_head(one);
      if (!head) continue;
      auto header = core::decode_header(one.header, one.tag);
      if (!header) {
        add_problem(one, Damage::torn);
        continue;
      }
      add_whole(one, *head, std::move(one.header), *std::move(header));
    }
  }

  void prove_records() {
    std::vector<RecordId> ids;
    std::vector<std::pair<Seen*, core::Head>> wanted;
    for (Seen& one : seen_) {
      const auto head = proved_head(one);
      if (!head) continue;
      ids.push_back({one.path, one.generation});
      wanted.emplace_back(&one, *head);
    }
    store_.get_many(
        run_, ids,
        [&](Fetched found) {
          const auto& [one, head] = wanted[found.index];
          prove(*one, head, std::move(found));
          return true;
        },
        wait_);
    const auto place = [](const auto& one) { return std::tie(one.path, one.generation); };
    std::ranges::stable_sort(out_.whole, {}, place);
    std::ranges::stable_sort(out_.problems, {}, place);
  }

  /// nullopt when the tag is not as it was written: then that is noted.
  std::optional<core::Head> proved_head(Seen& one) {
    Damage damage = one.damage;
    core::Head head;
    if (damage == Damage::none) {
      const auto reading = core::decode_tag(one.tag, {out_.uid, one.path, one.generation});
      damage = reading.damage;
      head = reading.head;
    }
    if (damage == Damage::none) return head;
    add_problem(one, damage);
    return std::nullopt;
  }

  void prove(Seen& one, const core::Head& head, Fetched found) {
    if (!found.record && !found.error) must_be_damage();
    if (!found.record) one.header = header_alone(one);
    const std::string& text = found.record ? found.record->header : one.header;
    auto header = core::decode_header(text, one.tag);
    if (!header) return add_problem(one, damage_of(found.error, one.cause));
    if (payloads_ == Payloads::prove_and_drop) note_exports(*header);
    const Damage damage = damage_of(found, *header, one);
    if (damage != Damage::none) return add_problem(one, damage, header->key);
    add_whole(one, head, std::move(found.record->header), *std::move(header));
  }

  /// The key of a record whose payload cannot be read, for messages.
  std::string header_alone(const Seen& one) const {
    std::string header;
    const ScanOptions what{
        .prefix = one.path, .quarantined = false, .headers = true, .wait = wait_};
    store_.scan(run_, what, [&](const RecordHead& head) {
      if (head.id.path != one.path) return false;
      if (head.id.generation == one.generation) header = head.header.value_or("");
      return true;
    });
    return header;
  }

  static Damage damage_of(const std::optional<Error>& error, std::error_code& cause) {
    if (!error) return Damage::torn;
    cause = error->info().cause;
    switch (error->errc()) {
      case Errc::newer: return Damage::newer;
      case Errc::foreign: return Damage::foreign;
      case Errc::unreadable: return Damage::unreadable;
      default: return Damage::torn;
    }
  }

  static Damage damage_of(const Fetched& found, const core::Header& header, Seen& one) {
    if (!found.record) return damage_of(found.error, one.cause);
    try {
      const bool same = found.record->tag == one.tag;
      return same && core::payload_matches(header, *found.record->payload) ? Damage::none
                                                                           : Damage::torn;
    } catch (const Error& error) {
      switch (error.errc()) {
        case Errc::damaged:
        case Errc::newer:
        case Errc::foreign:
        case Errc::unreadable: return damage_of(error, one.cause);
        default: throw;
      }
    }
  }

  void add_whole(Seen& one, const core::Head& head, std::string text, core::Header header) {
    one.whole = true;
    ++out_.count;
    out_.bytes += header.payload_bytes;
    if (payloads_ == Payloads::prove_and_drop) return;
    out_.whole.push_back(
        {one.path, one.generation, one.tag, head, std::move(text), std::move(header)});
  }

  void note_exports(const core::Header& header) {
    for (const core::Export& made : header.exports) {
      core::Export& known = out_.exports[made.path];
      if (known.path.empty() || known.order < made.order) known = made;
    }
  }

  void add_problem(const Seen& one, Damage damage, const std::string& key = {}) {
    out_.problems.push_back(
        {.path = one.path,
         .generation = one.generation,
         .key = key.empty() ? one.path : key,
         .damage = damage,
         .current = false,
         .file = store_.locate(run_, {one.path, one.generation}),
         .what = sentence(damage, one.cause),
         .next = damage == Damage::unreadable
                     ? core::remedy(one.cause, "fix the cause") + ", then verify again"
                     : ""});
  }

  void note_current() {
    for (RecordProblem& one : out_.problems) {
      one.current = true;
      auto other = std::ranges::lower_bound(seen_, one.path, {}, &Seen::path);
      for (; other != seen_.end() && other->path == one.path; ++other) {
        if (other->whole && other->generation >= one.generation) one.current = false;
      }
      advise(one);
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

}  // namespace

RunRecords read_records(const CheckpointStore& store, std::string_view run, Payloads payloads,
                        const Wait& wait, bool last) {
  return Reader{store, run, payloads, wait}.read(last);
}

}  // namespace resumable::manage
