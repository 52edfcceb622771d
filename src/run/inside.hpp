/// @file
/// The records inside one stage or item: steps and their failed tries, saved progress, histories,
/// side effects.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "plan/facts.hpp"
#include "resumable/detail/value_type.hpp"
#include "run/events.hpp"
#include "run/recorder.hpp"
#include "run/run_facts.hpp"

namespace resumable::inline v0::run {

/// A record's place in the store.
struct InsideRecord {
  std::uint64_t next = 1;            ///< the generation that a new record gets
  std::optional<plan::Row> row;      ///< the newest whole record
  std::vector<std::uint64_t> older;  ///< whole generations before it
  bool requested = false;            ///< a redo asks for it: the record counts no more

  [[nodiscard]] bool fits(core::Kind kind, const Digest& fingerprint, std::uint32_t revision) const;
};
using InsideRecords = std::map<std::string, InsideRecord>;  ///< by path

/// Lives as long as its task, over all attempts. Safe to use from several threads.
class Inside {
 public:
  struct Tools {
    const detail::Graph& graph;
    const RunFacts& facts;
    Recorder& recorder;
    Events& events;
    sys::Clock& clock;
  };
  /// Of one stage or item with inputs of this fingerprint.
  struct Subject {
    std::uint32_t node = 0;
    std::string item;
    Digest fingerprint;
  };
  Inside(Tools tools, Subject subject, InsideRecords on_record)
      : tools_(tools), subject_(std::move(subject)), records_(std::move(on_record)) {}

  /// What a record must be like in order to be taken.
  struct Wanted {
    core::Key key;
    core::Kind kind = core::Kind::step;
    Digest fingerprint;
    std::uint32_t revision = 0;
    std::string what;  ///< for messages: `step 'web'`
  };
  /// The record of this kind and name that depends on all inputs and the stage's code.
  [[nodiscard]] Wanted wanted(core::Kind kind, std::string_view name) const;

  /// The record, if it fits; from now on it counts as used.
  [[nodiscard]] std::optional<plan::Row> find(const Wanted& wanted);
  /// The paths after that of `wanted`, and before `to`, whose record fits as one at `wanted` would.
  [[nodiscard]] std::vector<std::string> following(const Wanted& wanted,
                                                   const std::string& to) const;
  /// Its value. @throws Error, or Suspended after noting damage
  [[nodiscard]] detail::AnyValue load(const Wanted& wanted, const plan::Row& row,
                                      const detail::ValueType& type);
  /// A record that takes the place of the one there is; `value` is null with a type of no bytes. Of
  /// progress the one before is kept, too, should the new one turn out to be damaged.
  [[nodiscard]] Draft draft(const Wanted& wanted, const detail::ValueType& type,
                            const void* value) const;
  /// Takes a record back. Durable on return.
  void withdraw(const Wanted& wanted);
  /// `with` will erase this record when it is committed.
  void drop(const Wanted& wanted, Draft& with);
  /// Durable on return, all or nothing; they count as used.
  std::vector<Committed> commit(std::vector<Draft> drafts);

  /// Before each attempt: nothing counts as used.
  void begin_attempt();
  /// What was committed since the last call.
  [[nodiscard]] std::vector<Committed> take_committed();
  /// A record that could not be read: the stage was left, whatever it says.
  [[nodiscard]] std::optional<DamagedRecord> damage() const;
  /// Records that a value of the attempt's makes superfluous: those that it has not used, and what
  /// is left of failed tries.
  [[nodiscard]] std::vector<std::pair<std::string, std::uint64_t>> unused() const;

  [[nodiscard]] const Tools& tools() const noexcept { return tools_; }
  [[nodiscard]] const Subject& subject() const noexcept { return subject_; }
  [[nodiscard]] const detail::Node& node() const { return tools_.graph.nodes[subject_.node]; }
  [[nodiscard]] Event event(EventKind kind, std::string_view step) const;

 private:
  void prove(const Wanted& wanted, const plan::Row& row, const detail::ValueType& type) const;

  Tools tools_;
  Subject subject_;
  mutable std::mutex guard_;
  InsideRecords records_;
  std::set<std::string> used_;  ///< paths
  std::vector<Committed> committed_;
  std::optional<DamagedRecord> damage_;
};

/// Text for people: `step 'web'`.
[[nodiscard]] std::string quoted(std::string_view what, std::string_view name);

}  // namespace resumable::inline v0::run
