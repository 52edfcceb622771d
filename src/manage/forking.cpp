// Making a new run from the records of another one.
#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/graph_record.hpp"
#include "core/json.hpp"
#include "core/key.hpp"
#include "core/text.hpp"
#include "manage/run_records.hpp"
#include "manage/tagging.hpp"
#include "manage/writing.hpp"
#include "record/environment.hpp"
#include "record/record_index.hpp"
#include "record/run_facts.hpp"
#include "record/small_records.hpp"
#include "resumable/error.hpp"

namespace resumable {
inline namespace v0 {
namespace {

using manage::Output;
using manage::Payloads;
using manage::RunRecords;
using manage::Whole;
using record::RunRecord;

/// `draft` of "draft/team", "@step/draft/team/web" and "@items/draft".
std::string stage_of(std::string_view path) {
  if (path.starts_with('@')) {
    const std::size_t slash = path.find('/');
    path = slash == path.npos ? "" : path.substr(slash + 1);
  }
  return std::string{path.substr(0, path.find('/'))};
}

/// Which stages depend on which, according to the headers of their values.
class Dependents {
 public:
  explicit Dependents(const RunRecords& records) : records_(records) {
    for (const Whole& one : records.whole) {
      const bool tells = one.head.kind == core::Kind::value ||
                         one.head.kind == core::Kind::condition ||
                         one.head.kind == core::Kind::items;
      if (!tells) continue;
      auto& inputs = inputs_[stage_of(one.path)];
      for (const core::InputIdentity& input : one.header.inputs) {
        std::string name = input.name;
        if (name.ends_with("[]")) name.resize(name.size() - 2);
        inputs.insert(std::move(name));
      }
    }
  }

  /// The stage and all that depend on it. @throws Error{Errc::unknown_stage}
  [[nodiscard]] std::set<std::string> of(const std::string& stage) const {
    refuse_unknown(stage);
    std::set<std::string> found{stage};
    for (std::size_t before = 0; before != found.size();) {
      before = found.size();
      for (const auto& [name, inputs] : inputs_) {
        for (const std::string& input : inputs) {
          if (found.contains(input)) found.insert(name);
        }
      }
    }
    return found;
  }

 private:
  void refuse_unknown(const std::string& stage) const {
    std::vector<std::string> names;
    for (const Whole& one : records_.whole) {
      if (one.path.starts_with("@input/") || one.path.starts_with("@request/")) continue;
      const std::string name = stage_of(one.path);
      if (name == stage) return;
      if (!one.path.starts_with('@')) names.push_back(name);
    }
    const std::string meant = core::did_you_mean(stage, names);
    throw Error(
        Errc::unknown_stage,
        {.what = fmt::format("the run has no record of a stage '{}'{}", core::printable(stage),
                             meant.empty() ? "" : "; did you mean '" + meant + "'?"),
         .stage = stage,
         .kept = "nothing was changed",
         .next = "name a stage that has run, or fork without one"});
  }

  const RunRecords& records_;
  std::map<std::string, std::set<std::string>> inputs_;
};

class Fork {
 public:
  Fork(const CheckpointStore& store, std::string_view run, std::string_view new_id,
       const ForkOptions& options)
      : store_(store), run_(run), new_id_(new_id), options_(options), from_(options.from_stage) {
    records_ = manage::read_run(store, run, Payloads::prove, {.stop = options.stop});
    if (!options.skip_damaged || !options.from_stage.empty()) {
      manage::refuse_problems(run, records_);
    }
    if (const auto made = manage::run_record(store, run, records_)) {
      from_ = core::with_recorded_name(made->graph, options.from_stage);
    }
    origin_ = {run_, records_.uid, from_, options.tag};
    choose();
  }

  [[nodiscard]] const RunRecords& source() const noexcept { return records_; }

  /// What write() writes, or an earlier call has. @throws Error{Errc::duplicate_name}
  [[nodiscard]] CopyResult result(const CheckpointStore& to) const {
    CopyResult result{.existed = before(to).has_value()};
    for (const RecordProblem& one : records_.problems) result.left_out.push_back(one.file);
    result.stages_left_out.assign(left_.begin(), left_.end());
    for (const Whole* one : chosen_) {
      ++result.records;
      result.bytes += one->header.payload_bytes;
    }
    return result;
  }

  CopyResult write(CheckpointStore& to, Lease& lease) {
    CopyResult result = this->result(to);
    if (result.existed) {
      if (!to.manifest(new_id_)) write_manifest(lease, before(to)->uid);
      return result;
    }
    const std::string uid = new_uid();
    std::vector<Output> all;
    all.reserve(chosen_.size() + 1);
    for (const Whole* one : chosen_) {
      all.push_back(
          manage::of_run(*one, uid, std::make_shared<manage::RemotePayload>(store_, run_, *one)));
    }
    all.push_back(run_record(uid, lease.fence()));
    manage::commit(lease, all);
    write_manifest(lease, uid);
    return result;
  }

 private:
  /// This fork as an earlier call has made it. @throws Error{Errc::duplicate_name}  another run
  [[nodiscard]] std::optional<RunRecords> before(const CheckpointStore& to) const {
    if (!manage::exists(to, new_id_)) return std::nullopt;
    auto there = manage::read_run(to, new_id_, Payloads::leave);
    if (there.whole.empty() && there.problems.empty()) return std::nullopt;
    refuse_another(to, there);
    return there;
  }

  /// For lists.
  void write_manifest(Lease& lease, const std::string& uid) const {
    const core::OrderedJson json{{"schema", 1},
                                 {"run", new_id_},
                                 {"uid", uid},
                                 {"pipeline", records_.pipeline},
                                 {"status", "created"},
                                 {"at", manage::now_text()},
                                 {"fence", lease.fence()}};
    lease.manifest(json.dump(1, ' ', false, core::OrderedJson::error_handler_t::replace) + "\n");
  }

  /// Whatever is left out: the other side may know its key.
  [[nodiscard]] static bool is_begun_effect(const RunRecords& records, const Whole& one) {
    if (one.head.kind != core::Kind::intent || one.head.codec == CodecId::none ||
        records.current(one.path) != &one) {
      return false;
    }
    return std::ranges::none_of(records.all(core::outcome_path(one.path)), [&](const Whole& other) {
      return core::is_outcome(other.head, one.head);
    });
  }

  void choose() {
    if (!from_.empty()) left_ = Dependents{records_}.of(from_);
    std::optional<record::TagRecord> tag;
    if (!options_.tag.empty()) tag = find_tag();
    for (const Whole& one : records_.whole) {
      const bool own = one.path == core::run_key().path || one.path == core::alive_key().path ||
                       one.path.starts_with("@tag/");
      const bool input = one.path.starts_with("@input/");
      const bool begun = is_begun_effect(records_, one);
      if (own || (!input && !begun && left_.contains(stage_of(one.path)))) continue;
      if (!tag || begun) chosen_.push_back(&one);
    }
    if (!tag) return;
    for (const auto& [path, generation] : tag->records) {
      const bool input = path.starts_with("@input/");
      if (!input && left_.contains(stage_of(path))) continue;
      const Whole* one = records_.find(path, generation);
      if (one != nullptr && !is_begun_effect(records_, *one)) chosen_.push_back(one);
    }
  }

  [[nodiscard]] record::TagRecord find_tag() const {
    record::World world;
    const detail::Graph no_stages;
    record::RunFacts facts{no_stages, store_, run_, world.clock(), world.files()};
    facts.owned(false);
    facts.gather_records();
    return manage::tag_of(facts, run_, options_.tag);
  }

  /// The fork's own record of its creation. It keeps which builds made the records.
  [[nodiscard]] Output run_record(const std::string& uid, std::uint64_t fence) const {
    RunRecord made{.run = new_id_, .pipeline = records_.pipeline, .created = manage::now_text()};
    if (auto source = manage::run_record(store_, run_, records_)) {
      made.programs = std::move(source->programs);
      made.graph = std::move(source->graph);
    }
    made.forked = origin_;
    made.forgotten = fence;
    auto draft = record::Draft::small(core::Kind::run, core::run_key(), CodecId::json,
                                      record::encode_run(made));
    draft.header.pipeline = records_.pipeline;
    return manage::finished(std::move(draft), uid, fence, manage::now_text());
  }

  void refuse_another(const CheckpointStore& to, const RunRecords& there) const {
    const auto made = manage::run_record(to, new_id_, there);
    if (made && made->forked == origin_) return;
    throw Error(Errc::duplicate_name,
                {.what = fmt::format("run '{}' exists, and is not this fork of run '{}'",
                                     core::printable(new_id_), core::printable(run_)),
                 .run = new_id_,
                 .kept = "nothing was changed",
                 .next = "choose another id"});
  }

  [[nodiscard]] static std::string new_uid() {
    record::World world;
    std::string uid;
    std::string more;
    if (sys::random_name(world.random(), uid) || sys::random_name(world.random(), more)) {
      throw Error(Errc::store_failed, {.what = "the system's random number generator failed"});
    }
    return uid + more;
  }

  const CheckpointStore& store_;
  std::string run_;
  std::string new_id_;
  const ForkOptions& options_;
  std::string from_;  ///< the stage, as it is recorded
  RunRecords records_;
  RunRecord::Fork origin_;
  std::set<std::string> left_;  ///< stages
  std::vector<const Whole*> chosen_;
};

}  // namespace

CopyResult fork_run(CheckpointStore& store, std::string_view run, std::string_view new_id,
                    const ForkOptions& options) {
  if (run == new_id) {
    throw Error(Errc::duplicate_name,
                {.what = fmt::format("run '{}' cannot be forked into itself", core::printable(run)),
                 .run = std::string{run},
                 .kept = "nothing was changed",
                 .next = "choose another id"});
  }
  return record::look_until_found([&](bool) {
    Fork fork{store, run, new_id, options};
    if (options.dry_run) {
      manage::refuse_owned(store, new_id);
      return fork.result(store);
    }
    const auto lease = manage::lease_above(
        store, new_id,
        {.wait = options.wait, .stop = options.stop, .fence_above = fork.source().highest_fence()});
    return fork.write(store, *lease);
  });
}

}  // namespace v0
}  // namespace resumable
